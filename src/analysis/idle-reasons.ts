/**
 * Why a gap of a device in a profile was left, in the terms of a program: what gap-evidence.ts found of the host, and what ran before it, what
 * came after it and what the thread was in. One cause a gap, so that the sums add up. From here on a profile's gaps have these causes, in
 * its verdict, in tables and in the timeline alike; a run of the lab's own keeps those of its recorder.
 */
import { median } from '../base/stats'
import { isIdle } from '../trace/gap-causes'
import { GAP_CAUSES, type Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { RECORDED_PAGE, SPAN_KINDS, SPAN_ROLES, UNPROFILED_MS } from '../trace/schema'
import type { Cause, NameKind } from './replay/causes'
import { FROM_HOST, TO_HOST } from './replay/copies'
import { replayDevice, replayPage, type DeviceReplay } from './replay/device-replay'
import { LaunchRecords } from './coverage'
import { DeviceWork } from './device-time'
import type { IdleReason } from './findings'
import { HostStacks } from './host-stacks'
import { IndexedSet } from './intervals'
import { profilerTimes } from './profiler-times'
import { idleTimes } from './set-up'
import { SpanNames } from './replay/span-names'

/**
 * A launch takes 5 to 50 µs of Python, dispatch and driver, somewhat more under a profiler that takes stacks; a thread that launched
 * nothing for longer was at something else.
 */
const LAUNCH_NS = 100_000
/** Fewer gaps than this are no pattern. */
const MANY = 20
/** From this share of its time on, a gap is the profiler's, or a first use's. */
const MOSTLY = 0.5
/** A first step that was idle for more than so many times the others' median is a warm-up. */
const FIRST_STEP_FACTOR = 2
const LEAST_STEPS = 3

const OPERATOR = /^aten::/

const COMPUTE = SPAN_KINDS.indexOf('compute')
const WINDOW = SPAN_KINDS.indexOf('window')
const role = (name: (typeof SPAN_ROLES)[number]) => SPAN_ROLES.indexOf(name)
const [WAIT_MAP, WAIT_STAGING] = [role('wait-map'), role('wait-staging')]

/** Small: there may be 3·10^5. */
export interface ReasonedGap {
  readonly cause: IdleReason
  /** The span of a call or wait of the host that leads to the reader's line; −1: there is none. */
  readonly at: number
  /**
   * Relates that to the gap: the call that 'caused' it; the one 'before' which the thread was at
   * something else; the 'wait' that the host was in; a wait that was 'over', in which the host had
   * lost its lead.
   */
  readonly how: 'caused' | 'before' | 'wait' | 'over'
}

const reasoned = (cause: IdleReason, at = -1, how: ReasonedGap['how'] = 'caused'): ReasonedGap => ({
  cause,
  at,
  how,
})

export interface Pace {
  readonly kernelUs: number
  readonly launchUs: number
}

export class IdleReasons {
  readonly records: LaunchRecords
  readonly stacks: HostStacks
  readonly work: DeviceWork
  readonly #placed: PlacedTrace
  readonly #names: SpanNames
  readonly #profiler: IndexedSet
  readonly #firstUse: IndexedSet
  readonly #unrecordedWork: IndexedSet
  /** By device: of 10^5 kernels a median takes as long as all else. */
  readonly #paces = new Map<readonly number[], Pace>()

  readonly #replays = new Map<string, DeviceReplay | string>()
  readonly #stepMs: number | null
  readonly #isReplayed: boolean

  /**
   * @param stepMs a step of the program without the profiler, given by the reader
   * @param isReplayed false for who asks for no cause: a replay takes as long as all else
   */
  constructor(placed: PlacedTrace, stepMs: number | null = null, isReplayed = true) {
    this.#placed = placed
    this.#stepMs = stepMs
    this.#isReplayed = isReplayed
    this.#names = new SpanNames(placed.trace)
    this.records = new LaunchRecords(placed)
    this.stacks = new HostStacks(placed)
    this.work = new DeviceWork(placed)
    this.#profiler = IndexedSet.of(profilerTimes(placed))
    const { firstUse, unrecordedWork } = idleTimes(placed, this.records.calls)
    this.#firstUse = IndexedSet.of(firstUse)
    this.#unrecordedWork = IndexedSet.of(unrecordedWork)
  }

  /** A step of the program without the profiler, µs: as the reader or the file says. */
  get unprofiledUs(): number | null {
    const said = this.#placed.trace.info.derived[UNPROFILED_MS]
    const ms = this.#stepMs ?? (typeof said === 'number' ? said : null)
    return ms === null ? null : ms * 1e3
  }

  /** The device's replay; a sentence where there is none. */
  replayOf(device: string): DeviceReplay | string {
    let found = this.#replays.get(device)
    if (found === undefined) {
      found =
        this.#placed.trace.info.experiment === RECORDED_PAGE
          ? replayPage(this.#placed, device)
          : this.#isReplayed
            ? replayDevice(this.#placed, device, this.records, this.#stepMs)
            : 'No replay was asked for.'
      this.#replays.set(device, found)
    }
    return found
  }

  /** Notes of gaps keep this object, and need no replay. */
  dropReplays(): void {
    this.#replays.clear()
  }

  /** The call of the host that brought a span of the device; −1 where the file names none. */
  callOf(span: number): number {
    return this.records.calls[span] ?? -1
  }

  /** A reason for each gap of a device, in their order. `work`: the device's spans. */
  of(gaps: readonly Gap[], work: readonly number[], device: string): readonly ReasonedGap[] {
    const seen = this.#seenOf(gaps, work)
    // A page's thread was either recorded in a gap or is unknown: no removal says more.
    if (this.#placed.trace.info.experiment === RECORDED_PAGE) return seen
    const replayed = this.replayOf(device)
    if (typeof replayed === 'string') return seen
    const causes = replayed.gapCauses(gaps)
    return seen.map((each, index) => {
      const cause = causes[index]
      if (UNMOVED.has(each.cause)) return each
      if (cause === null || cause === undefined)
        return reasoned(each.cause === 'first-step' ? 'first-step' : 'between-kernels', each.at)
      return isReason(cause) ? { ...each, cause } : each
    })
  }

  #seenOf(gaps: readonly Gap[], work: readonly number[]): readonly ReasonedGap[] {
    const found = this.#withLostLeads(
      gaps,
      gaps.map((gap) => this.#reasonOf(gap)),
    )
    const isLaunchBound = this.#isLaunchBound(found, work)
    const first = this.#warmUpStep(gaps)
    const { step } = this.#placed.trace.spans
    if (isLaunchBound && first === null) return found
    return found.map((each, index): ReasonedGap => {
      const { cause, after = -1 } = gaps[index] ?? {}
      if (first !== null && step[after] === first && !UNMOVED.has(each.cause)) return reasoned('first-step')
      if (each.cause !== 'dispatch' || isLaunchBound) return each
      return reasoned(cause === 'launch-overhead' ? 'between-kernels' : 'host-code', each.at)
    })
  }

  /**
   * A read costs more than its wait: without the wait the host would have launched all that follows
   * so much earlier. Gaps are the read's, too, until the device has been idle for as long as the
   * wait. A wait of another kind would have stopped the host all the same: it ends the lead. `gaps`
   * are in order of time.
   */
  #withLostLeads(gaps: readonly Gap[], all: readonly ReasonedGap[]): readonly ReasonedGap[] {
    const { startNs, endNs } = this.#placed
    let leadNs = 0
    let read = -1
    return all.map((found, index) => {
      const { durationNs = 0, after = -1, cause } = gaps[index] ?? {}
      if (found.cause === 'read-back' && found.how === 'wait') {
        const waitedNs = (endNs[found.at] ?? 0) - (startNs[found.at] ?? 0)
        leadNs = Math.max(0, leadNs + waitedNs - durationNs)
        read = found.at
        return found
      }
      if (LOSES_LEAD.has(found.cause)) leadNs = 0
      const isLate = cause === 'host-late' && (found.cause === 'dispatch' || found.cause === 'host-code')
      const isAfter = (startNs[this.callOf(after)] ?? -Infinity) >= (endNs[read] ?? Infinity)
      if (!isLate || !isAfter || durationNs > leadNs) return found
      leadNs -= durationNs
      return reasoned('read-back', read, 'over')
    })
  }

  #reasonOf(gap: Gap): ReasonedGap {
    const { cause, before, after, startNs, endNs, durationNs, spans } = gap
    const call = this.callOf(after)
    const [held = -1] = spans
    if (cause === 'not-recorded') return reasoned(cause)
    const isMostly = (times: IndexedSet) => times.totalWithin(startNs, endNs) >= MOSTLY * durationNs
    if (isMostly(this.#profiler)) return reasoned('profiler')
    if (isMostly(this.#firstUse)) return reasoned('first-step')
    if (isMostly(this.#unrecordedWork)) return reasoned('unknown')
    switch (cause) {
      case 'upload-not-ready':
        return this.work.kindOf(after) === 'pageable-copy'
          ? reasoned('pageable-copies', call)
          : reasoned('copies-in-line', held, 'wait')
      case 'host-waited':
        return reasoned(
          this.#waitReason(before, held, after, this.#placed.trace.spans.role[held] ?? 0),
          held,
          'wait',
        )
      case 'rank-waited':
        return reasoned('late-rank', held, 'wait')
      case 'launch-overhead': {
        const { submission } = this.#placed.trace.spans
        if ((submission[after] ?? -1) >= 0 && submission[after] === submission[before])
          return reasoned('between-kernels')
        if (durationNs > LAUNCH_NS) return reasoned('unknown', call)
        // Short, and queued: the host is ahead, unless it was still at the launch.
        const isLaunching = (this.#placed.endNs[call] ?? -Infinity) > startNs
        return isLaunching ? reasoned('dispatch', call) : reasoned('between-kernels')
      }
      case 'between-frames':
        return reasoned(cause)
      case 'host-late':
        return this.#late(gap, call)
      default:
        return reasoned('unknown')
    }
  }

  #waitReason(before: number, wait: number, after: number, waitRole: number): IdleReason {
    if (waitRole === WAIT_MAP) return 'read-back'
    if (waitRole === WAIT_STAGING) return 'copies-in-line'
    // A copy from pageable memory returns when it is done: the wait is the copy's own.
    if (this.#isPageableUpload(before)) return 'pageable-copies'
    if (
      TO_HOST.test(this.#names.of(before)) ||
      this.stacks.isWithin(wait, (span) => this.#names.kindOf(span) === 'read-operator')
    )
      return 'read-back'
    return 'synchronize'
  }

  #late(gap: Gap, call: number): ReasonedGap {
    const { before, after, durationNs } = gap
    const { endNs, trace } = this.#placed
    const copying = this.callOf(before)
    // A call that returns with the copy's end is a wait, whatever its name.
    const wasHeld = copying >= 0 && (endNs[copying] ?? -Infinity) >= gap.startNs
    if (wasHeld && this.#isPageableUpload(before)) return reasoned('pageable-copies', copying)
    if (wasHeld && TO_HOST.test(this.#names.of(before))) return reasoned('read-back', copying, 'wait')
    const isLaunch = trace.spans.kind[before] === COMPUTE && trace.spans.kind[after] === COMPUTE
    if (isLaunch && durationNs <= LAUNCH_NS) return reasoned('dispatch', call)
    if (call < 0) return reasoned('host-code')
    const lane = trace.spans.lane[call] ?? -1
    const timesNs = this.momentsOf(gap, call)
    const isMostly = (kind: NameKind) =>
      timesNs.filter((time) => this.#isIn(kind, lane, time)).length * 2 > timesNs.length
    const cause = isMostly('loader') ? 'data-loading' : isMostly('allocation') ? 'allocation' : 'host-code'
    return reasoned(cause, call, 'before')
  }

  /** To follow the evidence of a gap; '' where that says all. */
  noteOf({ cause, at, how }: ReasonedGap): string {
    if (how === 'over')
      return `The host had waited in ${this.#names.of(at)}() before, and lost its lead there.`
    if (cause === 'profiler') return 'The profiler itself was at work for most of it.'
    return cause === 'first-step'
      ? 'It lies in the first step that was recorded, or at a first use of the GPU and its libraries.'
      : ''
  }

  /** Moments of a gap until a call that was made in it, host ns. */
  momentsOf({ startNs, endNs }: Pick<Gap, 'startNs' | 'endNs'>, call: number): readonly number[] {
    const untilNs = Math.min(this.#placed.startNs[call] ?? endNs, endNs)
    return SAMPLES.map((share) => startNs + share * (untilNs - startNs))
  }

  #isIn(kind: NameKind, lane: number, timeNs: number): boolean {
    return this.stacks.at(lane, timeNs).some((span) => this.#names.kindOf(span) === kind)
  }

  /**
   * The operator that a span lies in and that was called first: `aten::item`, not what it calls. ''
   * if there is none.
   */
  operatorOf(span: number): string {
    let operator = ''
    for (const each of this.stacks.around(span)) {
      const name = this.#names.of(each)
      if (OPERATOR.test(name)) operator = name
      else if (operator !== '') break
    }
    return operator
  }

  /** Kernels end before the next is launched: their median is shorter than what lies between two launches, and there are many. */
  #isLaunchBound(gaps: readonly ReasonedGap[], work: readonly number[]): boolean {
    if (gaps.filter(({ cause }) => cause === 'dispatch').length < MANY) return false
    const { kernelUs, launchUs } = this.paceOf(work)
    return kernelUs < launchUs
  }

  /** Medians, µs: of the kernels, and of what lies between the begins of two calls that launch one. */
  paceOf(work: readonly number[]): Pace {
    let pace = this.#paces.get(work)
    if (!pace) this.#paces.set(work, (pace = this.#measurePace(work)))
    return pace
  }

  #measurePace(work: readonly number[]): Pace {
    const { trace, startNs } = this.#placed
    const { start, end, kind } = trace.spans
    const kernelsNs = new Float64Array(work.length)
    const launchesNs = new Float64Array(work.length)
    let [kernels, launches, last] = [0, 0, -1]
    for (const span of work) {
      if (kind[span] !== COMPUTE) continue
      kernelsNs[kernels] = (end[span] ?? 0) - (start[span] ?? 0)
      kernels += 1
      const call = this.callOf(span)
      // One call may launch many, one after the other.
      if (call < 0 || call === last) continue
      launchesNs[launches] = startNs[call] ?? 0
      launches += 1
      last = call
    }
    const calledNs = launchesNs.subarray(0, launches).sort()
    const device = trace.lanes[trace.spans.lane[work[0] ?? -1] ?? -1]?.group ?? ''
    // Between two that have a record, launches may stand that have none.
    const between = Float64Array.from(
      calledNs.subarray(1),
      (ns, index) => ns - (calledNs[index] ?? ns),
    ).filter(
      (_, index) => !this.records.isLostBetween(device, calledNs[index] ?? 0, calledNs[index + 1] ?? 0),
    )
    return {
      kernelUs: median(kernelsNs.subarray(0, kernels)) / 1e3,
      launchUs: median(between) / 1e3,
    }
  }

  /** The number of the first step, where it was idle for much longer than those after it; else null. */
  #warmUpStep(gaps: readonly Gap[]): number | null {
    const { spans } = this.#placed.trace
    const steps = new Map<number, number>()
    for (let span = 0; span < spans.length; span += 1)
      if (spans.kind[span] === WINDOW && (spans.step[span] ?? -1) >= 0 && (spans.repeat[span] ?? -1) < 0)
        steps.set(spans.step[span] ?? -1, 0)
    if (steps.size < LEAST_STEPS) return null
    for (const { after, durationNs, cause } of gaps) {
      if (!isIdle(cause)) continue
      const step = spans.step[after] ?? -1
      const idleNs = steps.get(step)
      if (idleNs !== undefined) steps.set(step, idleNs + durationNs)
    }
    const first = [...steps.keys()].reduce((least, step) => Math.min(least, step), Infinity)
    const others = [...steps].filter(([step]) => step !== first).map(([, idleNs]) => idleNs)
    return (steps.get(first) ?? 0) > FIRST_STEP_FACTOR * median(others) ? first : null
  }

  #isPageableUpload(span: number): boolean {
    return this.work.kindOf(span) === 'pageable-copy' && FROM_HOST.test(this.#names.of(span))
  }
}

/** Waits of another kind than a read, which would have stopped the host all the same; and where what ran is not known. */
const LOSES_LEAD: ReadonlySet<IdleReason> = new Set([
  'synchronize',
  'pageable-copies',
  'late-rank',
  'not-recorded',
])
const isReason = (cause: Cause): cause is Cause & IdleReason =>
  (GAP_CAUSES as readonly string[]).includes(cause)
/** These don't depend on the step they lie in. */
const UNMOVED: ReadonlySet<IdleReason> = new Set(['profiler', 'not-recorded', 'first-step'])

/** The moments of a gap at which a thread is read: enough to see one function among several. */
const SAMPLES = [0.1, 0.3, 0.5, 0.7, 0.9] as const
