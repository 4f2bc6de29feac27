/**
 * WebGPU in the lab's worker and its ranks, and the wire between those, with the taught effect taken out, as a browser could do it that behaved so, or a program that cheats.
 * Which one is in force is switched while the page is open: the device, its pipelines and what was measured of it are used again.
 */
/* oxlint-disable typescript/unbound-method -- methods are taken from prototypes to be wrapped, and called with their this */
import type { Page } from '@playwright/test'
import { prefixWorker, tellRanks } from './worker-prefix'

export type Tampering =
  | 'none'
  /** submit() returns only after the time of the kernels that it starts, and a quarter more. */
  | 'submit-blocks'
  /** What is submitted is kept back, and handed over by one submit when there are 16 command buffers, or the program asks for their end. */
  | 'submits-gathered'
  /** Every second dispatch is left out of what programs run; what sizes and fills is honest. */
  | 'work-skipped'
  /** Nothing is copied out of a staging buffer. */
  | 'uploads-dropped'
  | 'stamps-zero'
  /** Each pass ends before it starts. */
  | 'stamps-swapped'
  | 'stamps-frozen'
  /** Every number of a message is another. */
  | 'messages-garbled'

const CHANNEL = 'tamper'

/** Runs in the worker, before its own script, and in ranks. */
function install(): void {
  // A rank lives for a run: it is told when it starts.
  const { forRanks } = globalThis as { readonly forRanks?: string }
  let tampering = forRanks ?? 'none'
  if (forRanks === undefined) {
    const channel = new BroadcastChannel('tamper')
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      tampering = String(data)
      channel.postMessage(`in force: ${tampering}`)
    }
  }

  // What a submission costs: for each pipeline, the time of a workgroup in submissions that had the device to themselves and were not held
  // up, so that the time until they are done is the device's: those that size and fill, and the first that a program awaits.
  interface Work {
    readonly workgroups: Map<GPUComputePipeline, number>
    isPreparing: boolean
  }
  const pipelines = new WeakMap<GPUComputePassEncoder, GPUComputePipeline>()
  const preparing = /^(calibration|fill|ramp|clock probe|tick|spin)$/
  let dispatched = 0
  let submitted = 0
  const work = new WeakMap<object, Work>()
  const costs = new Map<GPUComputePipeline, { ms: number; groups: number }>()
  const workOf = (of: object): Work => {
    const found = work.get(of) ?? { workgroups: new Map(), isPreparing: false }
    work.set(of, found)
    return found
  }
  /** A program that is held up for less than its kernels take could still run ahead. */
  const LONGER = 1.25

  const { beginComputePass, copyBufferToBuffer, resolveQuerySet, finish } = GPUCommandEncoder.prototype
  const { setPipeline, dispatchWorkgroups } = GPUComputePassEncoder.prototype
  const { submit, onSubmittedWorkDone, writeBuffer } = GPUQueue.prototype
  const { getMappedRange, mapAsync } = GPUBuffer.prototype

  GPUCommandEncoder.prototype.beginComputePass = function (descriptor) {
    const pass = beginComputePass.call(this, descriptor)
    work.set(pass, workOf(this))
    if (preparing.test(descriptor?.label ?? '')) workOf(this).isPreparing = true
    return pass
  }
  GPUComputePassEncoder.prototype.setPipeline = function (pipeline) {
    pipelines.set(this, pipeline)
    setPipeline.call(this, pipeline)
  }
  GPUComputePassEncoder.prototype.dispatchWorkgroups = function (x, y = 1, z = 1) {
    const pipeline = pipelines.get(this)
    if (pipeline) {
      if (tampering === 'work-skipped' && !preparing.test(this.label)) {
        dispatched += 1
        if (dispatched % 2 === 0) return
      }
      const { workgroups } = workOf(this)
      workgroups.set(pipeline, (workgroups.get(pipeline) ?? 0) + x * y * z)
    }
    dispatchWorkgroups.call(this, x, y, z)
  }
  GPUCommandEncoder.prototype.finish = function (descriptor) {
    const buffer = finish.call(this, descriptor)
    work.set(buffer, workOf(this))
    return buffer
  }
  const kept = new Map<GPUQueue, GPUCommandBuffer[]>()
  const handOver = (): void => {
    for (const [queue, buffers] of kept) submit.call(queue, buffers)
    kept.clear()
  }
  GPUQueue.prototype.onSubmittedWorkDone = function () {
    handOver()
    return onSubmittedWorkDone.call(this)
  }
  GPUQueue.prototype.writeBuffer = function (this: GPUQueue, ...args: unknown[]) {
    handOver()
    Reflect.apply(writeBuffer, this, args)
  }
  GPUBuffer.prototype.mapAsync = function (...args) {
    handOver()
    return mapAsync.apply(this, args)
  }

  const set = Uint8Array.prototype.set
  Uint8Array.prototype.set = function (source, at = 0) {
    set.call(this, source, at)
    if (tampering === 'messages-garbled' && source.length >= 4 && this.buffer instanceof SharedArrayBuffer)
      this.fill(0x7f, at, at + source.length) // 3.4e38 each; of large results only samples are checked
  }
  GPUQueue.prototype.submit = function (buffers) {
    const all = [...buffers]
    if (tampering === 'submits-gathered') {
      const gathered = [...(kept.get(this) ?? []), ...all]
      kept.set(this, gathered)
      // No more: a device that is handed all of a window late stands idle, and the one submit takes the time that many did.
      if (gathered.length >= 16) handOver()
      return
    }
    const start = performance.now()
    submit.call(this, all)
    if (tampering !== 'submit-blocks') return
    const works = all.map(workOf)
    const parts = works.flatMap(({ workgroups }) => [...workgroups])
    submitted += 1
    if (!works.some(({ isPreparing }) => isPreparing)) {
      const costOf = ([pipeline, groups]: readonly [GPUComputePipeline, number]): number => {
        const cost = costs.get(pipeline)
        return cost ? (groups * cost.ms) / cost.groups : 0
      }
      const blockMs = LONGER * parts.reduce((sum, part) => sum + costOf(part), 0)
      while (performance.now() - start < blockMs);
      if (blockMs > 0) return
    }
    const [first] = parts
    if (!first || parts.length > 1) return
    const [pipeline, groups] = first
    const mine = submitted
    onSubmittedWorkDone.call(this).then(
      () => {
        if (submitted !== mine) return
        const cost = costs.get(pipeline) ?? { ms: 0, groups: 0 }
        costs.set(pipeline, { ms: cost.ms + performance.now() - start, groups: cost.groups + groups })
      },
      () => undefined,
    )
  }

  const holdTimestamps = new WeakSet<GPUBuffer>()
  GPUCommandEncoder.prototype.resolveQuerySet = function (querySet, first, count, destination, offset) {
    holdTimestamps.add(destination)
    resolveQuerySet.call(this, querySet, first, count, destination, offset)
  }
  GPUCommandEncoder.prototype.copyBufferToBuffer = function (this: GPUCommandEncoder, ...args: unknown[]) {
    const [source, second, third] = args
    const destination = second instanceof GPUBuffer ? second : third
    if (source instanceof GPUBuffer && destination instanceof GPUBuffer) {
      if (holdTimestamps.has(source)) holdTimestamps.add(destination)
      if (tampering === 'uploads-dropped' && (source.usage & GPUBufferUsage.MAP_WRITE) !== 0) return
    }
    Reflect.apply(copyBufferToBuffer, this, args)
  }
  let firstStamp = 0n
  GPUBuffer.prototype.getMappedRange = function (offset, size) {
    const range = getMappedRange.call(this, offset, size)
    if (!holdTimestamps.has(this)) return range
    const stamps = new BigUint64Array(range)
    if (firstStamp === 0n) firstStamp = stamps[0] ?? 0n
    if (tampering === 'stamps-zero') stamps.fill(0n)
    if (tampering === 'stamps-frozen') stamps.fill(firstStamp)
    if (tampering === 'stamps-swapped')
      for (let index = 0; index + 1 < stamps.length; index += 2) stamps.subarray(index, index + 2).reverse()
    return range
  }
}

/** Before the page is opened. */
export const installTampering = (page: Page): Promise<void> => prefixWorker(page, install, install)

/** Resolves when it is in force, in the worker of the page that is open and all ranks to come. */
export async function tamper(page: Page, tampering: Tampering): Promise<void> {
  await tellRanks(page, tampering)
  await page.evaluate(
    ([name, wanted]) =>
      new Promise<void>((resolve) => {
        const channel = new BroadcastChannel(name)
        channel.onmessage = ({ data }) => {
          if (data !== `in force: ${wanted}`) return
          channel.close()
          resolve()
        }
        channel.postMessage(wanted)
      }),
    [CHANNEL, tampering] as const,
  )
}
