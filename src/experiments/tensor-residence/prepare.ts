/**
 * A tensor for each step, made on either side of the queue. The last is checked word for word, each
 * other one at 256 places.
 */
import { exactly, mergeVerifications } from '../../lab/check-product'
import { MIB } from '../../base/figures'
import { USAGE } from '../../gpu'
import { GATHER_WORDS } from '../../gpu/kernels/data/gather'
import { randomKernel } from '../../gpu/kernels/data/random'
import { kernelCall } from '../../gpu/kernels/kernel'
import { randomWord } from '../../gpu/kernels/pcg'
import { timeDispatch } from '../../gpu/kernels/calibrate/timing'
import { createMatmul } from '../../lab/matmul'
import { createRandomTensor, keptWord, wrongWords } from '../../lab/random-tensor'
import { createReadback } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import type { Prepare } from '../run-types'
import { fitRun, roundOf, wholeTiles } from '../sizing'
import { DATA, SHAPE, UPLOAD, type tensorResidence } from './meta'
import { hostWordMs, mostWords } from './sizes'

const SEED = 41
const SEED_KEPT = 43
const LEAST_STEPS = 4
/** Estimates assume a rate that is low for a browser. */
const UPLOAD_BYTES_PER_MS = 1.5e6
/** Tensors that the host has at hand take at most so many bytes. */
const MOST_READY_BYTES = 2 ** 28
const WHAT =
  'words of the tensors, and what the host learnt of them, against the same integers made by the lab'

export const prepare: Prepare<typeof tensorResidence> = async (context, values, services, variants) => {
  const { roundTripMs, deviceStepNs, say } = services
  say('sizing a tensor')
  const wordMs = hostWordMs(() => performance.now())
  const { maxStorageBufferBindingSize = Infinity } = context.device.limits
  const wanted = Math.min((values.tensorMiB * MIB) / 4, wholeTiles(maxStorageBufferBindingSize / 4))
  const trial = await context.buffer('trial', 4 * wanted, USAGE.storage)
  const call = kernelCall(randomKernel, { count: wanted, seed: SEED })
  const { ms: trialMs } = await timeDispatch(context, await context.dispatch(call, [trial]), deviceStepNs)
  context.release(trial)
  const words = Math.min(wanted, wholeTiles(mostWords(wanted, trialMs, values.steps)))
  const bytes = 4 * words
  const isMade = values.source === 'made'
  const times = {
    hostMs: isMade ? words * wordMs : 0,
    uploadMs: bytes / UPLOAD_BYTES_PER_MS,
    kernelMs: (trialMs * words) / wanted,
    roundTripMs,
  }
  const { steps, repeats } = fitRun(
    values,
    roundOf(variants, (variant, count) => windowMs(variant, count, times)),
    LEAST_STEPS,
  )

  const ready = isMade ? null : readyTensors(words, steps)
  const seeds = Uint32Array.from({ length: steps }, (_, step) => SEED + (ready ? step % ready.length : step))
  const tensor = await createRandomTensor(context, words, steps)
  const made = await context.dispatch(kernelCall(randomKernel, { count: words, seed: 0 }), [tensor.buffer])
  const size = { rows: 1, columns: words, c: tensor.buffer.gpu, flops: 0, bytes }
  const { encode } = createMatmul(context.session, made, { ...size, label: 'random' })
  const generator = { seed: made.uniforms.gpu, encode }
  const host = new Uint32Array(words).fill(1) // written in full: the first touch of memory costs as much again
  const common = { tensor: tensor.buffer.gpu, uses: await tensor.uses(SEED_KEPT), seeds }
  const readback = await createReadback(context, 4)
  const firsts = Array.from(seeds, (seed) => randomWord(0, seed))
  const shapes = firsts.map(() => words)

  const verify = async (output: unknown, expected: readonly number[]): Promise<Verification> => {
    const { last, kept } = await tensor.read()
    const arrived = kept.filter((word, index) => {
      const step = Math.floor(index / GATHER_WORDS)
      const at = { step, seed: SEED_KEPT, words, tensorSeed: seeds[step] ?? Number.NaN }
      return word === keptWord(index % GATHER_WORDS, at)
    })
    const got = Array.isArray(output) ? (output as readonly unknown[]) : []
    return mergeVerifications([
      exact(words, wrongWords(last, seeds.at(-1) ?? Number.NaN).count),
      exact(kept.length, kept.length - arrived.length),
      exact(expected.length, expected.filter((value, index) => got[index] !== value).length),
    ])
  }
  const variantOf = (name: string) => ({
    name,
    input: name === UPLOAD ? { ...common, host, ready } : { ...common, generator, readback },
    before: () => tensor.clear(),
    check: (output: unknown) => verify(output, name === SHAPE ? shapes : name === DATA ? firsts : []),
  })
  return {
    derived: {
      words,
      tensorBytes: bytes,
      hostEstimateMs: words * wordMs,
      calibratedKernelMs: times.kernelMs,
      roundTripMs,
      steps,
    },
    repeats,
    variants: variants.map(variantOf),
  }
}

/** Makes tensors that the host has at hand: one for each step, if so many are not too much. */
function readyTensors(words: number, steps: number): readonly Uint32Array<ArrayBuffer>[] {
  const count = Math.max(2, Math.min(steps, Math.floor(MOST_READY_BYTES / (4 * words))))
  return Array.from({ length: count }, (_, tensor) => {
    const numbers = new Uint32Array(words)
    for (let index = 0; index < words; index += 1) numbers[index] = randomWord(index, SEED + tensor)
    return numbers
  })
}

const exact = (checked: number, failed: number) => exactly(checked, failed, WHAT)

type Times = Readonly<Record<'hostMs' | 'uploadMs' | 'kernelMs' | 'roundTripMs', number>>

/** About how long a window takes. */
export function windowMs(variant: string, steps: number, times: Times): number {
  const { hostMs, uploadMs, kernelMs, roundTripMs } = times
  if (variant === UPLOAD) return steps * (hostMs + uploadMs) + roundTripMs
  return steps * (kernelMs + (variant === DATA ? roundTripMs : 0)) + roundTripMs
}
