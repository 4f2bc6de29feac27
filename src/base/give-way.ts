/**
 * Long work of a worker rests while the visitor moves through what is already shown: on two cores
 * its threads take the time of the page's frames. The page counts inputs in memory that both share;
 * loops of the work call `giveWay`. Where memory can't be shared the work never rests.
 */
import { allocate, sharesMemory } from './shared-memory'

/** A pause of the visitor's that is longer ends the rest. */
const STILL_MS = 150
/** All rests together: a visitor who never stops gets the answer this much later. */
const MOST_REST_MS = 15_000

/** A pointer that moves counts while it drags. */
const INPUTS = ['wheel', 'pointerdown', 'pointermove', 'keydown'] as const

/** Counts inputs until the signal aborts; undefined where memory can't be shared. */
export function countInputs(signal: AbortSignal): Int32Array | undefined {
  if (!sharesMemory()) return undefined
  const inputs = new Int32Array(allocate(Int32Array.BYTES_PER_ELEMENT))
  const count = (event: Event) => {
    if (event.type !== 'pointermove' || (event as PointerEvent).buttons !== 0) Atomics.add(inputs, 0, 1)
  }
  for (const type of INPUTS) addEventListener(type, count, { capture: true, passive: true, signal })
  return inputs
}

/** Rests whenever the count has changed since the last call. `wait` is a parameter for tests. */
export function restWhile(
  inputs: Int32Array,
  wait: (count: number) => void = (count) => void Atomics.wait(inputs, 0, count, STILL_MS),
): () => void {
  let seen = Atomics.load(inputs, 0)
  let leftMs = MOST_REST_MS
  return () => {
    while (leftMs > 0) {
      const count = Atomics.load(inputs, 0)
      if (count === seen) return
      seen = count
      wait(count)
      leftMs -= STILL_MS
    }
  }
}

let rest: (() => void) | null = null

/** From now on `giveWay` rests so. */
export function restBy(how: () => void): void {
  rest = how
}

export const giveWay = (): void => rest?.()

/** Well under a frame of 16 ms, with room for what else the page does. */
const SLICE_MS = 8

/** Lets the event loop run where the slice is used up. */
export type YieldIfDue = () => Promise<void>

/**
 * For long work on the main thread, cut into slices: a loop asks after every few rows, and the page
 * draws in between. Times in ms.
 */
export function createYielder(
  now: () => number = () => performance.now(),
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, 0)),
  sliceMs = SLICE_MS,
): YieldIfDue {
  let begunMs = now()
  return async () => {
    if (now() - begunMs < sliceMs) return
    await pause()
    begunMs = now()
  }
}
