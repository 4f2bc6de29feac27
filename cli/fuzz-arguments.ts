/** What `npm run fuzz -- …` was asked for. */
import { optionsAlone, usageError } from './strict-arguments'

const USAGE = 'npm run fuzz -- --minutes N [--seed S]'

export function parseFuzzArguments(argv: readonly string[]): {
  readonly minutes: number
  readonly seed: number
} {
  const values = optionsAlone(argv, { minutes: { type: 'string' }, seed: { type: 'string' } })
  const minutes = Number(values.minutes)
  if (!(minutes > 0 && minutes <= 10_000)) throw usageError(`For how long? Usage: ${USAGE}`)
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31))
    throw usageError(`A seed is a whole number below ${String(2 ** 31)}, not '${values.seed ?? ''}'.`)
  return { minutes, seed }
}
