/**
 * A column of numbers in few bytes, exactly. Each value is told as its difference from one that came before; which, the caller says.
 *
 *   whole   whole numbers (and NaN, for 'none')
 *   clock   host times: a browser's clock steps by some µs in milliseconds, so that in ns a time is a whole number of steps and what
 *           double arithmetic left of it. Both parts whole: v = (m · 2^−e) · 1e6, m = round(steps · step · 2^e / 1e6) + rest
 *   raw     anything else: the eight bytes of each, first bytes first, so that what compresses stands together
 */
import { LARGEST_WHOLE, unzigzag, zigzag, type ByteReader, type ByteWriter } from './bytes'

const WHOLE = 0
const CLOCK = 1
const RAW = 2
const EXPONENTS = Array.from({ length: 24 }, (_, index) => 24 + index)

/** For each position the earlier one it is likely to be near; −1: none. */
export type Predictor = (position: number) => number

interface ClockParts {
  readonly exponent: number
  readonly steps: Float64Array
  readonly rests: Float64Array
}

const isWhole = (value: number): boolean =>
  Number.isNaN(value) ||
  (Number.isInteger(value) && Math.abs(value) <= LARGEST_WHOLE && !Object.is(value, -0))

const valueAt = (mantissa: number, exponent: number): number => mantissa * 2 ** -exponent * 1e6
const mantissaOf = (value: number, exponent: number): number => Math.round((value / 1e6) * 2 ** exponent)
const expected = (steps: number, stepNs: number, exponent: number): number =>
  Math.round(((steps * stepNs) / 1e6) * 2 ** exponent)

function clockParts(values: ArrayLike<number>, stepNs: number): ClockParts | null {
  const exponent = EXPONENTS.find((each) => {
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] ?? 0
      const mantissa = mantissaOf(value, each)
      if (!(Math.abs(mantissa) <= LARGEST_WHOLE) || !Object.is(valueAt(mantissa, each), value)) return false
    }
    return true
  })
  if (exponent === undefined) return null
  const [steps, rests] = [new Float64Array(values.length), new Float64Array(values.length)]
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    steps[at] = Math.round(value / stepNs)
    rests[at] = mantissaOf(value, exponent) - expected(steps[at] ?? 0, stepNs, exponent)
  }
  return { exponent, steps, rests }
}

/** `stepNs`: of the clock that the values are from; 1 where they are from none. */
export function writeNumbers(
  out: ByteWriter,
  values: ArrayLike<number>,
  predictor: Predictor,
  stepNs: number,
): void {
  let whole = true
  for (let at = 0; whole && at < values.length; at += 1) whole = isWhole(values[at] ?? 0)
  if (whole) {
    out.byte(WHOLE)
    writeWhole(out, values, predictor)
    return
  }
  const clock = clockParts(values, stepNs)
  if (clock) {
    out.byte(CLOCK)
    out.byte(clock.exponent)
    writeWhole(out, clock.steps, predictor)
    // Where the step is the same, so is mostly the reading of the clock, and with it the rest.
    for (let at = 0; at < values.length; at += 1) {
      const from = predictor(at)
      const isSame = from >= 0 && clock.steps[from] === clock.steps[at]
      out.signed((clock.rests[at] ?? 0) - (isSame ? (clock.rests[from] ?? 0) : 0))
    }
    return
  }
  out.byte(RAW)
  const bytes = new Uint8Array(Float64Array.from(values).buffer)
  for (let plane = 7; plane >= 0; plane -= 1)
    for (let at = 0; at < values.length; at += 1) out.byte(bytes[at * 8 + plane] ?? 0)
}

/** 0 stands for NaN, so that differences of 0 and up are one more than they are. NaN is near nothing. */
function writeWhole(out: ByteWriter, values: ArrayLike<number>, predictor: Predictor): void {
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    out.count(Number.isNaN(value) ? 0 : 1 + zigzag(value - near(values, predictor(at))))
  }
}

const near = (values: ArrayLike<number>, from: number): number => {
  const value = from >= 0 ? (values[from] ?? 0) : 0
  return Number.isNaN(value) ? 0 : value
}

export function readNumbers(
  input: ByteReader,
  length: number,
  predictor: Predictor,
  stepNs: number,
): Float64Array {
  const mode = input.byte()
  if (mode === WHOLE) return readWhole(input, length, predictor)
  if (mode === CLOCK) {
    const exponent = input.byte()
    const steps = readWhole(input, length, predictor)
    const rests = new Float64Array(length)
    const values = new Float64Array(length)
    for (let at = 0; at < length; at += 1) {
      const from = predictor(at)
      const isSame = from >= 0 && steps[from] === steps[at]
      rests[at] = input.signed() + (isSame ? (rests[from] ?? 0) : 0)
      values[at] = valueAt(expected(steps[at] ?? 0, stepNs, exponent) + (rests[at] ?? 0), exponent)
    }
    return values
  }
  if (mode !== RAW) throw new RangeError('a column is coded in no known way')
  const bytes = new Uint8Array(length * 8)
  for (let plane = 7; plane >= 0; plane -= 1) {
    const part = input.all(length)
    for (let at = 0; at < length; at += 1) bytes[at * 8 + plane] = part[at] ?? 0
  }
  return new Float64Array(bytes.buffer)
}

function readWhole(input: ByteReader, length: number, predictor: Predictor): Float64Array {
  const values = new Float64Array(length)
  for (let at = 0; at < length; at += 1) {
    const told = input.count()
    values[at] = told === 0 ? Number.NaN : near(values, predictor(at)) + unzigzag(told - 1)
  }
  return values
}
