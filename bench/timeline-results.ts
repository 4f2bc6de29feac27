/**
 * From visits (one file opened in one program, once) to rows over the rounds, and which aims they meet. Pure.
 * Times: ms of the page's main thread, but for `loadMs`, which is ms of a clock on the wall.
 */
import { median, quantile } from '../src/base/stats'

export type Program = 'timeline off' | 'the lab' | 'speedscope'
export type Format = 'own' | 'Trace Event'

export interface Load {
  /** From the file input's change until the page says what it shows, and two frames more. */
  readonly loadMs: number
  /** Processor time of the page's whole process, workers among it, until a second after that. */
  readonly cpuMs: number
  /** Longest task of those of 50 ms and more, from which the browser tells them; 0 none. */
  readonly longestTaskMs: number
}

export interface Moves {
  /** Of the costliest frame after each wheel event. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
  /** Wheel events; fewer than the script has where a program is too slow for all of them in a minute. */
  readonly events: number
  /** Processor time of the main thread, a wheel event: what it does, whatever else the machine is at. */
  readonly cpuMs: number
  readonly longestTaskMs: number
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
}

/** Median over the rounds with the least and the greatest. */
export interface Spread {
  readonly mid: number
  readonly low: number
  readonly high: number
}

export type Row = ReturnType<typeof rowsOf>[number]

export const AIMS = {
  spans: 1e6,
  frameP95Ms: 8,
  loadMs: 1500,
  blockMs: 100,
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

const spreadOf = (values: readonly number[]): Spread | null =>
  values.length === 0 ? null : { mid: median(values), low: Math.min(...values), high: Math.max(...values) }
const greatest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values)

/** The browser reports no task below 50 ms. */
const blockOf = ({ longestTaskMs }: Pick<Load, 'longestTaskMs'>): number => Math.max(longestTaskMs, 50)

/** One row a program, format and size, in the order in which they first came. */
export function rowsOf(visits: readonly Visit[]) {
  const groups = new Map<string, [Visit, ...Visit[]]>()
  for (const visit of visits) {
    const key = `${visit.program} ${String(visit.format)} ${String(visit.spans)}`
    const group = groups.get(key)
    if (group) group.push(visit)
    else groups.set(key, [visit])
  }
  return Array.from(groups.values(), (group) => {
    const loads = group.flatMap(({ load }) => load ?? [])
    const moves = group.flatMap((visit) => visit.moves ?? [])
    const { program, format, spans, fileBytes } = group[0]
    return {
      program,
      format,
      spans,
      fileBytes,
      rounds: group.length,
      loadMs: spreadOf(loads.map(({ loadMs }) => loadMs)),
      loadCpuMs: spreadOf(loads.map(({ cpuMs }) => cpuMs)),
      /** The longest of all rounds; 50 where none took as long. */
      loadBlockMs: greatest(loads.map(blockOf)),
      /** The fewest wheel events of all rounds. */
      events: moves.length === 0 ? null : Math.min(...moves.map((each) => each.events)),
      frameP50Ms: spreadOf(moves.map(({ p50Ms }) => p50Ms)),
      frameP95Ms: spreadOf(moves.map(({ p95Ms }) => p95Ms)),
      frameMaxMs: greatest(moves.map(({ maxMs }) => maxMs)),
      cpuMs: spreadOf(moves.map(({ cpuMs }) => cpuMs)),
      moveBlockMs: greatest(moves.map(blockOf)),
      failure: group.find(({ failure }) => failure !== null)?.failure ?? null,
    }
  })
}

export const sizeLabel = (count: number): string => count.toExponential().replace('e+', 'e')
const ms = (value: number): string => `${value.toFixed(value < 20 ? 1 : 0)} ms`

/**
 * Each aim with its figure. Sizes up to that of the aims are judged (what is missed at 10^5 is not met at 10^6); met is an aim only
 * where that size was measured. A visit that failed misses what it was to show.
 */
export function judge(visits: readonly Visit[]): readonly Aim[] {
  const rows = rowsOf(visits)
  const lab = rows.filter(({ program, spans }) => program === 'the lab' && spans <= AIMS.spans)
  const own = lab.filter(({ format }) => format === 'own')
  return [
    judgeRows('p95 of a frame', AIMS.frameP95Ms, lab, ({ frameP95Ms }) => frameP95Ms?.mid),
    judgeRows('own format loaded', AIMS.loadMs, own, ({ loadMs }) => loadMs?.mid),
    judgeRows('page blocked while loading', AIMS.blockMs, lab, ({ loadBlockMs }) => loadBlockMs),
    judgeRows('page blocked while moving', AIMS.blockMs, lab, ({ moveBlockMs }) => moveBlockMs),
    judgeGrowth(rows.filter(({ format }) => format === 'own')),
  ]
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

/** A frame costs its pixels, not its spans. */
function judgeGrowth(own: readonly Row[]): Aim {
  const { spans, largeSpans, timesFrame } = AIMS
  const what = `p95 of a frame at ${sizeLabel(largeSpans)} spans ≤ ${String(timesFrame)} times that at ${sizeLabel(spans)}`
  const [large, small] = [largeSpans, spans].map((count) => own.find((row) => row.spans === count))
  const failed = [large, small].find((row) => row?.failure != null)
  if (failed) return { what, state: 'missed', evidence: `${nameOf(failed)}: ${failed.failure ?? ''}` }
  const [over, under] = [large?.frameP95Ms?.mid, small?.frameP95Ms?.mid]
  if (over === undefined || under === undefined)
    return { what, state: 'not measured', evidence: 'not both were opened' }
  const evidence = `${(over / under).toFixed(2)} times: ${ms(over)} and ${ms(under)}`
  return { what, state: over / under <= timesFrame ? 'met' : 'missed', evidence }
}
