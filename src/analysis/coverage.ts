/**
 * How much of what the host launched has a record on a device. Profilers lose records: at a
 * session's start, of graphs, where buffers run full. Of work without a record it is known that it
 * was launched, and when it can have run: not before its call, nor before what was launched earlier
 * on its stream had ended, nor after what was launched later there had begun. On which stream, the
 * launches beside it say. Asked of traces whose importer marked the launches (role 'launch'); of
 * others nothing is known.
 */
import { addTo } from '../base/lists'
import { lowerBound, upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { rankOfLane } from '../trace/collectives'
import { FLOW_KINDS, isLabRun, SPAN_ROLES, type Trace } from '../trace/schema'
import { union } from './intervals'
import type { Interval } from './types'

export interface Coverage {
  /** Calls that launch a kernel, a graph, a copy or a memset. */
  readonly launches: number
  readonly withoutRecord: number
  /** Those with a record, of all: 0 to 1. */
  readonly ratio: number
}

/**
 * A smaller share of launches, or of a device's time, may lack a record unsaid in the first
 * sentence. Chosen.
 */
const UNSAID_SHARE = 0.02

/**
 * @param unknownShare of the device's time, stretches before its first record and after its last
 * with it
 */
export const isPartial = (coverage: Coverage | null, unknownShare: number): boolean =>
  unknownShare > UNSAID_SHARE ||
  (coverage !== null && coverage.withoutRecord > UNSAID_SHARE * coverage.launches)

const coverageOf = (launches: number, withoutRecord: number): Coverage | null =>
  launches > 0 ? { launches, withoutRecord, ratio: 1 - withoutRecord / launches } : null

/** Before a device's first record, or after its last, host ns. */
export interface LostStretch {
  readonly startNs: number
  readonly endNs: number
}

/** A launch without a record, host ns. */
interface LostLaunch {
  readonly returnedNs: number
  /**
   * When its work can have run; it may end at infinity. Without length where there was no room for
   * it.
   */
  readonly window: Interval
}

/** The launches of one device. */
interface DeviceLaunches {
  /**
   * Null: of some launch without a record it is not known of which device it was, or the trace
   * marks none.
   */
  readonly coverage: Coverage | null
  /** Those included that may be another device's. */
  readonly lost: readonly LostLaunch[]
  /** The union of their windows. */
  readonly windows: readonly Interval[]
  readonly windowEnds: Float64Array
}

const NOTHING_LOST: DeviceLaunches = {
  coverage: null,
  lost: [],
  windows: [],
  windowEnds: new Float64Array(),
}
const LAUNCH_ROLE = SPAN_ROLES.indexOf('launch')
const LAUNCHED = FLOW_KINDS.indexOf('submit')

export class LaunchRecords {
  /** Covers the whole trace; null: it marks no launches. */
  readonly coverage: Coverage | null = null
  /** By span of a device: the call of the host that launched it; −1: none that is known. */
  readonly calls: Int32Array
  readonly #devices: ReadonlyMap<string, DeviceLaunches> = new Map()

  constructor(placed: PlacedTrace) {
    // A run of the lab's own marks no launches.
    const isRun = isLabRun(placed.trace.info)
    this.calls = isRun ? new Int32Array() : launchCalls(placed.trace)
    if (isRun) return
    const { launches, lost, recorded } = launchesOf(placed)
    this.coverage = coverageOf(launches, lost.length)
    if (lost.length > 0) this.#devices = devicesOf(placed, lost, recordsOf(placed), recorded)
    else
      this.#devices = new Map(
        Array.from(recorded, ([device, own]) => [device, { ...NOTHING_LOST, coverage: coverageOf(own, 0) }]),
      )
  }

  /** @param device of the lanes' groups */
  of(device: string): DeviceLaunches {
    return this.#devices.get(device) ?? NOTHING_LOST
  }

  /** True: work without a record may have run on the device within a time, host ns. */
  mayHaveRun(device: string, { start, end }: Interval): boolean {
    const { windows, windowEnds } = this.of(device)
    return (windows[upperBound(windowEnds, start)]?.start ?? Infinity) < end
  }

  /**
   * From when work without a record can first have run to the device's first record; null: none can
   * have run there.
   */
  stretchBefore(device: string, firstNs: number): LostStretch | null {
    const early = this.of(device).lost.filter(({ window: { start, end } }) => start < firstNs && end > start)
    const startNs = Math.min(...early.map(({ window }) => window.start))
    return early.length > 0 ? { startNs, endNs: firstNs } : null
  }

  /**
   * From the end of the device's last record to the last launch that nothing with a record follows;
   * null: none is later than that end.
   */
  stretchAfter(device: string, lastNs: number): LostStretch | null {
    // Those that were queued by then: how long after it they ran is not known.
    const open = this.of(device).lost.filter(({ window }) => window.end === Infinity)
    const endNs = open.reduce((last, { returnedNs }) => Math.max(last, returnedNs), -Infinity)
    return endNs > lastNs ? { startNs: lastNs, endNs } : null
  }
}

/** By span of a device: the call that launched it; -1: none is known. */
export function launchCalls({ spans, flows }: Trace): Int32Array {
  const calls = new Int32Array(spans.length).fill(-1)
  for (let flow = 0; flow < flows.length; flow += 1)
    if (flows.kind[flow] === LAUNCHED) calls[flows.to[flow] ?? -1] = flows.from[flow] ?? -1
  return calls
}

/** A launch and what came of it on one stream. A graph has many kernels under one call. */
interface Recorded {
  readonly call: number
  /** Lane of the device. */
  readonly stream: number
  startNs: number
  endNs: number
}

/** Visits each launch with the work that it brought. */
function eachLaunched(
  { trace: { spans, flows, lanes } }: PlacedTrace,
  visit: (call: number, work: number, stream: number) => void,
): void {
  for (let flow = 0; flow < flows.length; flow += 1) {
    const [call = -1, work = -1] = [flows.from[flow], flows.to[flow]]
    const stream = spans.lane[work] ?? -1
    if (flows.kind[flow] === LAUNCHED && lanes[stream]?.kind === 'device' && spans.role[call] === LAUNCH_ROLE)
      visit(call, work, stream)
  }
}

/** Launches, those without a record, and by device how many have one. */
function launchesOf(placed: PlacedTrace) {
  const { spans, lanes } = placed.trace
  const devices = [...new Set(lanes.flatMap(({ kind, group }) => (kind === 'device' ? [group] : [])))]
  const deviceOf = lanes.map(({ group }) => devices.indexOf(group))
  const counts = devices.map(() => 0)
  const isRecorded = new Uint8Array(spans.length)
  const isCounted = devices.map(() => new Uint8Array(spans.length))
  eachLaunched(placed, (call, _, stream) => {
    const device = deviceOf[stream] ?? -1
    const counted = isCounted[device]
    isRecorded[call] = 1
    if (!counted || counted[call] === 1) return
    counted[call] = 1
    counts[device] = (counts[device] ?? 0) + 1
  })
  const lost: number[] = []
  let launches = 0
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.role[span] !== LAUNCH_ROLE) continue
    launches += 1
    if (isRecorded[span] === 0) lost.push(span)
  }
  const recorded = new Map(devices.map((device, at) => [device, counts[at] ?? 0]))
  return { launches, lost, recorded }
}

function recordsOf(placed: PlacedTrace): readonly Recorded[] {
  const { startNs, endNs } = placed
  const recorded: Recorded[] = []
  eachLaunched(placed, (call, work, stream) => {
    const [workNs, workEndNs] = [startNs[work] ?? 0, endNs[work] ?? 0]
    const last = recorded.at(-1)
    if (last?.call === call && last.stream === stream) {
      last.startNs = Math.min(last.startNs, workNs)
      last.endNs = Math.max(last.endNs, workEndNs)
    } else recorded.push({ call, stream, startNs: workNs, endNs: workEndNs })
  })
  return recorded
}

/** Records of one stream, or of one thread's launches, in the order of the calls. */
class Order {
  readonly #all: readonly Recorded[]
  readonly #calledNs: Float64Array
  constructor(all: readonly Recorded[], startNs: Float64Array) {
    this.#all = all.toSorted((a, b) => (startNs[a.call] ?? 0) - (startNs[b.call] ?? 0))
    this.#calledNs = Float64Array.from(this.#all, ({ call }) => startNs[call] ?? 0)
  }
  before(calledNs: number): Recorded | undefined {
    return this.#all[lowerBound(this.#calledNs, calledNs) - 1]
  }
  after(calledNs: number): Recorded | undefined {
    return this.#all[upperBound(this.#calledNs, calledNs)]
  }
}

/**
 * Finds the device of a launch without a record: the only one of its process or rank, or the only
 * one that its thread is seen to launch to. Else it may be any. Its stream is one to which the
 * thread launched before and after.
 */
function devicesOf(
  { trace, startNs, endNs }: PlacedTrace,
  lost: readonly number[],
  recorded: readonly Recorded[],
  launches: ReadonlyMap<string, number>,
): ReadonlyMap<string, DeviceLaunches> {
  const { lanes, spans } = trace
  const deviceOf = ({ stream }: Recorded) => lanes[stream]?.group ?? ''
  const rankOf = (name: string) => String(rankOfLane(name))
  const ordered = (keyOf: (each: Recorded) => string): ReadonlyMap<string, Order> => {
    const lists = new Map<string, Recorded[]>()
    for (const each of recorded) {
      addTo(lists, keyOf(each), each)
    }
    return new Map([...lists].map(([key, list]) => [key, new Order(list, startNs)]))
  }
  const ofStream = ordered(({ stream }) => String(stream))
  const ofThread = ordered((each) => `${String(spans.lane[each.call])} ${deviceOf(each)}`)
  const ofDevice = ordered(deviceOf)
  const seen = new Map<number, Set<string>>()
  for (const each of recorded) {
    const lane = spans.lane[each.call] ?? -1
    seen.set(lane, (seen.get(lane) ?? new Set()).add(deviceOf(each)))
  }

  const windowOf = (call: number, device: string): Interval => {
    const calledNs = startNs[call] ?? 0
    const own = ofThread.get(`${String(spans.lane[call])} ${device}`) ?? ofDevice.get(device)
    const beside = [own?.before(calledNs), own?.after(calledNs)].flatMap((each) =>
      each ? [each.stream] : [],
    )
    const windows = [...new Set(beside)].map((stream) => {
      const order = ofStream.get(String(stream))
      return {
        start: Math.max(calledNs, order?.before(calledNs)?.endNs ?? -Infinity),
        end: order?.after(calledNs)?.startNs ?? Infinity,
      }
    })
    if (windows.length === 0) return { start: calledNs, end: Infinity }
    return {
      start: Math.min(...windows.map(({ start }) => start)),
      end: Math.max(...windows.map(({ end }) => end)),
    }
  }

  const lostOf = new Map<string, LostLaunch[]>([...launches].map(([device]) => [device, []]))
  const unsure = new Set<string>()
  for (const call of lost) {
    const lane = spans.lane[call] ?? -1
    const rank = rankOf(lanes[lane]?.name ?? '')
    const own = [...launches.keys()].filter((device) => rankOf(device) === rank)
    const threads = [...(seen.get(lane) ?? [])]
    const devices = own.length !== 1 && threads.length === 1 ? threads : own
    for (const device of devices) {
      lostOf.get(device)?.push({
        returnedNs: endNs[call] ?? 0,
        window: windowOf(call, device),
      })
      if (devices.length > 1) unsure.add(device)
    }
  }
  return new Map(
    [...launches].map(([device, calls]) => {
      const own = lostOf.get(device) ?? []
      const windows = union(own.map(({ window }) => window))
      const coverage = unsure.has(device) ? null : coverageOf(calls + own.length, own.length)
      return [
        device,
        {
          coverage,
          lost: own,
          windows,
          windowEnds: Float64Array.from(windows, ({ end }) => end),
        },
      ]
    }),
  )
}
