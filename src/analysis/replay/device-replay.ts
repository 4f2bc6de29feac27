/**
 * A device's profile with its replay, and which cause each of its gaps has: the one whose removal
 * closes it.
 */
import { isOfRanks } from '../../trace/collectives'
import { GAP_CAUSES, type Gap, type GapCause } from '../../trace/gaps'
import type { PlacedTrace } from '../../trace/place'
import type { LaunchRecords } from '../coverage'
import { CAUSES, type Cause } from './causes'
import { play, type Played } from './play'
import { Replay } from './predict'
import { readPage } from './read-page'
import { readProgram, type ReadProgram } from './read-program'
import { without } from './without'

/** The causes among these that leave a device idle. */
type IdleCause = Cause & GapCause
const leavesGaps = (cause: Cause): cause is IdleCause => (GAP_CAUSES as readonly string[]).includes(cause)

/** Part of a gap that a removal must close to be its cause. */
const CLOSED = 0.5

export class DeviceReplay {
  readonly read: ReadProgram
  readonly replay: Replay
  /** The causes that occur in the program. */
  readonly causes: readonly Cause[]
  /** Collectives of a rank whose others are not in the file: one of them may set the pace. */
  readonly isOneRank: boolean
  readonly #placed: PlacedTrace

  constructor(placed: PlacedTrace, read: ReadProgram, unprofiledNs: number | null, deviceName: string) {
    this.#placed = placed
    this.read = read
    this.replay = new Replay(read, unprofiledNs, deviceName)
    this.causes = CAUSES.filter((cause) => this.replay.causes.has(cause))
    this.isOneRank = this.replay.causes.has('collectives') && !isOfRanks(placed.trace)
  }

  /**
   * Names the cause of each gap. Null means that no removal closes the gap, or that it lies outside
   * the replayed steps and none inside is like it.
   */
  gapCauses(gaps: readonly Gap[]): readonly (IdleCause | null)[] {
    const { program } = this.read
    const indexOf = new Map(program.work.map(({ span }, index) => [span, index]))
    const own = play(program)
    const edited = this.causes.filter(leavesGaps).map((cause) => {
      const { pauseNs, ...edit } = without(program, [{ cause, code: null }], 'least')
      // A graph also shortens the device's own pause between queued kernels: no fault of dispatch.
      const isPause = cause === 'dispatch' || pauseNs === undefined
      return { cause, played: play(program, isPause ? edit : { ...edit, pauseNs }) }
    })
    const all = this.causes.map((cause) => ({ cause, code: null }))
    const withoutAll = play(program, without(program, all, 'least'))
    const { spans } = this.#placed.trace
    const names = this.#placed.trace.strings.length + 1
    /** By the names before and after it. */
    const keyOf = ({ before, after }: Gap) =>
      ((spans.name[before] ?? -1) + 1) * names + (spans.name[after] ?? -1) + 1
    const known = new Map<number, Map<IdleCause | null, number>>()
    const found = gaps.map((gap) => {
      const [before, after] = [indexOf.get(gap.before), indexOf.get(gap.after)]
      if (before === undefined || after === undefined) return undefined
      let [best, closed]: [IdleCause | null, number] = [null, 0]
      const gapNs = between(own, before, after)
      for (const { cause, played } of edited) {
        // If a copy is gone, the gap before it is the device's own.
        if (played.workStartNs[after] === -Infinity) continue
        const share = gapNs > 0 ? 1 - Math.max(0, between(played, before, after)) / gapNs : 0
        if (share > closed + 0.01) [best, closed] = [cause, share]
      }
      // Several causes at once: the one that closes most.
      const isClosed = closed >= CLOSED || 1 - between(withoutAll, before, after) / gapNs >= CLOSED
      const cause = isClosed ? best : null
      const tally = known.get(keyOf(gap)) ?? new Map<IdleCause | null, number>()
      known.set(keyOf(gap), tally)
      tally.set(cause, (tally.get(cause) ?? 0) + gap.durationNs)
      return cause
    })
    const usual = new Map<number, IdleCause | null>()
    for (const [key, tally] of known) usual.set(key, [...tally].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null)
    return found.map((cause, index) => {
      const gap = gaps[index]
      return cause === undefined && gap ? (usual.get(keyOf(gap)) ?? null) : (cause ?? null)
    })
  }
}

/**
 * From the end of one to the start of another. Work that is gone leaves what came before it as the
 * beginning.
 */
function between({ workStartNs, workEndNs }: Played, before: number, after: number): number {
  let from = before
  while (from >= 0 && workEndNs[from] === -Infinity) from -= 1
  return (workStartNs[after] ?? 0) - (workEndNs[from] ?? 0)
}

/** A device's program as it can be played, and why it predicts nothing; '' where it does. */
export interface Replayed {
  readonly replay: DeviceReplay | null
  readonly problem: string
}

/**
 * A page has no step time of its own: its recorded one stands for it, with calls that recording
 * slows.
 */
export function replayPage(placed: PlacedTrace, device: string): Replayed {
  const read = readPage(placed, device)
  if (typeof read === 'string') return { replay: null, problem: read }
  const replay = new Replay(read)
  if (!agreesWithRecord(replay))
    return {
      replay: null,
      problem: 'The replay of this page does not reproduce its recorded times, so nothing is predicted.',
    }
  return { replay: new DeviceReplay(placed, read, replay.replayedNs, ''), problem: '' }
}

/** True: the replay of a page or a run without changes takes as long as what was recorded. */
export const agreesWithRecord = ({ recordedNs, replayedNs }: Replay): boolean =>
  Math.abs(replayedNs - recordedNs) <= AGREES_OF_PAGE * recordedNs

/** @param unprofiledUs a step without the profiler; null: not known */
export function replayDevice(
  placed: PlacedTrace,
  device: string,
  records: LaunchRecords,
  unprofiledUs: number | null,
): Replayed {
  const coverage = records.of(device).coverage ?? records.coverage
  const isLost = coverage !== null && coverage.withoutRecord > MOST_LOST * coverage.launches
  const lost = isLost ? 'Too many launches have no record of their work, so nothing is replayed.' : ''
  const read = readProgram(placed, device, records)
  if (typeof read === 'string') return { replay: null, problem: lost || read }
  const name = placed.trace.info.derived[device]
  const unprofiledNs = unprofiledUs === null ? null : unprofiledUs * 1e3
  const replay = new DeviceReplay(placed, read, unprofiledNs, typeof name === 'string' ? name : '')
  return { replay, problem: lost || read.problem || problemOf(replay) }
}

function problemOf({ read, replay }: DeviceReplay): string {
  if (read.unlinkedShare > MOST_LOST)
    return 'The file does not say which calls launched part of the device’s work, so nothing is predicted.'
  const { recordedNs } = replay
  const { program } = read
  const hostNs = (program.endNs - program.startNs) / program.stepEndsNs.length
  if (recordedNs < LEAST_OF_HOST * hostNs)
    return 'The device’s work from several steps ends at one time, so no step has a length to predict.'
  const plainNs = replay.unprofiledNs === null ? replay.replayedNs : new Replay(read).replayedNs
  return Math.abs(plainNs - recordedNs) <= AGREES * recordedNs
    ? ''
    : 'The replay of this file does not reproduce its recorded step, so nothing is predicted.'
}
const MOST_LOST = 0.02
/**
 * The last step may wait for all that came before: its host is longer than the mean step, but not
 * by more than all others.
 */
const LEAST_OF_HOST = 0.1
/** The same of a page, whose device also does what has no timestamps. */
const AGREES_OF_PAGE = 0.1
/** Replayed unchanged, a step is as long as recorded within this share. */
const AGREES = 0.02
