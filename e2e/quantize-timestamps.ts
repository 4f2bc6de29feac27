/**
 * The timestamps of an ordinary visitor, on the software adapter. Chrome offers that adapter only with --enable-unsafe-webgpu, and
 * that flag turns quantization off for good: with Chromium 156 and `--enable-dawn-features=timestamp_quantization` the toggle stands
 * in both lists of chrome://gpu, required on and required off, and off wins. So the worker's script is given what Dawn's resolve does
 * to each timestamp: the low 16 bits are cleared.
 */
/* oxlint-disable typescript/unbound-method -- methods are taken from prototypes to be wrapped, and called with their this */
import type { Page } from '@playwright/test'
import { prefixWorker } from './worker-prefix'

export const QUANTUM_NS = 65_536

/** Runs in the worker, before its own script. Follows the timestamps: query set → resolve buffer → copies of it → mapped range. */
function installQuantization(): void {
  const holdTimestamps = new WeakSet<GPUBuffer>()
  const { resolveQuerySet, copyBufferToBuffer } = GPUCommandEncoder.prototype
  const { getMappedRange } = GPUBuffer.prototype
  GPUCommandEncoder.prototype.resolveQuerySet = function (querySet, first, count, destination, offset) {
    holdTimestamps.add(destination)
    resolveQuerySet.call(this, querySet, first, count, destination, offset)
  }
  GPUCommandEncoder.prototype.copyBufferToBuffer = function (this: GPUCommandEncoder, ...args: unknown[]) {
    const [source, second, third] = args
    const destination = second instanceof GPUBuffer ? second : third
    if (source instanceof GPUBuffer && destination instanceof GPUBuffer && holdTimestamps.has(source)) {
      holdTimestamps.add(destination)
    }
    Reflect.apply(copyBufferToBuffer, this, args)
  }
  GPUBuffer.prototype.getMappedRange = function (offset, size) {
    const range = getMappedRange.call(this, offset, size)
    if (holdTimestamps.has(this)) {
      const timestamps = new BigUint64Array(range)
      for (const [index, timestamp] of timestamps.entries()) timestamps[index] = timestamp & ~0xffffn
    }
    return range
  }
}

export const quantizeTimestamps = (page: Page): Promise<void> => prefixWorker(page, installQuantization)
