/**
 * From visits (one file opened in one program, once) to rows over the rounds, and which aims they meet. Pure.
 * Times: ms of the page's main thread, but for `loadMs`, which is ms of a clock on the wall.
 */
import { median, quantile } from '../src/base/stats'

export type Program = 'timeline off' | 'the lab' | 'speedscope'
export type Format = 'own' | 'own, gzip' | 'Trace Event'

export interface Load {
  /** From the file input's change to the picture that stays. */
  readonly loadMs: number
  /** Processor time of the page's whole process, workers among it, until a second after that. */
  readonly cpuMs: number
  /** Longest task of those of 50 ms and more; 0 none. */
  readonly longestTaskMs: number
  /** How late a timer of 4 ms came at most: many short tasks in a row, and what else the machine was doing, are in it. */
  readonly lateMs: number
  /** How often the picture changed until then; 0 where it was not watched. */
  readonly pictures: number
}

export interface Moves {
  /** Of the costliest frame after each wheel event. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
  /** Wheel events; fewer than the script has where a program is too slow for all of them in a minute. */
  readonly events: number
  /** All main-thread tasks meanwhile as the browser itself counts them, a wheel event: what no frame shows is in here. */
  readonly tasksMs: number
  /** Processor time of the main thread, a wheel event: what it does, whatever else the machine is at. */
  readonly cpuMs: number
  readonly longestTaskMs: number
  readonly lateMs: number
}

export interface Visit {
  readonly program: Program
  /** Null: no file (the control). */
  readonly format: Format | null
  readonly spans: number
  readonly round: number
  readonly fileBytes: number
  readonly load: Load | null
  readonly moves: Moves | null
  /** Why it stopped before its end, in words. */
  readonly failure: string | null
  /** What it waited for in vain; null where it did not wait to its limit. */
  readonly gaveUpAfterMs: number | null
}

/** Median over the rounds with the least and the greatest. */
export interface Spread {
  readonly mid: number
  readonly low: number
  readonly high: number
}

export interface Row {
  readonly program: Program
  readonly format: Format | null
  readonly spans: number
  readonly fileBytes: number
  readonly rounds: number
  readonly loadMs: Spread | null
  readonly loadCpuMs: Spread | null
  /** The longest of all rounds. */
  readonly loadBlockMs: number | null
  readonly loadLateMs: number | null
  /** The fewest wheel events of all rounds. */
  readonly events: number | null
  readonly frameP50Ms: Spread | null
  readonly frameP95Ms: Spread | null
  readonly frameMaxMs: number | null
  readonly tasksMs: Spread | null
  readonly cpuMs: Spread | null
  readonly moveBlockMs: number | null
  readonly moveLateMs: number | null
  readonly failure: string | null
}

export const AIMS = {
  spans: 1e6,
  frameP95Ms: 8,
  loadMs: 1500,
  blockMs: 100,
  timesSpeedscope: 5,
  largeSpans: 1e7,
  timesFrame: 1.5,
} as const

export interface Aim {
  readonly what: string
  readonly state: 'met' | 'missed' | 'not measured'
  /** The figure and where it is from, or why there is none. */
  readonly evidence: string
}

export const framesOf = (workMs: readonly number[]): Pick<Moves, 'p50Ms' | 'p95Ms' | 'maxMs' | 'events'> => ({
  p50Ms: quantile(workMs, 0.5),
  p95Ms: quantile(workMs, 0.95),
  maxMs: Math.max(...workMs),
  events: workMs.length,
})

/** The Long Tasks API tells of tasks from here on. */
const UNTOLD_TASK_MS = 50

const spreadOf = (values: readonly number[]): Spread | null =>
  values.length === 0 ? null : { mid: median(values), low: Math.min(...values), high: Math.max(...values) }
const greatest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values)
const present = <Value>(values: readonly (Value | null)[]): readonly Value[] =>
  values.filter((value) => value !== null)

/** The longest task; where none took the 50 ms from which the browser tells them, the timer's delay is a bound of it. */
const blockOf = ({ longestTaskMs, lateMs }: Pick<Load, 'longestTaskMs' | 'lateMs'>): number =>
  longestTaskMs > 0 ? longestTaskMs : Math.min(lateMs, UNTOLD_TASK_MS)

/** One row a program, format and size, in the order in which they first came. */
export function rowsOf(visits: readonly Visit[]): readonly Row[] {
  const groups = new Map<string, Visit[]>()
  for (const visit of visits) {
    const key = `${visit.program} ${String(visit.format)} ${String(visit.spans)}`
    const group = groups.get(key)
    if (group) group.push(visit)
    else groups.set(key, [visit])
  }
  return Array.from(groups.values(), (group) => {
    const loads = present(group.map(({ load }) => load))
    const moves = present(group.map((visit) => visit.moves))
    const [first] = group as [Visit, ...Visit[]] // groups are not empty
    return {
      program: first.program,
      format: first.format,
      spans: first.spans,
      fileBytes: first.fileBytes,
      rounds: group.length,
      loadMs: spreadOf(loads.map(({ loadMs }) => loadMs)),
      loadCpuMs: spreadOf(loads.map(({ cpuMs }) => cpuMs)),
      loadBlockMs: greatest(loads.map(blockOf)),
      loadLateMs: greatest(loads.map(({ lateMs }) => lateMs)),
      events: moves.length === 0 ? null : Math.min(...moves.map((each) => each.events)),
      frameP50Ms: spreadOf(moves.map(({ p50Ms }) => p50Ms)),
      frameP95Ms: spreadOf(moves.map(({ p95Ms }) => p95Ms)),
      frameMaxMs: greatest(moves.map(({ maxMs }) => maxMs)),
      tasksMs: spreadOf(moves.map(({ tasksMs }) => tasksMs)),
      cpuMs: spreadOf(moves.map(({ cpuMs }) => cpuMs)),
      moveBlockMs: greatest(moves.map(blockOf)),
      moveLateMs: greatest(moves.map(({ lateMs }) => lateMs)),
      failure: group.find(({ failure }) => failure !== null)?.failure ?? null,
    }
  })
}

export interface LoadRatio extends Spread {
  readonly spans: number
  readonly rounds: number
  /** speedscope was given up in some round: it would have taken longer. */
  readonly isLowerBound: boolean
}

/** How many times as long speedscope takes for the same file, round by round, at the largest size that both were given. */
export function loadRatio(visits: readonly Visit[]): LoadRatio | null {
  const pairs = visits.flatMap((ours) => {
    if (ours.program !== 'the lab' || ours.format !== 'Trace Event' || !ours.load) return []
    const theirs = visits.find(
      ({ program, spans, round }) => program === 'speedscope' && spans === ours.spans && round === ours.round,
    )
    const theirsMs = theirs?.load?.loadMs ?? theirs?.gaveUpAfterMs ?? null
    if (theirsMs === null) return []
    return [{ spans: ours.spans, ratio: theirsMs / ours.load.loadMs, isLowerBound: !theirs?.load }]
  })
  const spans = Math.max(...pairs.map((pair) => pair.spans))
  const largest = pairs.filter((pair) => pair.spans === spans)
  const spread = spreadOf(largest.map(({ ratio }) => ratio))
  return (
    spread && {
      ...spread,
      spans,
      rounds: largest.length,
      isLowerBound: largest.some(({ isLowerBound }) => isLowerBound),
    }
  )
}

export const sizeLabel = (count: number): string => count.toExponential().replace('e+', 'e')
const ms = (value: number): string => `${value.toFixed(value < 20 ? 1 : 0)} ms`

/**
 * Each aim with its figure. Sizes up to that of the aims are judged (what is missed at 10^5 is not met at 10^6); met is an aim only
 * where that size was measured. A visit that failed misses what it was to show.
 */
export function judge(visits: readonly Visit[]): readonly Aim[] {
  const lab = rowsOf(visits).filter(({ program, spans }) => program === 'the lab' && spans <= AIMS.spans)
  const own = lab.filter(({ format }) => format !== 'Trace Event')
  return [
    judgeRows('p95 of a frame', AIMS.frameP95Ms, lab, ({ frameP95Ms }) => frameP95Ms?.mid),
    judgeRows('own format loaded', AIMS.loadMs, own, ({ loadMs }) => loadMs?.mid),
    judgeRows('page blocked while loading', AIMS.blockMs, lab, ({ loadBlockMs }) => loadBlockMs),
    judgeRows('page blocked while moving', AIMS.blockMs, lab, ({ moveBlockMs }) => moveBlockMs),
    judgeRatio(visits),
    judgeGrowth(rowsOf(visits).filter(({ format }) => format === 'own')),
  ]
}

/** A frame costs its pixels, not its spans. */
function judgeGrowth(own: readonly Row[]): Aim {
  const { spans, largeSpans, timesFrame } = AIMS
  const what = `p95 of a frame at ${sizeLabel(largeSpans)} spans ≤ ${String(timesFrame)} times that at ${sizeLabel(spans)}`
  const p95Of = (count: number) => own.find((row) => row.spans === count)?.frameP95Ms?.mid
  const [base, large] = [p95Of(spans), p95Of(largeSpans)]
  const failed = own.find((row) => row.spans === largeSpans && row.failure !== null)
  if (failed) return { what, state: 'missed', evidence: failed.failure ?? '' }
  if (base === undefined || large === undefined)
    return { what, state: 'not measured', evidence: 'not both were opened' }
  const evidence = `${(large / base).toFixed(2)} times: ${ms(large)} and ${ms(base)}`
  return { what, state: large <= timesFrame * base ? 'met' : 'missed', evidence }
}

function judgeRows(
  name: string,
  mostMs: number,
  rows: readonly Row[],
  figure: (row: Row) => number | null | undefined,
): Aim {
  const what = `${name} ≤ ${String(mostMs)} ms`
  const failed = rows.find(({ failure }) => failure !== null)
  if (failed) return { what, state: 'missed', evidence: `${nameOf(failed)}: ${failed.failure ?? ''}` }
  const figures = rows.flatMap((row) => {
    const value = figure(row)
    return value === null || value === undefined ? [] : [{ row, value }]
  })
  const [worst] = figures.toSorted((a, b) => b.value - a.value)
  if (!worst) return { what, state: 'not measured', evidence: 'nothing of the kind was opened' }
  const evidence = `at most ${ms(worst.value)} (${nameOf(worst.row)})`
  if (worst.value > mostMs) return { what, state: 'missed', evidence }
  return figures.some(({ row }) => row.spans === AIMS.spans)
    ? { what, state: 'met', evidence }
    : { what, state: 'not measured', evidence: `${evidence}; ${sizeLabel(AIMS.spans)} spans were not opened` }
}

const nameOf = ({ format, spans }: Row): string => `${sizeLabel(spans)} spans, ${format ?? 'no file'}`

function judgeRatio(visits: readonly Visit[]): Aim {
  const what = `Trace Event JSON ≥ ${String(AIMS.timesSpeedscope)} times as fast as speedscope`
  const ratio = loadRatio(visits)
  const failed = visits.find(
    ({ program, format, failure }) => program === 'the lab' && format === 'Trace Event' && failure !== null,
  )
  if (failed) return { what, state: 'missed', evidence: failed.failure ?? '' }
  if (!ratio) return { what, state: 'not measured', evidence: 'no file was opened by both' }
  const evidence = `${ratio.isLowerBound ? 'at least ' : ''}${ratio.mid.toFixed(1)} times at ${sizeLabel(ratio.spans)} spans (${ratio.low.toFixed(1)} to ${ratio.high.toFixed(1)} over ${String(ratio.rounds)} rounds)`
  return { what, state: ratio.mid >= AIMS.timesSpeedscope ? 'met' : 'missed', evidence }
}
