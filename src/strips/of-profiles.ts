/**
 * The first steps of recorded profiles as an excerpt: of each the outermost calls and the waits of
 * the loop's thread, each stream's work, and why the device was idle, from the first call on. The
 * slowest sets the scale. Pure.
 */
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { addTo } from '../base/lists'
import {
  barOfSpan,
  stepEndsOf,
  plainStrip,
  within,
  type Excerpt,
  type ExcerptBar,
  type ExcerptIdle,
  type ExcerptRow,
  type ExcerptStrip,
} from './excerpt'

/** A profile from which an excerpt is cut. */
interface CutProfile {
  readonly placed: PlacedTrace
  readonly gaps: readonly Gap[]
  /** Null where no device did anything. */
  readonly device: { readonly id: string } | null
}

export interface NamedProfile {
  readonly name: string
  readonly profile: CutProfile
}

type Cut = ReturnType<typeof cutOf>

/**
 * What the companion scripts call a step (profiling.py). Other threads watch collectives, or pin
 * memory.
 */
const STEP = 'step'
const isLoop = (bars: readonly ExcerptBar[]): boolean => bars.some(({ name }) => name === STEP)

const HOST_WORK: readonly ExcerptBar['kind'][] = ['host-work', 'encode', 'submit']
const DEVICE_WORK: readonly ExcerptBar['kind'][] = ['compute', 'transfer', 'collective']

/**
 * A call that lies in another is part of that one; a wait is drawn over the call that it lies in.
 */
function ofHost(bars: readonly ExcerptBar[]): readonly ExcerptBar[] {
  let endNs = -Infinity
  return bars.filter((bar) => {
    if (bar.kind === 'host-wait') return true
    if (!HOST_WORK.includes(bar.kind) || bar.endNs <= endNs) return false
    endNs = bar.endNs
    return true
  })
}

function barsOf({ placed }: CutProfile): ReadonlyMap<number, readonly ExcerptBar[]> {
  const { spans } = placed.trace
  const byLane = new Map<number, ExcerptBar[]>()
  // The profiler counts its warm-up too.
  const firstStep = Math.min(...spans.step.filter((step) => step >= 0))
  for (let span = 0; span < spans.length; span += 1) {
    const bar = barOfSpan(placed, span)
    addTo(byLane, spans.lane[span] ?? -1, {
      ...bar,
      startNs: Math.round(bar.startNs),
      endNs: Math.round(bar.endNs),
      line: -1,
      step: Math.max(-1, bar.step - firstStep),
      isInferred: false,
    })
  }
  for (const bars of byLane.values()) bars.sort((a, b) => a.startNs - b.startNs || b.endNs - a.endNs)
  return byLane
}

/**
 * `stepEnds`: when the device was done with each step, in their order; where there is none, the
 * host.
 */
function cutOf({ name, profile }: NamedProfile) {
  const { placed, device, gaps } = profile
  const idleIn = (group: string): readonly ExcerptIdle[] =>
    gaps.flatMap(({ startNs, endNs, cause, lane }, gap) =>
      placed.trace.lanes[lane]?.group === group
        ? [{ startNs: Math.round(startNs), endNs: Math.round(endNs), cause, gap }]
        : [],
    )
  const rows = [...barsOf(profile)].flatMap(([id, all]): readonly ExcerptRow[] => {
    const lane = placed.trace.lanes[id]
    if (lane?.kind !== 'host' && (lane?.kind !== 'device' || lane.group !== device?.id)) return []
    if (lane.kind === 'host' && !isLoop(all)) return []
    const bars = lane.kind === 'host' ? ofHost(all) : all.filter(({ kind }) => DEVICE_WORK.includes(kind))
    const idle = lane.kind === 'device' ? idleIn(lane.group) : []
    return bars.length > 0 ? [{ kind: lane.kind, name: lane.name, group: lane.group, bars, idle }] : []
  })
  // What ran on the CPU alone has its host.
  const timed = rows.filter(({ kind }) => kind === (device ? 'device' : 'host')).flatMap(({ bars }) => bars)
  const zeroNs = Math.min(...rows.flatMap(({ bars }) => bars.map(({ startNs }) => startNs)))
  const ends = stepEndsOf(timed, zeroNs)
  return {
    name,
    zeroNs,
    windowNs: Math.max(0, ...timed.map(({ endNs }) => endNs - zeroNs)),
    rows: rows.toSorted((a, b) => Number(a.kind === 'device') - Number(b.kind === 'device')),
    stepEnds: [...ends.values()].sort((a, b) => a - b),
  }
}

const stripOf = ({ name, zeroNs, windowNs, rows, stepEnds }: Cut, lengthNs: number): ExcerptStrip =>
  plainStrip(
    rows.map((row) => ({
      ...row,
      bars: within(row.bars, zeroNs, lengthNs),
      idle: within(row.idle, zeroNs, lengthNs),
    })),
    windowNs,
    { variant: name, zeroNs, stepsEnded: stepEnds.filter((end) => end <= lengthNs).length },
  )

/** @param steps of the slowest that are in view; all of a profile that has not so many */
export function excerptOfProfiles(profiles: readonly NamedProfile[], steps: number): Excerpt {
  const cuts = profiles.map(cutOf)
  const lengthNs = Math.max(0, ...cuts.map(({ stepEnds, windowNs }) => stepEnds[steps - 1] ?? windowNs))
  return { lengthNs, strips: cuts.map((cut) => stripOf(cut, lengthNs)), isDeviceTimed: true }
}
