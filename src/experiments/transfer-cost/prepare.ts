/**
 * Makes what is carried, plans sizes and pieces by a measured wait, and checks on the device, bit
 * for bit on samples, what has arrived.
 */
import { FaultError } from '../../base/fault'
import { encodePass, STORAGE, readAll } from '../../gpu'
import { fillKernel, fillValue } from '../../gpu/kernels/data/fill'
import { GATHER_WORDS, gatherKernel, gatherPosition } from '../../gpu/kernels/data/gather'
import { kernelCall } from '../../gpu/kernels/kernel'
import { awaitedWriteMs } from '../../lab/awaited-write'
import { exactly } from '../../lab/check-product'
import { createOperands } from '../../lab/operands'
import { createReadback } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import { REPEAT_WARM_UP } from '../../trace/schema'
import type { Prepare, Variant } from '../run-types'
import type { transferCost } from './meta'
import { planTransfers } from './plan'
import { writeCounts } from '../evidence'
import { bytesOf, DOWN, transferOf, WHOLE } from './variants'

/** Contents before they come round again: what an earlier window left behind is found wrong. */
const CYCLE = 8
/**
 * Outside windows the frame round them has a browser report ends about so soon
 * (measure-programs.ts).
 */
const HURRIED_MS = 8
const WHAT = 'words of all that was carried, bit for bit'

export const prepare: Prepare<typeof transferCost> = async (context, values, services, variants) => {
  const { device, queue } = context
  const { limits } = device
  const mostBytes = Math.min(
    limits['maxBufferSize'] ?? 2 ** 28,
    limits['maxStorageBufferBindingSize'] ?? 2 ** 27,
  )
  context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
  const latencyMs = await awaitedWriteMs(context)
  const aroundMs = Math.min(HURRIED_MS, services.roundTripMs)
  const pieceBytes = values.pieceKiB * 2 ** 10
  const plan = planTransfers({ ...values, pieceBytes }, latencyMs, aroundMs, mostBytes)
  const { sizes, pieces, repeats } = plan
  if (sizes.length === 0)
    throw new FaultError({
      code: 'limit',
      message: `The smallest of these transfers is larger than a buffer of this device may be.`,
      hint: 'Choose a smaller size.',
      data: { allowed: mostBytes },
    })
  const largest = Math.max(pieces * pieceBytes, ...sizes.map(bytesOf))
  const words = largest / 4
  const target = await context.buffer('target', largest, STORAGE)
  const gathered = await context.buffer('gathered', 4 * GATHER_WORDS, STORAGE)
  const readback = await createReadback(context, largest)
  const contents = createOperands(words, CYCLE, 5)
  const host = new Float32Array(new ArrayBuffer(largest))

  let next = 0
  const positions = (seed: number, count: number): readonly number[] =>
    Array.from({ length: GATHER_WORDS }, (_, index) => gatherPosition(index, seed, count))
  const compare = (expected: readonly number[], got: Float32Array): Verification =>
    exactly(expected.length, expected.filter((value, index) => !Object.is(got[index], value)).length, WHAT)

  const up = (name: string, bytes: number, count: number): Variant => {
    const each = bytes / 4
    let carried = 0
    const none: readonly Float32Array[] = []
    const input = { target: target.gpu, bytes, parts: none }
    return {
      name,
      input,
      stamping: 'none',
      before: async () => {
        next += 1
        carried = next % CYCLE
        const content = contents.of(carried)
        input.parts = Array.from({ length: count }, (_, part) =>
          content.subarray(part * each, (part + 1) * each),
        )
        await queue.clear(gathered)
      },
      check: async () => {
        const seed = next
        const shape = { wordCount: count * each, seed, outOffset: 0 }
        const dispatch = await context.dispatch(kernelCall(gatherKernel, shape), [target, gathered])
        queue.submit('arrived?', (encoder) => encodePass(encoder, 'arrived?', [dispatch]))
        const got = await readAll(context, gathered.gpu, GATHER_WORDS)
        context.release(dispatch.uniforms)
        const expected = positions(seed, count * each).map((at) => contents.valueAt(carried, at))
        return compare(expected, new Float32Array(got.buffer))
      },
    }
  }
  const down = (name: string, bytes: number, count: number): Variant => {
    let seed = 0
    const carried = (count * bytes) / 4
    return {
      name,
      stamping: 'none',
      input: { transfers: count, target: target.gpu, bytes, readback, host },
      before: async () => {
        next += 1
        seed = next
        for (const at of positions(seed, carried)) host[at] = Number.NaN
        const fill = await context.dispatch(kernelCall(fillKernel, { count: carried, seed }), [target])
        await queue.run('fill', (encoder) => encodePass(encoder, 'fill', [fill]))
        context.release(fill.uniforms)
      },
      check: () => {
        const sampled = positions(seed, carried)
        const got = Float32Array.from(sampled, (at) => host[at] ?? Number.NaN)
        return Promise.resolve(
          compare(
            sampled.map((at) => fillValue(at, seed)),
            got,
          ),
        )
      },
    }
  }
  const ready = variants.flatMap((name): Variant[] => {
    const sized = transferOf(name)
    if (!sized) return [name === WHOLE ? up(name, pieces * pieceBytes, 1) : up(name, pieceBytes, pieces)]
    const count = plan.transfers.get(name)
    if (count === undefined) return []
    return [sized.direction === DOWN ? down(name, sized.bytes, count) : up(name, sized.bytes, count)]
  })
  return {
    derived: {
      pieces,
      transfers: writeCounts(plan.transfers),
    },
    repeats,
    variants: ready,
  }
}
