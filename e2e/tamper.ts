/**
 * WebGPU in the lab's worker with the taught effect taken out, as a browser could do it that behaved so, or a program that cheats. Which one
 * is in force is switched while the page is open: the device, its pipelines and what was measured of it are used again.
 */
/* oxlint-disable typescript/unbound-method -- methods are taken from prototypes to be wrapped, and called with their this */
import type { Page } from '@playwright/test'
import { prefixWorker } from './worker-prefix'

export type Tampering =
  | 'none'
  /** Every second dispatch is left out of what programs run; what sizes and fills is honest. */
  | 'work-skipped'
  /** Nothing is copied out of a staging buffer. */
  | 'uploads-dropped'
  | 'stamps-zero'
  /** Each pass ends before it starts. */
  | 'stamps-swapped'
  | 'stamps-frozen'

/** Runs in the worker, before its own script. */
function install(): void {
  let tampering = 'none'
  const channel = new BroadcastChannel('tamper')
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    tampering = String(data)
    channel.postMessage(`in force: ${tampering}`)
  }

  const preparing = /^(calibration|fill|ramp|clock probe|tick|spin)$/
  let dispatched = 0
  const { copyBufferToBuffer, resolveQuerySet } = GPUCommandEncoder.prototype
  const { dispatchWorkgroups } = GPUComputePassEncoder.prototype
  const { getMappedRange } = GPUBuffer.prototype

  GPUComputePassEncoder.prototype.dispatchWorkgroups = function (...counts) {
    if (tampering === 'work-skipped' && !preparing.test(this.label)) {
      dispatched += 1
      if (dispatched % 2 === 0) return
    }
    dispatchWorkgroups.apply(this, counts)
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
    (wanted) =>
      new Promise<void>((resolve) => {
        const channel = new BroadcastChannel('tamper')
        channel.onmessage = ({ data }) => {
          if (data !== `in force: ${wanted}`) return
          channel.close()
          resolve()
        }
        channel.postMessage(wanted)
      }),
    tampering,
  )
}
