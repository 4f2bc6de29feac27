/**
 * Binary search in ascending columns, half-open like C++'s: everything before the answer is < value
 * (lower) or <= value (upper). `length` searches a prefix, because columns that grow are longer
 * than what they hold. NaN in the column is the caller's bug.
 */
export interface NumberColumn {
  readonly length: number
  readonly [index: number]: number
}

/** First index whose element is >= value; `length` when there is none. */
export function lowerBound(column: NumberColumn, value: number, length = column.length): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** First index whose element is > value; `length` when there is none. */
export function upperBound(column: NumberColumn, value: number, length = column.length): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}
