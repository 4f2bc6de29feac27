/**
 * Why a device was idle in each of its gaps, one cause a gap, so that the sums add up. In a profile
 * it is the cause whose removal closes the gap in the replay. A page's thread was either recorded
 * in a gap or is unknown, so there it is what the thread did, as where nothing can be played. Gaps
 * of the profiler, of a first use and of a first step are no cause's.
 */
import { madeOnce } from '../base/lists'
import { median } from '../base/stats'
import { isIdle } from '../trace/gap-causes'
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { CUT, RECORDED_PAGE, SPAN_KINDS, spanRoleIndex, UNPROFILED_MS } from '../trace/schema'
import { replayDevice, replayPage, type DeviceReplay, type Replayed } from './replay/device-replay'
import { LaunchRecords } from './coverage'
import { DeviceWork } from './device-time'
import type { IdleReason } from './findings'
import { HostStacks } from './host-stacks'
import { IndexedSet } from './intervals'
import { idleTimes } from './set-up'

/** Queued work that begins later than this waits for something that is not recorded. */
const QUEUED_NS = 100_000
/** From this share of its time on, a gap is the profiler's, or a first use's. */
const MOSTLY = 0.5
/** A first step that was idle for more than so many times the others' median is a warm-up. */
const FIRST_STEP_FACTOR = 2
const LEAST_STEPS = 3

const IS_CUT = 'Its records are out of time order: what is missing may be anywhere. Nothing is predicted.'

const WINDOW = SPAN_KINDS.indexOf('window')
const [WAIT_MAP, WAIT_STAGING] = [spanRoleIndex('wait-map'), spanRoleIndex('wait-staging')]

export class IdleReasons {
  readonly records: LaunchRecords
  readonly stacks: HostStacks
  readonly work: DeviceWork
  readonly #placed: PlacedTrace
  readonly #profiler: IndexedSet
  readonly #firstUse: IndexedSet
  readonly #unrecordedWork: IndexedSet
  readonly #replays = new Map<string, Replayed>()
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
    this.records = new LaunchRecords(placed)
    this.stacks = new HostStacks(placed)
    this.work = new DeviceWork(placed)
    const { profiler, firstUse, unrecordedWork } = idleTimes(placed, this.records.calls)
    this.#profiler = IndexedSet.of(profiler)
    this.#firstUse = IndexedSet.of(firstUse)
    this.#unrecordedWork = IndexedSet.of(unrecordedWork)
  }

  /** A step of the program without the profiler, µs: as the reader or the file says. */
  get unprofiledUs(): number | null {
    const said = this.#placed.trace.info.derived[UNPROFILED_MS]
    const ms = this.#stepMs ?? (typeof said === 'number' ? said : null)
    return ms === null ? null : ms * 1e3
  }

  /** True: the file is cut, and what is missing may be anywhere in its time. */
  get isCut(): boolean {
    return this.#placed.trace.info.derived[CUT] === 'anywhere'
  }

  /** The device's replay; a sentence where nothing can be predicted by it. */
  replayOf(device: string): DeviceReplay | string {
    const { replay, problem } = this.#replayed(device)
    return replay && problem === '' ? replay : problem
  }

  /** The device's program, whether or not it predicts anything; null where the file shows none. */
  programOf(device: string): DeviceReplay | null {
    return this.#replayed(device).replay
  }

  #replayed(device: string): Replayed {
    return madeOnce(this.#replays, device, () => {
      if (this.isCut) return { replay: null, problem: IS_CUT }
      if (this.#isPage) return replayPage(this.#placed, device)
      return this.#isReplayed
        ? replayDevice(this.#placed, device, this.records, this.unprofiledUs)
        : { replay: null, problem: 'No replay was asked for.' }
    })
  }

  /** Evidence of gaps keeps this object, and needs no replay. */
  dropReplays(): void {
    this.#replays.clear()
  }

  /** The call of the host that brought a span of the device; −1 where the file names none. */
  callOf(span: number): number {
    return this.records.calls[span] ?? -1
  }

  /** A reason for each gap of a device, in their order. */
  of(gaps: readonly Gap[], device: string): readonly IdleReason[] {
    const played = this.programOf(device)?.gapCauses(gaps) ?? null
    const first = this.#warmUpStep(gaps)
    const { step } = this.#placed.trace.spans
    return gaps.map((gap, index): IdleReason => {
      const excuse = this.#excuseOf(gap)
      if (excuse) return excuse
      if (first !== null && step[gap.after] === first) return 'first-step'
      if (played && !this.#isPage) return played[index] ?? this.#betweenKernels(gap)
      // After a read the host catches up.
      const isReads = gap.cause === 'host-late' && played?.[index] === 'read-back'
      return isReads ? 'read-back' : this.#seenIn(gap)
    })
  }

  #excuseOf({ cause, startNs, endNs, durationNs }: Gap): IdleReason | null {
    if (cause === 'not-recorded') return cause
    const isMostly = (times: IndexedSet) => times.totalWithin(startNs, endNs) >= MOSTLY * durationNs
    if (isMostly(this.#profiler)) return 'profiler'
    if (isMostly(this.#firstUse)) return 'first-step'
    return isMostly(this.#unrecordedWork) ? 'unknown' : null
  }

  /** Work of one graph, or queued work, follows what was before it within some µs. */
  #betweenKernels({ before, after, durationNs }: Gap): IdleReason {
    const call = this.callOf(after)
    const isOneGraph = call >= 0 && call === this.callOf(before)
    return isOneGraph || durationNs <= QUEUED_NS ? 'between-kernels' : 'unknown'
  }

  /** By what the gap's evidence says of the host. */
  #seenIn({ cause, before, after, durationNs, spans: [held = -1] }: Gap): IdleReason {
    const { role, submission } = this.#placed.trace.spans
    switch (cause) {
      case 'host-waited':
        if (role[held] === WAIT_STAGING) return 'copies-in-line'
        return role[held] === WAIT_MAP ? 'read-back' : 'synchronize'
      case 'upload-not-ready':
        return this.work.kindOf(after) === 'pageable-copy' ? 'pageable-copies' : 'copies-in-line'
      case 'rank-waited':
        return 'late-rank'
      case 'launch-overhead': {
        const isOneSubmission = (submission[after] ?? -1) >= 0 && submission[after] === submission[before]
        return isOneSubmission || durationNs <= QUEUED_NS ? 'between-kernels' : 'unknown'
      }
      case 'host-late':
        return 'host-code'
      case 'between-frames':
        return cause
      default:
        return 'unknown'
    }
  }

  get #isPage(): boolean {
    return this.#placed.trace.info.experiment === RECORDED_PAGE
  }

  /**
   * The number of the first step, where it was idle for much longer than those after it; else null.
   */
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
}
