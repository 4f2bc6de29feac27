const greatestCommonDivisor = (a: number, b: number): number => {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y > 0) [x, y] = [y, x % y]
  return x
}

/** Chromium floors timestamps to 2^16 ns unless developer features are on (Dawn `timestamp_quantization`). */
export const QUANTUM_NS = 65536

/** The step of the device's clock: the greatest common divisor of all ticks seen, relative to the first. 1 when none divides. */
export function stepOfTicks(ticks: readonly number[]): number | null {
  const divisor = ticks.reduce(greatestCommonDivisor, 0)
  if (divisor === 0) return null
  return divisor % QUANTUM_NS === 0 ? QUANTUM_NS : divisor
}
