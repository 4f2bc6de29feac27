/**
 * Pauses that nothing names. Between two operators PyTorch's front end needs some µs of Python: so
 * much of a pause is dispatch. The rest is the reader's code where it comes in most steps or has a
 * function; a pause that comes once has no name.
 */
import { SPAN_KINDS } from '../../trace/schema'
import type { Draft, DraftStretch } from './draft'
import { MAIN_THREAD } from './program'

const WINDOW = SPAN_KINDS.indexOf('window')
/** PyTorch's front end takes as much in Python between two operators, under the profiler. */
const FRONT_END_NS = 50_000
/** The same on a thread that did not start the profiler: the operators are not recorded either. */
const UNRECORDED_NS = 200_000
/** A pause of Python's garbage collector takes 2 to 300 ms. */
const LONG_PAUSE_NS = 2_000_000
/** Pauses in one place of the program are alike from this share of a length on. */
const ALIKE = 1 / 4

/** The longest pause of a thread that the dispatch of an operator explains. */
export const dispatchNs = ({ bareThreads }: Draft, thread: number): number =>
  bareThreads.has(thread) ? UNRECORDED_NS : FRONT_END_NS

/** @param blanks indices of stretches. @returns all stretches, with the rests of long pauses */
export function shareBlanks(draft: Draft, blanks: readonly number[]): readonly DraftStretch[] {
  const { stretches, edgesNs } = draft
  const steps = edgesNs.length - 1
  const places = new Places(draft)
  const long: number[] = []
  let step = 0
  for (const index of blanks) {
    const stretch = stretches[index]
    if (!stretch) continue
    if (stretch.lengthNs <= dispatchNs(draft, stretch.thread)) {
      stretch.cause = 'dispatch'
      continue
    }
    // What a thread beside the main one waits for is found later (tie-threads.ts).
    if (stretch.thread !== MAIN_THREAD && stretch.at < 0) {
      stretch.cause = null
      continue
    }
    while (step < steps - 1 && (edgesNs[step + 1] ?? Infinity) <= stretch.startNs) step += 1
    places.add(index, step, stretch.lengthNs)
    long.push(index)
  }
  if (long.length === 0) return stretches
  const rests = new Map<number, DraftStretch>()
  for (const index of long) {
    const stretch = stretches[index]
    if (!stretch) continue
    const isUsual = places.stepsLike(index, stretch.lengthNs) >= Math.max(2, steps / 2)
    // Once and many times longer than elsewhere: the function was interrupted.
    const isPause = !isUsual && steps >= 3 && stretch.lengthNs > LONG_PAUSE_NS
    rests.set(index, splitOff(stretch, isUsual, isPause))
  }
  const all: DraftStretch[] = []
  for (const [index, stretch] of stretches.entries()) {
    const rest = rests.get(index)
    all.push(stretch)
    if (rest) all.push(rest)
  }
  // If threads run side by side, a rest may begin after another thread's next stretch.
  return draft.threads > 1 ? all.sort((a, b) => a.startNs - b.startNs) : all
}

/** Leaves the front end's part, as dispatch, and returns the rest. */
function splitOff(stretch: DraftStretch, isUsual: boolean, isPause: boolean): DraftStretch {
  const hasCode = stretch.code >= 0 && !isPause
  const rest: DraftStretch = {
    ...stretch,
    startNs: stretch.startNs + FRONT_END_NS,
    lengthNs: stretch.lengthNs - FRONT_END_NS,
    launches: [],
    isUnrecorded: !hasCode,
    cause: hasCode || isUsual ? 'host-code' : 'unknown',
  }
  stretch.endNs = rest.startNs
  stretch.lengthNs = FRONT_END_NS
  stretch.cause = 'dispatch'
  return rest
}

/** Pauses by their place in the program: between which two names they are. */
class Places {
  readonly #draft: Draft
  /** By name before and name after; then by step, its longest pause there, ns. */
  readonly #longest = new Map<number, Map<number, number>>()
  readonly #placeOf = new Map<number, number>()
  /** By name before, where the last pause was that a name follows. */
  readonly #lastAfter = new Map<number, number>()

  constructor(draft: Draft) {
    this.#draft = draft
  }

  add(index: number, step: number, lengthNs: number): void {
    const place = this.#find(index)
    this.#placeOf.set(index, place)
    const longest = this.#longest.get(place) ?? new Map<number, number>()
    this.#longest.set(place, longest)
    longest.set(step, Math.max(lengthNs, longest.get(step) ?? 0))
  }

  /** In how many steps a pause in the same place is as long, or nearly. */
  stepsLike(index: number, lengthNs: number): number {
    let steps = 0
    for (const longestNs of this.#longest.get(this.#placeOf.get(index) ?? -1)?.values() ?? [])
      if (longestNs >= ALIKE * lengthNs) steps += 1
    return steps
  }

  /**
   * The last pause of a file has no name after it, and is where pauses after the same name were.
   */
  #find(index: number): number {
    const names = this.#draft.placed.trace.strings.length + 1
    const before = this.#nameNext(index, -1)
    const after = this.#nameNext(index, 1)
    const place = (before + 1) * names + after + 1
    if (after < 0) return this.#lastAfter.get(before) ?? place
    this.#lastAfter.set(before, place)
    return place
  }

  #nameNext(index: number, by: 1 | -1): number {
    const { stretches, placed, names } = this.#draft
    for (let at = index + by; at >= 0 && at < stretches.length; at += by) {
      const span = stretches[at]?.span ?? -1
      if (span >= 0 && placed.trace.spans.kind[span] !== WINDOW) return names.idOf(span)
    }
    return -1
  }
}
