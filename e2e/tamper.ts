/**
 * WebGPU in the lab's worker with the taught effect taken out, as a browser could do it that behaved so, or a program that cheats.
 * Which one is in force is switched while the page is open: the device, its pipelines and what was measured of it are used again.
 */
/* eslint-disable @typescript-eslint/unbound-method -- methods are taken from prototypes to be wrapped, and called with their this */
import type { Page } from '@playwright/test'
import { prefixWorker } from './worker-prefix'

export const TAMPERINGS = [
  'none',
  /** submit() returns only after about the time of the kernels that it starts. */
  'submit-blocks',
  /** Every second dispatch is left out of what programs run; what sizes and fills is honest. */
  'work-skipped',
  /** Nothing is copied out of a staging buffer. */
  'uploads-dropped',
  'stamps-zero',
  /** Each pass ends before it starts. */
  'stamps-swapped',
  'stamps-frozen',
] as const
export type Tampering = (typeof TAMPERINGS)[number]

const CHANNEL = 'tamper'

/** Runs in the worker, before its own script. */
function install(): void {
  let tampering = 'none'
  const channel = new BroadcastChannel('tamper')
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    tampering = String(data)
    channel.postMessage(`in force: ${tampering}`)
  }

  // What a submission costs: for each pipeline, the shortest time of a workgroup so far.
  interface Work {
    readonly workgroups: Map<GPUComputePipeline, number>
  }
  const pipelines = new WeakMap<GPUComputePassEncoder, GPUComputePipeline>()
  const preparing = /^(calibration|fill|ramp|clock probe|tick|spin)$/
  let dispatched = 0
  const work = new WeakMap<object, Work>()
  const costMs = new Map<GPUComputePipeline, number>()
  const workOf = (of: object): Work => {
    const found = work.get(of) ?? { workgroups: new Map() }
    work.set(of, found)
    return found
  }

  const { beginComputePass, copyBufferToBuffer, resolveQuerySet, finish } = GPUCommandEncoder.prototype
  const { setPipeline, dispatchWorkgroups } = GPUComputePassEncoder.prototype
  const { submit, onSubmittedWorkDone } = GPUQueue.prototype
  const { getMappedRange } = GPUBuffer.prototype

  GPUCommandEncoder.prototype.beginComputePass = function (descriptor) {
    const pass = beginComputePass.call(this, descriptor)
    work.set(pass, workOf(this))
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
  GPUQueue.prototype.submit = function (buffers) {
    const all = [...buffers]
    const start = performance.now()
    submit.call(this, all)
    if (tampering !== 'submit-blocks') return
    const parts = all.flatMap((buffer) => [...workOf(buffer).workgroups])
    const blockMs = parts.reduce((sum, [pipeline, groups]) => sum + groups * (costMs.get(pipeline) ?? 0), 0)
    while (performance.now() - start < blockMs);
    const [first] = parts
    if (!first || parts.length > 1) return
    const [pipeline, groups] = first
    onSubmittedWorkDone.call(this).then(
      () => {
        const ms = (performance.now() - start) / groups
        costMs.set(pipeline, Math.min(ms, costMs.get(pipeline) ?? ms))
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
export const installTampering = (page: Page): Promise<void> => prefixWorker(page, install)

/** Resolves when it is in force, in the worker of the page that is open. */
export async function tamper(page: Page, tampering: Tampering): Promise<void> {
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
