/**
 * How many collectives a step has, by themselves: where operations, sizes and groups repeat in a
 * pattern, that is it; where all are alike, it is told by the time between them, which is longer
 * from one step to the next than within a step. Nothing else is taken for a step: one collective is
 * not.
 */
/**
 * Between steps there is so much more time than within them. Chosen: below that, steps and jitter
 * look alike.
 */
const BREAK_FACTOR = 2
/** With fewer collectives, or steps, times that go up and down by chance may look like steps. */
const LEAST_COLLECTIVES = 8
const LEAST_STEPS = 3
/**
 * This share of the times within steps must lie below, and of those between steps above: one slow
 * step hides no period.
 */
const MOST = 0.9
/** Longer periods are not looked for. */
const MOST_LENGTH = 1000

/**
 * Length of a step, two at least, and the first collective that begins one. Null: they show none,
 * or too few of it.
 *
 * @param names of the collectives, in order: equal where operation, size and group are
 * @param pauses of each, ns: from all having left the one before to the last rank's start; of the
 * first NaN
 */
export function findPeriod(names: readonly string[], pauses: Float64Array) {
  const most = Math.min(MOST_LENGTH, Math.floor(names.length / 2))
  const isPattern = (length: number) =>
    names.every((name, index) => index < length || name === names[index - length])
  const least = new Set(names).size
  const pattern = Array.from({ length: most }, (_, index) => index + 1).find(
    (length) => length >= least && isPattern(length),
  )
  if (pattern === undefined) return null
  if (pattern > 1) return { length: pattern, offset: breakOf(pauses, pattern).offset }
  if (names.length < LEAST_COLLECTIVES) return null
  for (let length = 2; length * LEAST_STEPS <= names.length && length <= MOST_LENGTH; length += 1) {
    const { offset, between, within } = breakOf(pauses, length)
    if (quantile(between, 1 - MOST) > BREAK_FACTOR * quantile(within, MOST)) return { length, offset }
  }
  return null
}

/** Finds the beginnings of steps of so many collectives: the longest pauses. */
function breakOf(pauses: Float64Array, length: number) {
  const sums = new Float64Array(length)
  const counts = new Float64Array(length)
  for (let index = 1; index < pauses.length; index += 1) {
    const at = index % length
    sums[at] = (sums[at] ?? 0) + (pauses[index] ?? 0)
    counts[at] = (counts[at] ?? 0) + 1
  }
  const means = sums.map((sum, at) => sum / (counts[at] ?? 1))
  const offset = means.indexOf(Math.max(...means))
  const isBreak = (index: number) => index % length === offset
  return {
    offset,
    between: pauses.filter((_, index) => index > 0 && isBreak(index)).sort(),
    within: pauses.filter((_, index) => index > 0 && !isBreak(index)).sort(),
  }
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
