/**
 * The two micro-kernels of a roofline, sized from measured rates to passes of a few ms: FMAs in registers, and a copy of buffers
 * larger than the caches. A pass can be repeated at will; `verify` proves that each of them did its work.
 */
import { MIB } from '../../base/units'
import { readWords, USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../engine'
import type { Verification } from '../../trace/report'
import {
  FMA_PEAK_INVOCATIONS,
  FMA_PEAK_MAX_ITERATIONS,
  fmaPeakKernel,
  fmaPeakValue,
  type FmaPeakShape,
} from './fma-peak'
import { streamCopyKernel } from './stream-copy'
import { fillKernel, fillValue } from '../data/fill'
import { kernelCall } from '../kernel'
import { compareSamples, samplePositions } from '../matmul/reference'
import { keepBusy } from './keep-busy'
import { MAX_DISPATCH_MS, timeDispatch, timeEach } from './timing'

export interface DeviceFacts {
  readonly isSoftware: boolean
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  /** The usual matmul kernel's rate, where it is known: sizing then begins near the end. */
  readonly matmulGflops?: number | null
}

export interface RooflineWork {
  /** Name of its passes in the trace. */
  readonly name: string
  readonly flops: number
  readonly bytes: number
  /** Calibrated time of a pass. */
  readonly passMs: number
  /** All of one pass, in order. */
  readonly dispatches: readonly Dispatch[]
  /** Outside measured windows; awaited. */
  readonly reset: () => Promise<void>
  /** After `passes` passes since the last reset. */
  readonly verify: (passes: number) => Promise<Verification>
  /** How it was sized, for the report. */
  readonly derived: Readonly<Record<string, number>>
  readonly release: () => void
}

/** As programs encode it: one pass, annotated with its work. */
export const encodable = (
  { session }: RunContext,
  { name, dispatches, flops, bytes }: RooflineWork,
): { readonly encode: (encoder: GPUCommandEncoder) => void } => ({
  encode: (encoder) => {
    const pass = encoder.beginComputePass({ label: name })
    for (const { pipeline, bindGroup, workgroups } of dispatches) {
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroup)
      pass.dispatchWorkgroups(...workgroups)
    }
    pass.end()
    session.work(pass, { flops, bytes })
  },
})

/** Well above the 65.536 µs that an ordinary visitor's timestamps step by: 1.1 % on 6 ms. */
const PASS_MS = 6
/** At most this much more work in one go: a small dispatch does not fill a large device, so its rate foretells little. */
const GROWTH = 32
const SAMPLES = 64
const SMALLEST: FmaPeakShape = { workgroups: 4, iterations: 4, chains: 1 }
/** Enough for some rounds of all threads on a large GPU, so that a last round that is not full weighs little. */
const MAX_WORKGROUPS = 16384
const MIN_ITERATIONS = 32
export const CHAIN_COUNTS = [1, 2, 4, 8] as const

/** So much of `chains` as takes about `targetMs` at `flopsPerMs`: as many workgroups as may be, then more iterations. Pure. */
export function planFmaPeak(flopsPerMs: number, targetMs: number, chains: number): FmaPeakShape {
  const one = { workgroups: 1, iterations: 1, chains }
  const units = Math.max(1, (flopsPerMs * targetMs) / fmaPeakKernel.flops(one))
  const workgroups = Math.min(MAX_WORKGROUPS, Math.max(1, Math.round(units / MIN_ITERATIONS)))
  const iterations = Math.max(1, Math.round(units / workgroups))
  return { workgroups, iterations: Math.min(FMA_PEAK_MAX_ITERATIONS, iterations), chains }
}

/** Of one dispatch of `prepareLoad`, ms. */
const LOAD_MS = 1

/**
 * Work for all of a device, in registers, that touches nothing of a run's: what is called keeps the device busy for about so many ms, and
 * resolves when its queue is empty. Null where there is no clock to keep up: on a software adapter, or where no rate is known.
 */
export async function prepareLoad(
  context: RunContext,
  { isSoftware, matmulGflops }: Pick<DeviceFacts, 'isSoftware' | 'matmulGflops'>,
): Promise<((forMs: number) => Promise<void>) | null> {
  if (isSoftware || !matmulGflops) return null
  // No kernel multiplies faster than this one with four chains: it takes at most LOAD_MS.
  const shape = planFmaPeak(matmulGflops * 1e6, LOAD_MS, 4)
  const sizeBytes = 4 * FMA_PEAK_INVOCATIONS * shape.workgroups
  const results = await context.buffer('ramp', sizeBytes, USAGE.storage)
  const dispatch = await context.dispatch(kernelCall(fmaPeakKernel, shape), [results])
  return (forMs) => keepBusy(context, dispatch, LOAD_MS, forMs)
}

/** FMAs at the fastest of several numbers of chains. */
export async function prepareFmaPeak(context: RunContext, facts: DeviceFacts): Promise<RooflineWork> {
  const results = await context.buffer(
    'FMA results',
    4 * FMA_PEAK_INVOCATIONS * MAX_WORKGROUPS,
    USAGE.storage | USAGE.copySrc | USAGE.copyDst,
  )
  const dispatchOf = (shape: FmaPeakShape) => context.dispatch(kernelCall(fmaPeakKernel, shape), [results])
  const time = async (shape: FmaPeakShape) => {
    const dispatch = await dispatchOf(shape)
    const { ms } = await timeDispatch(context, dispatch, facts.deviceStepNs)
    context.release(dispatch.uniforms)
    return { ms, flopsPerMs: fmaPeakKernel.flops(shape) / ms }
  }
  // Up to the size with one chain, then every number of chains at that size: the rate of one foretells the others'. Where a matmul's
  // rate is known the first size is near: no kernel multiplies faster than this one.
  let shape = facts.matmulGflops ? planFmaPeak(facts.matmulGflops * 1e6, PASS_MS / 2, 1) : SMALLEST
  let found = await time(shape)
  while (found.ms < PASS_MS / 2) {
    const next = planFmaPeak(found.flopsPerMs, Math.min(PASS_MS, found.ms * GROWTH), shape.chains)
    if (fmaPeakKernel.flops(next) <= fmaPeakKernel.flops(shape)) break
    shape = next
    found = await time(shape)
  }
  const warm = await dispatchOf(shape)
  await keepBusy(context, warm, found.ms)
  context.release(warm.uniforms)
  const shapes = CHAIN_COUNTS.map((chains) => planFmaPeak(found.flopsPerMs, PASS_MS / 2, chains))
  const tried: Dispatch[] = []
  for (const each of shapes) tried.push(await dispatchOf(each))
  const times = await timeEach(context, tried, facts.deviceStepNs)
  for (const { uniforms } of tried) context.release(uniforms)
  const best = shapes.reduce(
    (fastest, { chains }, index) => {
      const flopsPerMs = fmaPeakKernel.flops(shapes[index] ?? shape) / (times[index] ?? Infinity)
      return flopsPerMs > fastest.flopsPerMs ? { chains, flopsPerMs } : fastest
    },
    { chains: 1, flopsPerMs: 0 },
  )
  const sized = planFmaPeak(best.flopsPerMs, PASS_MS, best.chains)
  const dispatch = await dispatchOf(sized)
  const flops = fmaPeakKernel.flops(sized)
  const bytes = fmaPeakKernel.bytes(sized)
  const threads = FMA_PEAK_INVOCATIONS * sized.workgroups
  return {
    name: fmaPeakKernel.id,
    flops,
    bytes,
    passMs: flops / best.flopsPerMs,
    dispatches: [dispatch],
    reset: async () => {
      const encoding = context.queue.encode('clear')
      encoding.clear(results)
      await context.queue.wait(context.queue.submit('clear', [encoding]))
    },
    verify: async () => {
      const positions = samplePositions(1, threads, SAMPLES, sized.iterations).map(([, thread]) => thread)
      const got = new Float32Array((await readWords(context, results, positions)).buffer)
      const expected = positions.map((thread) => fmaPeakValue(thread, sized))
      return {
        ...compareSamples(expected, expected, got, 0),
        what: 'sampled FMA chains against their exact results',
      }
    },
    derived: { fmaChains: sized.chains, fmaIterations: sized.iterations, fmaWorkgroups: sized.workgroups },
    release: () => {
      context.release(dispatch.uniforms)
      context.release(results)
    },
  }
}

/**
 * Two buffers of 256 MiB: ten times the L2 of an H200 (50 MiB), and five times the largest of a desktop card. A page cannot ask how
 * large the caches are. Software adapters get 64 MiB: theirs are a processor's caches, and their memory is slow.
 */
const COPY_BYTES = 256 * MIB
const COPY_BYTES_SOFTWARE = 64 * MIB
const COPY_BYTES_FIRST = 8 * MIB
const SEED = 3
/** To and fro: a pass ends where it began. */
const ROUND_TRIP = 2

interface CopyPair {
  readonly buffers: readonly [OwnedBuffer, OwnedBuffer]
  readonly dispatches: readonly [Dispatch, Dispatch]
  readonly shape: { readonly count4: number; readonly addend: number }
}

async function copyPair(context: RunContext, sizeBytes: number): Promise<CopyPair> {
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const one = await context.buffer('copy, one side', sizeBytes, usage)
  const other = await context.buffer('copy, other side', sizeBytes, usage)
  const shape = { count4: sizeBytes / 16, addend: 1 }
  const call = kernelCall(streamCopyKernel, shape)
  const there = await context.dispatch(call, [one, other])
  const back = await context.dispatch(call, [other, one])
  return { buffers: [one, other], dispatches: [there, back], shape }
}

function releasePair(context: RunContext, { buffers, dispatches }: CopyPair): void {
  for (const { uniforms } of dispatches) context.release(uniforms)
  for (const buffer of buffers) context.release(buffer)
}

/** A copy as large as the limits and 50 ms a dispatch allow. */
export async function prepareStreamCopy(context: RunContext, facts: DeviceFacts): Promise<RooflineWork> {
  const { limits } = context.device
  const allowed = Math.min(
    limits['maxStorageBufferBindingSize'] ?? 2 ** 27,
    limits['maxBufferSize'] ?? 2 ** 28,
  )
  const wanted = Math.min(
    facts.isSoftware ? COPY_BYTES_SOFTWARE : COPY_BYTES,
    2 ** Math.floor(Math.log2(allowed)),
  )
  const time = async ({ dispatches: [there] }: CopyPair) =>
    (await timeDispatch(context, there, facts.deviceStepNs)).ms
  let sizeBytes = Math.min(COPY_BYTES_FIRST, wanted)
  let pair = await copyPair(context, sizeBytes)
  let ms = await time(pair)
  while (sizeBytes < wanted && ms * 2 <= MAX_DISPATCH_MS) {
    const factor = 2 ** Math.floor(Math.log2(Math.min(MAX_DISPATCH_MS / ms, wanted / sizeBytes, GROWTH)))
    releasePair(context, pair)
    sizeBytes *= factor
    pair = await copyPair(context, sizeBytes)
    ms = await time(pair)
  }
  const { buffers, dispatches, shape } = pair
  const trips = Math.max(1, Math.round(PASS_MS / (ROUND_TRIP * ms)))
  const copies = ROUND_TRIP * trips
  const fill = await context.dispatch(kernelCall(fillKernel, { count: sizeBytes / 4, seed: SEED }), [
    buffers[0],
  ])
  const bytes = copies * streamCopyKernel.bytes(shape)
  const flops = copies * streamCopyKernel.flops(shape)
  return {
    name: streamCopyKernel.id,
    flops,
    bytes,
    passMs: copies * ms,
    dispatches: Array.from({ length: trips }, () => dispatches).flat(),
    reset: async () => {
      const encoding = context.queue.encode('fill')
      encoding.pass('fill', [fill])
      await context.queue.wait(context.queue.submit('fill', [encoding]))
      await context.queue.collect()
    },
    verify: async (passes) => {
      const words = samplePositions(1, sizeBytes / 4, SAMPLES, passes).map(([, word]) => word)
      const got = new Float32Array((await readWords(context, buffers[0], words)).buffer)
      const added = passes * copies
      const expected = words.map((word) => fillValue(word, SEED) + added)
      // Each addition may round by half a unit in the last place of at most added + 1; a copy left out would be off by 1.
      const scale = words.map(() => added + 1)
      return {
        ...compareSamples(expected, scale, got, (added + 1) * 2 ** -24),
        what: 'sampled words of the copy, larger by 1 for each copy made',
      }
    },
    derived: { copyBufferBytes: sizeBytes, copiesPerPass: copies },
    release: () => {
      context.release(fill.uniforms)
      releasePair(context, pair)
    },
  }
}
