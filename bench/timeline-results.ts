/**
 * Visits (one file opened in one program, once) become rows over the rounds here; the rows tell
 * which aims they meet, and both become text for a terminal. Pure. Times: ms of the page's main
 * thread, but for `loadMs`, which is ms of a clock on the wall.
 */
import { textTable } from '../cli/text-table'
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
  /**
   * Wheel events; fewer than the script has where a program is too slow for all of them in a
   * minute.
   */
  readonly events: number
  /**
   * Processor time of the main thread, a wheel event: what it does, whatever else the machine is
   * at.
   */
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
interface Spread {
  readonly mid: number
  readonly low: number
  readonly high: number
}

/** The browser reports no task below 50 ms. */
const blockOf = ({ longestTaskMs }: Pick<Load, 'longestTaskMs'>): number => Math.max(longestTaskMs, 50)

/** What a visit measured, each with the head of its column. */
const FIGURES = {
  loadMs: ['load', ({ load }) => load?.loadMs],
  loadCpuMs: ['cpu', ({ load }) => load?.cpuMs],
  loadBlockMs: ['block', ({ load }) => load && blockOf(load)],
  events: ['wheels', ({ moves }) => moves?.events],
  frameP50Ms: ['frame p50', ({ moves }) => moves?.p50Ms],
  frameP95Ms: ['p95', ({ moves }) => moves?.p95Ms],
  frameMaxMs: ['max', ({ moves }) => moves?.maxMs],
  cpuMs: ['cpu', ({ moves }) => moves?.cpuMs],
  moveBlockMs: ['block', ({ moves }) => moves && blockOf(moves)],
} as const satisfies Readonly<
  Record<string, readonly [head: string, of: (visit: Visit) => number | null | undefined]>
>
type Figure = keyof typeof FIGURES
const NAMES = Object.keys(FIGURES) as Figure[]

type Row = Pick<Visit, 'program' | 'format' | 'spans' | 'fileBytes' | 'failure'> & {
  readonly rounds: number
} & Readonly<Partial<Record<Figure, Spread>>>

export const framesOf = (workMs: readonly number[]): Pick<Moves, 'p50Ms' | 'p95Ms' | 'maxMs' | 'events'> => ({
  p50Ms: quantile(workMs, 0.5),
  p95Ms: quantile(workMs, 0.95),
  maxMs: Math.max(...workMs),
  events: workMs.length,
})

/** One row a program, format and size, in the order in which they first came. */
export function rowsOf(visits: readonly Visit[]): readonly Row[] {
  const keyOf = ({ program, format, spans }: Visit) => `${program} ${String(format)} ${String(spans)}`
  return [...new Map(visits.map((visit) => [keyOf(visit), visit]))].map(([key, visit]) => {
    const { program, format, spans, fileBytes } = visit
    const group = visits.filter((each) => keyOf(each) === key)
    const figures = NAMES.flatMap((name) => {
      const values = group.flatMap((each) => FIGURES[name][1](each) ?? [])
      const spread = { mid: median(values), low: Math.min(...values), high: Math.max(...values) }
      return values.length === 0 ? [] : [[name, spread] as const]
    })
    const failure = group.find((each) => each.failure !== null)?.failure ?? null
    return {
      program,
      format,
      spans,
      fileBytes,
      rounds: group.length,
      failure,
      ...Object.fromEntries(figures),
    }
  })
}

const AIM_SPANS = 1e6
const LARGE_SPANS = 1e7
/**
 * A frame at the larger size may take so many times as long as at the smaller: it costs its pixels,
 * not its spans.
 */
const TIMES_FRAME = 1.5

export interface Aim {
  readonly what: string
  readonly state: 'met' | 'missed' | 'not measured'
  /** The figure and where it is from, or why there is none. */
  readonly evidence: string
}

export const sizeLabel = (count: number): string => count.toExponential().replace('e+', 'e')
const figure = (value: number): string => value.toFixed(value < 20 ? 1 : 0)
const ms = (value: number): string => `${figure(value)} ms`
const nameOf = ({ format, spans }: Row): string => `${sizeLabel(spans)} spans, ${format ?? 'no file'}`

/**
 * Each aim with its figure. Sizes up to that of the aims are judged (what is missed at 10^5 is not
 * met at 10^6); met is an aim only where that size was measured. A visit that failed misses what it
 * was to show.
 */
export function judge(visits: readonly Visit[]): readonly Aim[] {
  const rows = rowsOf(visits)
  const lab = rows.filter(({ program, spans }) => program === 'the lab' && spans <= AIM_SPANS)
  const isOwn = ({ format }: Row) => format === 'own'
  return [
    judgeRows('p95 of a frame', 8, lab, ({ frameP95Ms }) => frameP95Ms?.mid),
    judgeRows('own format loaded', 1500, lab.filter(isOwn), ({ loadMs }) => loadMs?.mid),
    judgeRows('page blocked while loading', 100, lab, ({ loadBlockMs }) => loadBlockMs?.high),
    judgeRows('page blocked while moving', 100, lab, ({ moveBlockMs }) => moveBlockMs?.high),
    judgeGrowth(rows.filter(isOwn)),
  ]
}

function judgeRows(
  name: string,
  mostMs: number,
  rows: readonly Row[],
  valueOf: (row: Row) => number | undefined,
): Aim {
  const what = `${name} ≤ ${String(mostMs)} ms`
  const failed = rows.find(({ failure }) => failure !== null)
  if (failed) return { what, state: 'missed', evidence: `${nameOf(failed)}: ${failed.failure ?? ''}` }
  const figures = rows.flatMap((row) => {
    const value = valueOf(row)
    return value === undefined ? [] : [{ row, value }]
  })
  const [worst] = figures.toSorted((a, b) => b.value - a.value)
  if (!worst) return { what, state: 'not measured', evidence: 'nothing of the kind was opened' }
  const evidence = `at most ${ms(worst.value)} (${nameOf(worst.row)})`
  if (worst.value > mostMs) return { what, state: 'missed', evidence }
  return figures.some(({ row }) => row.spans === AIM_SPANS)
    ? { what, state: 'met', evidence }
    : { what, state: 'not measured', evidence: `${evidence}; ${sizeLabel(AIM_SPANS)} spans were not opened` }
}

function judgeGrowth(own: readonly Row[]): Aim {
  const what = `p95 of a frame at ${sizeLabel(LARGE_SPANS)} spans ≤ ${String(TIMES_FRAME)} times that at ${sizeLabel(AIM_SPANS)}`
  const [large, small] = [LARGE_SPANS, AIM_SPANS].map((count) => own.find((row) => row.spans === count))
  const failed = [large, small].find((row) => row?.failure != null)
  if (failed) return { what, state: 'missed', evidence: `${nameOf(failed)}: ${failed.failure ?? ''}` }
  const [over, under] = [large?.frameP95Ms?.mid, small?.frameP95Ms?.mid]
  if (over === undefined || under === undefined)
    return { what, state: 'not measured', evidence: 'not both were opened' }
  const evidence = `${(over / under).toFixed(2)} times: ${ms(over)} and ${ms(under)}`
  return { what, state: over / under <= TIMES_FRAME ? 'met' : 'missed', evidence }
}

const spreadText = (spread: Spread | undefined): string => {
  if (!spread) return ''
  const { mid, low, high } = spread
  return low === high ? figure(mid) : `${figure(mid)} (${figure(low)}–${figure(high)})`
}

const HEADS = ['spans', 'who', 'file', 'MB', ...NAMES.map((name) => FIGURES[name][0]), '']
const cells = (row: Row): readonly string[] => [
  row.format === null ? '' : sizeLabel(row.spans),
  row.program,
  row.format ?? 'none',
  row.format === null ? '' : figure(row.fileBytes / 1e6),
  ...NAMES.map((name) => spreadText(row[name])),
  row.failure ?? '',
]

const NOTES = `Milliseconds: the median over the rounds (least–greatest).
  load       from the file input's change until the timeline names all spans, and two frames more
  block      longest task of the page's main thread by the Long Tasks API; 50 where none took as long
  wheels     wheel events of the scripted pan and zoom; fewer where they took more than a minute
  frame      main-thread work of the costliest frame after a wheel event: input, callbacks, style, layout, paint; no waiting for the display
  cpu        processor time, of all the page's threads for a load, of its main thread for a wheel event: what remains on a machine that is
             busy with other things, where all else here is too long
'timeline off' is the same wheel on the same page with no file opened.`

export const resultsText = (visits: readonly Visit[], aims: readonly Aim[]): string =>
  [
    textTable([HEADS, ...rowsOf(visits).map(cells)], [...HEADS.keys()].slice(3, -1)),
    NOTES,
    `Aims at ${sizeLabel(AIM_SPANS)} spans:\n${textTable(aims.map(({ what, state, evidence }) => [state, what, evidence]))}`,
  ].join('\n\n')
