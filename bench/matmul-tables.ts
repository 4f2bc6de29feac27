/**
 * The results as a person reads them: one table of all shapes in Markdown, and what holds for all
 * of it.
 */
import type { Results, Row } from './matmul-results'
import { formatShape } from './matmul-shapes'

type Sides = Row['shape']
const shapeText = ([m, n, k]: Sides): string => formatShape({ m, n, k })
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
const threeFigures = (value: number): string =>
  value >= 99.95 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
/**
 * Measured after the others, by bench/cublas.py: never 'the best other', which ran in the same
 * page.
 */
const CUBLAS = 'cublas'
const NAMES: Readonly<Record<string, string>> = {
  lab: 'lab',
  tfjs: 'tfjs-backend-webgpu',
  ort: 'onnxruntime-web',
  jax: 'jax-js',
  [CUBLAS]: 'cuBLAS',
}
const nameOf = (library: string): string => NAMES[library] ?? library

/** Below the table: rows without a figure, and rows in which the host was timed. */
export const notesText = ({ rows }: Pick<Results, 'rows'>): string =>
  rows
    .flatMap(({ library, kernel, shape, error, hostShare }) => {
      const notes = [
        ...(error === undefined ? [] : [error]),
        ...((hostShare ?? 0) > 0.5 ? [`${percent(hostShare ?? 0)} of the time the page was submitting`] : []),
      ]
      return notes.map((note) => `${shapeText(shape)} ${`${library} ${kernel}`.trim()}: ${note}`)
    })
    .join('\n')

/**
 * All shapes in one table: rates in TFLOP/s, the lab's kernel, its ratio to the best of the others,
 * and to cuBLAS where that was measured.
 */
export function markdownTable({ rows, ratios, adapter, date, userAgent, versions }: Results): string {
  const libraries = [...new Set(rows.map(({ library }) => library))]
  const hasCublas = libraries.includes(CUBLAS)
  const heads = [
    'M×N×K',
    ...libraries.map(nameOf),
    'lab ÷ best other',
    ...(hasCublas ? ['lab ÷ cuBLAS'] : []),
    'lab’s kernel',
  ]
  const cells = [...new Set(rows.map(({ shape }) => shapeText(shape)))].map((shape) => {
    const find = (library: string) =>
      rows.find((row) => row.library === library && shapeText(row.shape) === shape)
    const lab = find('lab')
    const best = ratios.find((ratio) => ratio.isBest && shapeText(ratio.shape) === shape)
    const cublas = find(CUBLAS)?.tflops
    return [
      shape,
      ...libraries.map((library) => {
        const tflops = find(library)?.tflops
        return tflops == null ? '–' : threeFigures(tflops)
      }),
      best ? `${threeFigures(best.ratio)} (${threeFigures(best.low)} to ${threeFigures(best.high)})` : '–',
      ...(hasCublas ? [lab?.tflops == null || cublas == null ? '–' : percent(lab.tflops / cublas)] : []),
      lab?.kernel ?? '–',
    ]
  })
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
  const isText = (at: number): boolean => at === 0 || at === heads.length - 1
  const chrome = /Chrome\/(\d+)/.exec(userAgent)?.[1]
  const made = [
    `f32 matrix product, TFLOP/s, on ${adapter}`,
    chrome === undefined ? '' : `Chromium ${chrome}`,
    date.slice(0, 10),
    ...Object.entries(versions).map(([library, version]) => `${nameOf(library)} ${version}`),
  ]
  return [
    `${made.filter(Boolean).join(', ')}.`,
    '',
    line(heads),
    `| ${heads.map((_, at) => (isText(at) ? '---' : '---:')).join(' | ')} |`,
    ...cells.map(line),
  ].join('\n')
}
