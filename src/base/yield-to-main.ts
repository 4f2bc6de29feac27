/**
 * Long work on the main thread, cut into slices: a loop asks after every few rows, and the page
 * draws in between. Times in ms.
 */

/** Well under a frame of 16 ms, with room for what else the page does. */
const SLICE_MS = 8

export interface Yielder {
  /** Lets the event loop run where the slice is used up. */
  yieldIfDue: () => Promise<void>
}

export function createYielder(
  now: () => number = () => performance.now(),
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, 0)),
  sliceMs = SLICE_MS,
): Yielder {
  let begunMs = now()
  return {
    yieldIfDue: async () => {
      if (now() - begunMs < sliceMs) return
      await pause()
      begunMs = now()
    },
  }
}
