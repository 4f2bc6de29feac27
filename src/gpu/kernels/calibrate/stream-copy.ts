/**
 * The slope of a roofline: a copy to and fro between buffers larger than the caches, whose words
 * count the copies.
 */
import text from '../../../../shaders/calibrate/stream-copy.wgsl?raw'
import { MIB } from '../../../base/figures'
import { encodePass, readWords, STORAGE, type RunContext } from '../..'
import { fillKernel, fillValue } from '../data/fill'
import { kernelCall, ceilDivide, kernelOf, packUniforms } from '../kernel'
import { compareSamples, samplePositions } from '../matmul/reference'
import { PASS_MS, SAMPLES, type DeviceFacts, type RooflineWork } from './roofline'
import { timeDispatch } from './timing'

interface StreamCopyShape {
  /** Vectors of four f32, 16 bytes each. */
  readonly count4: number
  /** Small and whole, so that f32 counts exactly. */
  readonly addend: number
}

const INVOCATIONS = 256
/** 1M threads fill any device; each strides over what is left. */
const MAX_WORKGROUPS = 4096

/** @internal */
export const streamCopyKernel = kernelOf<StreamCopyShape>('calibrate/stream-copy', text, {
  uniforms: ({ count4, addend }) => packUniforms(['u32', count4], ['f32', addend]),
  workgroups: ({ count4 }) => [Math.min(MAX_WORKGROUPS, ceilDivide(count4, INVOCATIONS)), 1, 1],
})

/** Operations of a copy, and the bytes that it moves, both ways. @internal */
export const streamCopyWork = ({ count4 }: StreamCopyShape) => ({ flops: 4 * count4, bytes: 2 * 16 * count4 })

/**
 * Two buffers of 256 MiB: ten times the L2 of an H200 (50 MiB), and five times the largest of a
 * desktop card. A page cannot ask how large the caches are. Software adapters get 64 MiB: theirs
 * are a processor's caches, and their memory is slow.
 */
const COPY_BYTES = 256 * MIB
const COPY_BYTES_SOFTWARE = 64 * MIB
const SEED = 3
/** To and fro: a pass ends where it began. */
const ROUND_TRIP = 2

/** A copy as large as the limits allow. */
export async function prepareStreamCopy(context: RunContext, facts: DeviceFacts): Promise<RooflineWork> {
  const { limits } = context.device
  const allowed = Math.min(
    limits['maxStorageBufferBindingSize'] ?? 2 ** 27,
    limits['maxBufferSize'] ?? 2 ** 28,
  )
  const sizeBytes = Math.min(
    facts.isSoftware ? COPY_BYTES_SOFTWARE : COPY_BYTES,
    2 ** Math.floor(Math.log2(allowed)),
  )
  const one = await context.buffer('copy, one side', sizeBytes, STORAGE)
  const other = await context.buffer('copy, other side', sizeBytes, STORAGE)
  const shape = { count4: sizeBytes / 16, addend: 1 }
  const call = kernelCall(streamCopyKernel, shape)
  const there = await context.dispatch(call, [one, other])
  const back = await context.dispatch(call, [other, one])
  const { ms } = await timeDispatch(context, there, facts.deviceStepNs)
  const trips = Math.max(1, Math.round(PASS_MS / (ROUND_TRIP * ms)))
  const copies = ROUND_TRIP * trips
  const fill = await context.dispatch(kernelCall(fillKernel, { count: sizeBytes / 4, seed: SEED }), [one])
  const { flops, bytes } = streamCopyWork(shape)
  return {
    name: 'stream-copy',
    flops: copies * flops,
    bytes: copies * bytes,
    passMs: copies * ms,
    dispatches: Array.from({ length: trips }, () => [there, back]).flat(),
    reset: async () => {
      await context.queue.run('fill', (encoder) => encodePass(encoder, 'fill', [fill]))
      await context.queue.collect()
    },
    verify: async (passes) => {
      const words = samplePositions(1, sizeBytes / 4, SAMPLES, passes).map(([, word]) => word)
      const got = new Float32Array((await readWords(context, one, words)).buffer)
      const added = passes * copies
      // Each addition may round by half a unit in the last place of at most added + 1; a copy left
      // out would be off by 1.
      const expected = words.map((word) => ({ value: fillValue(word, SEED) + added, scale: added + 1 }))
      return {
        ...compareSamples(expected, got, (added + 1) * 2 ** -24),
        what: 'sampled words of the copy, larger by 1 for each copy made',
      }
    },
    derived: { copyBufferBytes: sizeBytes, copiesPerPass: copies },
  }
}
