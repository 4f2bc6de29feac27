/** Sizes a batch by the measured time of a write. Times are in ms. */
import { MIB } from '../../base/figures'
import type { RunContext } from '../../gpu'
import { awaitedWriteMs } from '../../lab/awaited-write'
import { REPEAT_WARM_UP } from '../../trace/schema'

/**
 * Some periods in which Chromium reports completion (2 ms and then every 1), so that the bytes
 * count and not the report.
 */
const TARGET_MS = 20
const NEAR_ENOUGH = 0.7
const LEAST_BYTES = MIB
const MOST_BYTES = 32 * MIB
/** Nothing bounds what writeBuffer() queues (crbug 42240396): the lab does. */
const MOST_QUEUED_BYTES = 512 * MIB

/**
 * `writeMs`: of one batch by writeBuffer(), without the report of its end. Doubles the batch until
 * its bytes take long enough to be distinguished from the report; `batchMiB` > 0 is a size that was
 * asked for.
 */
export async function sizeBatch(context: RunContext, batchMiB: number) {
  const { maxBufferSize = MOST_BYTES, maxStorageBufferBindingSize = MOST_BYTES } = context.device.limits
  const most = Math.min(MOST_BYTES, maxBufferSize, maxStorageBufferBindingSize)
  context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
  const reportMs = await awaitedWriteMs(context)
  for (
    let batchBytes = batchMiB > 0 ? Math.round((batchMiB * MIB) / 4) * 4 : LEAST_BYTES;
    ;
    batchBytes *= 2
  ) {
    const writeMs = Math.max(0, (await awaitedWriteMs(context, batchBytes)) - reportMs)
    if (batchMiB > 0 || writeMs >= NEAR_ENOUGH * TARGET_MS || 2 * batchBytes > most)
      return { batchBytes, writeMs }
  }
}

/** Batches of a window, at most as many as may be queued at once. */
export const mostSteps = (asked: number, batchBytes: number): number =>
  Math.max(2, Math.min(asked, Math.floor(MOST_QUEUED_BYTES / batchBytes)))
