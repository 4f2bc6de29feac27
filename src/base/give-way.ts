/** Long work on the page's thread in turns: whoever loops asks after every few rows, and the page draws in between. Times in ms. */

/** Well under a frame of 16 ms, with room for what else the page does. */
const TURN_MS = 8

export interface Turns {
  /** Gives way when the turn is used up. */
  next: () => Promise<void>
}

export function inTurns(
  now: () => number = () => performance.now(),
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, 0)),
  turnMs = TURN_MS,
): Turns {
  let begunMs = now()
  return {
    next: async () => {
      if (now() - begunMs < turnMs) return
      await pause()
      begunMs = now()
    },
  }
}
