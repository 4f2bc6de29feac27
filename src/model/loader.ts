/**
 * A loader's workers beside the host, for a play: batch i is made by worker i mod `workers`, one
 * after the other, each on a core of its own. In which order they are asked for and taken is the
 * lab's ring, as it is. A batch is handed over by a message, without a copy.
 */
import { BatchRing } from '../lab/batch-ring'
import type { Batches } from '../lab/loader'
import type { Machine } from './machine'

export interface ModelledWorkers {
  readonly workers: number
  readonly makeNs: number
  /** Batches ahead of the program at most, of all workers together. */
  readonly ahead: number
  readonly bytes: number
}

/** @param made called when a worker is given its next batch, with the times of its making */
export function loaderOn(
  { clock, profile }: Machine,
  { workers, makeNs, ahead, bytes }: ModelledWorkers,
  made: (worker: number, startNs: number, endNs: number) => void,
): Batches {
  const { messageNs } = profile.process
  const freeNs = Array.from({ length: workers }, () => 0)
  const ring = new BatchRing(ahead, bytes, (index, memory) => {
    const worker = index % workers
    const startNs = Math.max(clock.now + messageNs, freeNs[worker] ?? 0)
    const endNs = startNs + makeNs
    freeNs[worker] = endNs
    made(worker, startNs, endNs)
    clock.task(endNs + messageNs, () => {
      ring.arrived(index, memory)
    })
  })
  return {
    start: (count) => {
      ring.start(count, ahead)
    },
    next: async () => ring.take() ?? (await ring.wait()),
    giveBack: (batch) => {
      ring.giveBack(batch)
    },
  }
}
