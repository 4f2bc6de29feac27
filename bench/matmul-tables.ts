/** The results as a person reads them: a table for each shape in the terminal, and one table of all shapes in Markdown. */
import * as v from 'valibot'
import { formatFigure, textTable } from '../cli/text-table'
import { dictionary, number, problemIn } from '../src/base/shape'
import { CUBLAS } from './matmul-cublas'
import type { Results, Row } from './matmul-results'
import { formatShape } from './matmul-shapes'

type Sides = Row['shape']
const shapeText = ([m, n, k]: Sides): string => formatShape({ m, n, k })
const sameShape = (one: Sides, other: Sides): boolean => one.every((side, at) => side === other[at])
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
const threeFigures = (value: number): string =>
  value >= 99.95 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
const NAMES: Readonly<Record<string, string>> = {
  lab: 'lab',
  tfjs: 'tfjs-backend-webgpu',
  ort: 'onnxruntime-web',
  jax: 'jax-js',
  cublas: 'cuBLAS',
}

/** One shape; below the table why a row has no figure. Rates below 1 TFLOP/s throughout are in GFLOP/s. */
export function shapeTable({ rows, ratios, details, fmaPeakTflops }: Results, shape: Sides): string {
  const own = rows.filter((row) => sameShape(row.shape, shape))
  const isSmall = Math.max(...own.map(({ tflops }) => tflops ?? 0)) < 1
  const rate = (tflops: number | null): string =>
    tflops === null ? '' : formatFigure(isSmall ? tflops * 1000 : tflops)
  const cells = own.map((row) => {
    const { library, kernel, tflops, low, high } = row
    if (tflops === null) return [library, kernel, '–']
    const ratio = ratios.find((each) => sameShape(each.shape, shape) && each.library === library)
    const detail = details.find(
      (each) => sameShape(each.shape, shape) && each.library === library && each.kernel === kernel,
    )
    return [
      library,
      kernel,
      rate(tflops),
      `${rate(low)} … ${rate(high)}`,
      ratio
        ? `${threeFigures(ratio.ratio)} (${threeFigures(ratio.low)} … ${threeFigures(ratio.high)})${ratio.isBest ? ' best' : ''}`
        : '',
      fmaPeakTflops ? percent(tflops / fmaPeakTflops.value) : '',
      detail?.hostShare == null ? '' : percent(detail.hostShare),
      String(row.n),
    ]
  })
  const heads = [
    'library',
    'kernel',
    isSmall ? 'GFLOP/s' : 'TFLOP/s',
    'interval',
    'lab is … times',
    'of peak',
    'host',
    'n',
  ]
  const reasons = own.flatMap(({ library, kernel, error }) =>
    error === undefined ? [] : [`${library} ${kernel}: ${error}`],
  )
  return [shapeText(shape), textTable([heads, ...cells], [2, 5, 6, 7]), ...reasons].join('\n')
}

/** What holds for all shapes, below the tables. */
export function notesText({
  fmaPeakTflops,
  fmaPeakNote,
  emptyChainMs,
  details,
  scheduling,
}: Results): string {
  const fixed = [...new Set(details.map(({ library }) => library))].flatMap((library) => {
    const costs = details.filter((each) => each.library === library).flatMap(({ fixedMs }) => fixedMs ?? [])
    const middle = costs.sort((one, other) => one - other)[costs.length >> 1]
    return middle === undefined ? [] : [`${library} ${middle.toFixed(1)} ms`]
  })
  const lines = [
    fmaPeakTflops
      ? `peak: ${formatFigure(fmaPeakTflops.value)} TFLOP/s (${formatFigure(fmaPeakTflops.low)} … ${formatFigure(fmaPeakTflops.high)}), fused multiply-adds in registers, measured on this device`
      : `peak: not measured (${fmaPeakNote ?? 'no reason given'})`,
    'host: share of a chain’s time in which the page was still submitting; near 100 %, the library’s host side is what was timed',
    `outside the figures, by chain: ${fixed.join(', ') || 'not measured'}; a chain of no products: ${emptyChainMs === null ? 'not measured' : `${emptyChainMs.toFixed(2)} ms`}`,
    ...Object.entries(scheduling).map(([library, how]) => `${library}: ${how}`),
  ]
  return lines.join('\n')
}

const resultsShape = v.object({
  adapter: v.string(),
  userAgent: v.string(),
  date: v.string(),
  versions: dictionary(v.string()),
  fmaPeakTflops: v.nullable(v.object({ value: number, low: number, high: number })),
  rows: v.array(
    v.object({
      library: v.string(),
      kernel: v.string(),
      shape: v.tuple([number, number, number]),
      tflops: v.nullable(number),
      low: v.nullable(number),
      high: v.nullable(number),
      n: number,
      verified: v.boolean(),
      error: v.exactOptional(v.string()),
    }),
  ),
  ratios: v.array(
    v.object({
      shape: v.tuple([number, number, number]),
      library: v.string(),
      ratio: number,
      low: number,
      high: number,
      isBest: v.boolean(),
    }),
  ),
})

/** A results file's text; throws with what is wrong and where. */
export function readResults(file: string): Results {
  const value: unknown = JSON.parse(file)
  const wrong = problemIn(resultsShape, value, 'results')
  if (wrong !== null) throw new Error(wrong)
  return value as Results
}

/** All shapes in one table: rates in TFLOP/s (GFLOP/s where all are small), the lab's kernel, its ratio to the best of the others, and to cuBLAS or else to the peak. */
export function markdownTable({
  rows,
  ratios,
  adapter,
  date,
  userAgent,
  versions,
  fmaPeakTflops,
}: Results): string {
  const libraries = [...new Set(rows.map(({ library }) => library))].filter(
    (library) => library !== 'lab kernel',
  )
  const hasCublas = libraries.includes(CUBLAS)
  const shapes = rows
    .map(({ shape }) => shape)
    .filter((shape, at, all) => all.findIndex((each) => sameShape(each, shape)) === at)
  const isSmall = rows.every(({ tflops }) => (tflops ?? 0) < 1)
  const unit = isSmall ? 'GFLOP/s' : 'TFLOP/s'
  const rate = (tflops: number): string => threeFigures(isSmall ? tflops * 1000 : tflops)
  const heads = [
    'M×N×K',
    ...libraries.map((library) => NAMES[library] ?? library),
    'lab ÷ best other',
    hasCublas ? 'lab ÷ cuBLAS' : 'of peak',
    'lab’s kernel',
  ]
  const cells = shapes.map((shape) => {
    const find = (library: string) =>
      rows.find((row) => row.library === library && sameShape(row.shape, shape))
    const lab = find('lab')
    const best = ratios.find((ratio) => ratio.isBest && sameShape(ratio.shape, shape))
    const cublas = ratios.find((ratio) => ratio.library === CUBLAS && sameShape(ratio.shape, shape))
    const ofPeak = fmaPeakTflops && lab?.tflops != null ? lab.tflops / fmaPeakTflops.value : undefined
    const share = hasCublas ? cublas?.ratio : ofPeak
    return [
      shapeText(shape),
      ...libraries.map((library) => {
        const row = find(library)
        return row?.tflops == null ? (row?.error ?? '–') : rate(row.tflops)
      }),
      best ? `${threeFigures(best.ratio)} (${threeFigures(best.low)} to ${threeFigures(best.high)})` : '–',
      share === undefined ? '–' : percent(share),
      lab?.kernel ?? '–',
    ]
  })
  const escaped = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const line = (row: readonly string[]): string => `| ${row.map(escaped).join(' | ')} |`
  const isText = (at: number): boolean => at === 0 || at === heads.length - 1
  const chrome = /Chrome\/(\d+)/.exec(userAgent)?.[1]
  const made = [
    `f32 matrix product, ${unit}, on ${adapter}`,
    chrome === undefined ? '' : `Chromium ${chrome}`,
    date.slice(0, 10),
    ...Object.entries(versions).map(([library, version]) => `${NAMES[library] ?? library} ${version}`),
    fmaPeakTflops ? `measured peak ${rate(fmaPeakTflops.value)} ${unit}` : '',
  ]
  return [
    `${made.filter(Boolean).join(', ')}.`,
    '',
    line(heads),
    `| ${heads.map((_, at) => (isText(at) ? '---' : '---:')).join(' | ')} |`,
    ...cells.map(line),
  ].join('\n')
}
