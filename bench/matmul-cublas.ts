/** Rows of the library 'cublas' for a results file, from what bench/cublas.py measured on the same GPU right after it. Pure. */
import * as v from 'valibot'
import { medianInterval } from '../src/base/stats'
import { count, dictionary, number, problemIn } from '../src/base/shape'
import type { Detail, Ratio, Results, Row } from './matmul-results'
import { flopsOf, formatShape } from './matmul-shapes'

export const CUBLAS = 'cublas'
const KERNEL = 'torch.matmul'

const cublasShape = v.object({
  device: v.string(),
  date: v.pipe(v.string(), v.isoTimestamp()),
  versions: dictionary(v.string()),
  method: v.string(),
  rows: v.array(
    v.object({
      shape: v.tuple([number, number, number]),
      samplesMs: v.pipe(v.array(v.pipe(number, v.gtValue(0))), v.nonEmpty()),
      products: count,
      checked: count,
      maxRelativeError: number,
      tolerance: number,
    }),
  ),
})
type CublasResults = v.InferOutput<typeof cublasShape>
type CublasRow = CublasResults['rows'][number]

/** A later run meets another temperature, other clocks, perhaps another driver. */
const LATEST_AFTER_MS = 60 * 60 * 1000

const isOf =
  ([m, n, k]: Row['shape']) =>
  ({ shape }: { readonly shape: Row['shape'] }): boolean =>
    shape[0] === m && shape[1] === n && shape[2] === k

function rowOf({ shape, samplesMs, checked, maxRelativeError, tolerance }: CublasRow): Row {
  const [m, n, k] = shape
  const { median, low, high } = medianInterval(samplesMs)
  const tflops = (ms: number): number => flopsOf({ m, n, k }) / (ms * 1e9)
  const common = { library: CUBLAS, kernel: KERNEL, shape, n: samplesMs.length }
  return checked > 0 && maxRelativeError <= tolerance
    ? { ...common, verified: true, tflops: tflops(median), low: tflops(high), high: tflops(low) }
    : { ...common, verified: false, tflops: null, low: null, high: null, error: 'its result is wrong' }
}

const detailOf = ({
  shape,
  samplesMs,
  checked,
  maxRelativeError,
  tolerance,
  products,
}: CublasRow): Detail => ({
  library: CUBLAS,
  kernel: KERNEL,
  shape,
  checked,
  failed: Number(maxRelativeError > tolerance),
  maxRelativeError,
  tolerance,
  products: [products, products],
  dispatchesPerProduct: null,
  productsPerSubmit: null,
  hostShare: null,
  fixedMs: null,
  samplesMs,
})

/** Measured one after the other: the interval is that of the ends of both. Never the best of the others, which are of this page. */
function ratioOf(cublas: Row, rows: readonly Row[]): readonly Ratio[] {
  const lab = rows.find((row) => row.library === 'lab' && isOf(cublas.shape)(row))
  if (lab?.tflops == null || lab.low === null || lab.high === null) return []
  if (cublas.tflops === null || cublas.low === null || cublas.high === null) return []
  return [
    {
      shape: cublas.shape,
      library: CUBLAS,
      ratio: lab.tflops / cublas.tflops,
      low: lab.low / cublas.high,
      high: lab.high / cublas.low,
      isBest: false,
    },
  ]
}

/** Throws with what is wrong: an illegible file, another GPU, another hour, shapes that are missing. What was joined before is replaced. */
export function joinCublas(results: Results, file: string): Results {
  const value: unknown = JSON.parse(file)
  const wrong = problemIn(cublasShape, value, 'cuBLAS results')
  if (wrong !== null) throw new Error(wrong)
  const cublas = value as CublasResults
  if (cublas.device !== results.adapter)
    throw new Error(`cuBLAS ran on ${cublas.device}, the bench on ${results.adapter}.`)
  const laterMs = Date.parse(cublas.date) - Date.parse(results.date)
  if (!(laterMs >= 0 && laterMs <= LATEST_AFTER_MS))
    throw new Error(
      `cuBLAS ran at ${cublas.date}, the bench at ${results.date}: it must be within the hour after.`,
    )
  const isOther = ({ library }: { readonly library: string }): boolean => library !== CUBLAS
  const rows = results.rows.filter(isOther)
  for (const { shape } of rows)
    if (!cublas.rows.some(isOf(shape))) {
      const [m, n, k] = shape
      throw new Error(`There is no time of cuBLAS for ${formatShape({ m, n, k })}.`)
    }
  const joined = cublas.rows.map(rowOf)
  const { torch, cuda } = cublas.versions
  return {
    ...results,
    versions: { ...results.versions, [CUBLAS]: `of CUDA ${cuda ?? '?'}, PyTorch ${torch ?? '?'}` },
    scheduling: { ...results.scheduling, [CUBLAS]: cublas.method },
    rows: [...rows, ...joined],
    ratios: [...results.ratios.filter(isOther), ...joined.flatMap((row) => ratioOf(row, rows))],
    details: [...results.details.filter(isOther), ...cublas.rows.map(detailOf)],
  }
}
