/**
 * A product of matrices, of which only what is read is worked out: single entries where few are
 * asked for, rows where a copy is read on, sums of columns where a kernel adds up all of it. In
 * float64, rounded once.
 */
import { madeOnce } from '../base/lists'
import { timesMatrix } from '../gpu/kernels/matmul/chain'
import { floatOf, type Source } from './contents'

/**
 * Multiply-adds that may still be worked out for those who read results, and words that were asked
 * for beyond that.
 */
export interface Effort {
  left: number
  leftOut: number
  /** Products of which something was worked out, by the names of their matrices. */
  readonly products: Map<string, Factors>
  /** Whole ones, by their names. */
  readonly matrices: Map<string, Float32Array>
}

export interface Factors {
  readonly name: string
  readonly row: (row: number) => Float64Array
  readonly entry: (row: number, column: number) => number
  readonly columnSums: () => Float64Array
}

/** Fewer of a row are worked out one by one. */
const FEW = 16
/**
 * Numbers of a matrix that is worked out as a whole even for one entry: others will be asked for.
 */
const SMALL = 2 ** 20

export function floatsOf({ at, read }: Source, first: number, count: number): Float32Array {
  const words = new Uint32Array(count)
  if (read) read(words, first)
  else for (let index = 0; index < count; index += 1) words[index] = at(first + index)
  return new Float32Array(words.buffer)
}

/** Sums of the columns of the first `count` numbers, in rows of `columns`. */
function columnSums(source: Source, count: number, columns: number): Float64Array {
  const known = source.columnSums?.(count)
  if (known?.length === columns) return known
  const sums = new Float64Array(columns)
  for (let from = 0; from < count; from += columns)
    for (const [column, value] of floatsOf(source, from, columns).entries())
      sums[column] = (sums[column] ?? 0) + value
  return sums
}

export function total(source: Source, count: number): number {
  const sums = source.columnSums?.(count) ?? floatsOf(source, 0, count)
  let all = 0
  for (const each of sums) all += each
  return all
}

/** A · B: rows of k times columns of k, n of them. */
function workOut(
  name: string,
  a: Source,
  b: Source,
  [m, n, k]: readonly [number, number, number],
  effort: Effort,
): Factors {
  const rows = new Map<number, Float64Array>()
  const entries = new Map<number, number>()
  const nameOfB = b.name()
  let sums: Float64Array | undefined
  const left = new Map<number, Float32Array>()
  const rowOfA = (row: number): Float32Array => madeOnce(left, row, () => floatsOf(a, row * k, k))
  const affords = (multiplyAdds: number): boolean => {
    if (effort.left < multiplyAdds) {
      effort.leftOut += 1
      return false
    }
    effort.left -= multiplyAdds
    return true
  }
  const allOfB = (): Float32Array => madeOnce(effort.matrices, nameOfB, () => floatsOf(b, 0, k * n))
  const timesB = (vector: Float32Array | Float64Array): Float64Array => {
    if (!affords(k * n)) return new Float64Array(n).fill(Number.NaN)
    return timesMatrix(vector, allOfB(), n)
  }
  return {
    name,
    row: (row) => madeOnce(rows, row, () => timesB(rowOfA(row))),
    entry: (row, column) => {
      const known = rows.get(row)?.[column] ?? entries.get(row * n + column)
      if (known !== undefined) return known
      if (!affords(k)) return Number.NaN
      const numbers = rowOfA(row)
      const matrix = k * n <= SMALL ? allOfB() : effort.matrices.get(nameOfB)
      let sum = 0
      for (let i = 0; i < k; i += 1)
        sum += (numbers[i] ?? 0) * (matrix ? (matrix[i * n + column] ?? 0) : floatOf(b.at(i * n + column)))
      entries.set(row * n + column, sum)
      return sum
    },
    columnSums: () => (sums ??= timesB(columnSums(a, m * k, k))),
  }
}

/** A product that was added so many times: the next one of the same matrices only counts. */
export interface Product {
  readonly factors: Factors
  readonly alpha: number
  readonly times: number
  readonly before: Source | null
}

/** A · B, which may have been worked out before. */
export function factorsOf(
  a: Source,
  b: Source,
  shape: readonly [number, number, number],
  effort: Effort,
): Factors {
  const name = `${a.name()} · ${b.name()} as ${shape.join(' × ')}`
  return madeOnce(effort.products, name, () => workOut(name, a, b, shape, effort))
}

/** `before` + `times` · alpha · A · B. */
export function productSource(
  { factors: { name, entry, row, columnSums: sumsOf }, alpha, times, before }: Product,
  [m, n]: readonly [number, number],
): Source {
  const added = (start: number, value: number): number => {
    let sum = start
    for (let count = 0; count < times; count += 1) sum = Math.fround(sum + alpha * value)
    return sum
  }
  const bits = new Uint32Array(1)
  const float = new Float32Array(bits.buffer)
  const wordAt = (index: number): number => {
    float[0] = added(before ? floatOf(before.at(index)) : 0, entry(Math.floor(index / n), index % n))
    return bits[0] ?? 0
  }
  return {
    name: () => `(${name}) × ${String(alpha * times)} + ${before?.name() ?? '0'}`,
    at: wordAt,
    read: (into, first) => {
      if (into.length < FEW) {
        for (let at = 0; at < into.length; at += 1) into[at] = wordAt(first + at)
        return
      }
      const numbers = new Float32Array(into.buffer, into.byteOffset, into.length)
      const started = before ? floatsOf(before, first, into.length) : null
      for (let at = 0; at < into.length;) {
        const [number, column] = [Math.floor((first + at) / n), (first + at) % n]
        const values = row(number)
        for (let i = column; i < n && at < into.length; i += 1, at += 1)
          numbers[at] = added(started?.[at] ?? 0, values[i] ?? Number.NaN)
      }
    },
    columnSums: (count) =>
      count === m * n
        ? sumsOf().map(
            (sum, column) => (before ? (columnSums(before, count, n)[column] ?? 0) : 0) + times * alpha * sum,
          )
        : null,
  }
}
