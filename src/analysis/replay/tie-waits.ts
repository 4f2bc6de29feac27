/**
 * Finds what the host waits for: the work that must have ended, or begun, before a call returns.
 */
import { FLOW_KINDS } from '../../trace/schema'
import { callUseOf } from '../../trace/vendors'
import { PAGEABLE, TO_HOST } from './span-names'
import type { Draft, DraftStretch } from './draft'
import { orderStatistic } from '../../base/stats'
import { LATE_NS } from './tie-work'

const SYNC = FLOW_KINDS.indexOf('sync')
/** Host time of a wait for what has ended: PyTorch's synchronize calls take 2 to 5 µs then. */
const CALL_NS = 3_000
/** Launches in flight that are fewer than this fill no queue; CUDA's holds about 1,000. */
const FULL_QUEUE = 500
/**
 * The number of launches before one that give its usual length.
 */
const RECENT = 100
const LEAST_RECENT = 10
/** Work launched before an event's record, of which the wait may show which it stands for. */
const MOST_LOOKS = 4096

const NOTHING: readonly number[] = []

/** The launches so far, while the stretches are walked through. */
class Launched {
  /** By stream, and by thread: the work that was launched last. */
  readonly lastOn = new Map<number, number>()
  readonly lastBy: number[] = []
  /** By thread: the work before the last record of an event. */
  readonly recordedBy: number[] = []
  readonly lengthsNs: number[] = []
  readonly #work: Draft['work']

  constructor(work: Draft['work']) {
    this.#work = work
  }

  add({ launches, thread, lengthNs }: DraftStretch): void {
    if (launches.length === 0) return
    for (const work of launches) this.lastOn.set(this.#work[work]?.stream ?? 0, work)
    this.lastBy[thread] = launches.at(-1) ?? -1
    this.lengthsNs.push(lengthNs)
  }
}

export function tieWaits(draft: Draft): void {
  new WaitTier(draft).tie()
}

class WaitTier {
  readonly #draft: Draft
  readonly #launched: Launched
  readonly #explicit: ReadonlyMap<number, number>
  readonly #isOf: Readonly<
    Record<
      'all' | 'event' | 'record' | 'free' | 'blocking' | 'toHost' | 'pageable',
      (span: number) => boolean
    >
  >

  constructor(draft: Draft) {
    this.#draft = draft
    this.#launched = new Launched(draft.work)
    this.#explicit = explicitWaits(draft)
    const { names } = draft
    this.#isOf = {
      all: names.asked((name) => callUseOf(name) === 'wait-device'),
      event: names.asked((name) => callUseOf(name) === 'wait-event'),
      record: names.asked((name) => callUseOf(name) === 'record-event'),
      free: names.asked((name) => callUseOf(name) === 'free'),
      blocking: names.asked((name) => callUseOf(name) === 'blocking-copy'),
      toHost: names.matching(TO_HOST),
      pageable: names.matching(PAGEABLE),
    }
  }

  tie(): void {
    const notices: number[] = []
    const open: DraftStretch[] = []
    const seen = new Set<number>()
    for (const stretch of this.#draft.stretches) {
      const { span, thread } = stretch
      if (span >= 0 && !seen.has(span)) {
        const awaits = this.#awaitsOf(stretch)
        const { lastBy, recordedBy } = this.#launched
        if (this.#isOf.record(span)) recordedBy[thread] = lastBy[thread] ?? -1
        if (awaits.length === 0) this.#holdByQueue(stretch)
        else {
          seen.add(span)
          if (!this.#await(stretch, awaits)) open.push(stretch)
          else if (this.#draft.names.kindOf(span) === 'wait') notices.push(stretch.noticeNs)
        }
      }
      this.#launched.add(stretch)
    }
    // Work that had ended when it was asked for would have been noticed as soon as the others were.
    const notice = orderStatistic(notices, 0.5, CALL_NS)
    for (const stretch of open) stretch.noticeNs = notice
  }

  /**
   * A wait at the file's beginning may be for work that was launched before it. A program that goes
   * on waits for its own work instead: the last on each stream without a launch so far.
   */
  #ofStepBefore(span: number): readonly number[] {
    const { placed, work, backlogEndNs } = this.#draft
    const [calledNs, returnedNs] = [placed.startNs[span] ?? 0, placed.endNs[span] ?? 0]
    if (backlogEndNs <= calledNs || backlogEndNs > returnedNs + LATE_NS) return NOTHING
    const last = new Map(work.map(({ stream }, index) => [stream, index]))
    return [...last].flatMap(([stream, index]) => (this.#launched.lastOn.has(stream) ? [] : [index]))
  }

  /** The work that a call waits for by its name, its event or its copy. */
  #awaitsOf(stretch: DraftStretch): readonly number[] {
    const { span, thread, launches } = stretch
    const { lastOn, lastBy, recordedBy } = this.#launched
    const kind = this.#draft.names.kindOf(span)
    if (kind === 'wait') {
      const known = this.#explicit.get(span)
      const last = lastBy[thread] ?? -1
      if (this.#isOf.all(span)) return [...lastOn.values(), ...this.#ofStepBefore(span)]
      if (known !== undefined) return [known]
      if (this.#isOf.event(span)) return this.#eventWork(recordedBy[thread] ?? last, span)
      return last >= 0 ? [last] : this.#ofStepBefore(span)
    }
    if (kind === 'allocation' && this.#isOf.free(span)) return [...lastOn.values()]
    return launches.length === 1 && this.#blocksOn(launches[0] ?? -1, span) ? launches : NOTHING
  }

  /**
   * True: a copy of pageable memory keeps its own call, as does one of HIP that does not name the
   * memory.
   */
  #blocksOn(index: number, call: number): boolean {
    const work = this.#draft.work[index]
    const isBlocking = this.#isOf.blocking(call)
    if (!work || !(isBlocking || this.#isOf.pageable(work.span))) return false
    const { startNs, endNs } = this.#draft.placed
    const [calledNs, returnedNs] = [startNs[call] ?? 0, endNs[call] ?? 0]
    if (work.endNs <= calledNs || work.endNs > returnedNs + LATE_NS) return false
    return isBlocking || this.#isOf.toHost(work.span) || work.lengthNs >= (returnedNs - calledNs) / 2
  }

  /** @returns whether the host waited in the recording */
  #await(stretch: DraftStretch, awaits: readonly number[]): boolean {
    const { placed, work, names, backlogEndNs } = this.#draft
    const calledNs = placed.startNs[stretch.span] ?? 0
    const returnedNs = placed.endNs[stretch.span] ?? 0
    let endedNs = -Infinity
    for (const index of awaits) {
      const { callNs = 0, endNs = -Infinity } = work[index] ?? {}
      endedNs = Math.max(endedNs, callNs < returnedNs ? endNs : backlogEndNs)
    }
    // Work that goes on when the call has returned was not what it waited for.
    const isLater = endedNs > returnedNs + LATE_NS
    stretch.awaits = isLater ? NOTHING : awaits
    if (isLater || endedNs <= calledNs) return false
    stretch.noticeNs = returnedNs - endedNs
    const isFree = names.kindOf(stretch.span) === 'allocation'
    const callNs = isFree ? Math.max(CALL_NS, stretch.noticeNs) : CALL_NS
    stretch.lengthNs = Math.min(stretch.lengthNs, callNs)
    return true
  }

  /** A launch that is held until the device has begun earlier work. */
  #holdByQueue(stretch: DraftStretch): void {
    const [first = -1] = stretch.launches
    const { lengthsNs } = this.#launched
    if (first < 0 || lengthsNs.length <= LEAST_RECENT || stretch.lengthNs <= 2 * LATE_NS) return
    const entered = this.#lastBegun(first, stretch.endNs)
    if (entered < 0 || first - entered < FULL_QUEUE) return
    const usual = orderStatistic(lengthsNs.slice(-RECENT), 0.5, CALL_NS)
    if (stretch.lengthNs <= 10 * usual) return
    stretch.entersAfter = entered
    stretch.noticeNs = stretch.endNs - (this.#draft.work[entered]?.startNs ?? 0)
    stretch.lengthNs = usual
  }

  #lastBegun(before: number, timeNs: number): number {
    for (let at = before - 1; at >= 0; at -= 1)
      if ((this.#draft.work[at]?.startNs ?? Infinity) <= timeNs) return at
    return -1
  }

  /** The work that an event stands for: that before its record, or what ended as the wait did. */
  #eventWork(recorded: number, wait: number): readonly number[] {
    const { work, placed } = this.#draft
    const returnedNs = placed.endNs[wait] ?? 0
    if ((work[recorded]?.endNs ?? Infinity) <= returnedNs + CALL_NS) return [recorded]
    let [found, foundNs] = [-1, -Infinity]
    const last = Math.min(recorded, work.length - 1)
    for (let at = last; at >= 0 && at > recorded - MOST_LOOKS; at -= 1) {
      const { endNs = Infinity } = work[at] ?? {}
      if (endNs <= returnedNs + CALL_NS && endNs > foundNs) [found, foundNs] = [at, endNs]
    }
    return found >= 0 ? [found] : NOTHING
  }
}

/** By the span of a wait: the work that the file says it waited for. */
function explicitWaits({ placed, work }: Draft): ReadonlyMap<number, number> {
  const { flows } = placed.trace
  const waits = new Map<number, number>()
  const indexOf = new Map(work.map(({ span }, index) => [span, index]))
  for (let flow = 0; flow < flows.length; flow += 1) {
    if (flows.kind[flow] !== SYNC) continue
    const index = indexOf.get(flows.from[flow] ?? -1)
    if (index !== undefined) waits.set(flows.to[flow] ?? -1, index)
  }
  return waits
}
