/** What `npm run fuzz -- …` was asked for. */
import { parseArgs } from 'node:util'
import { CommandError } from './terminal.mjs'

const USAGE = 'npm run fuzz -- --minutes N [--seed S]'

export function parseFuzzArguments(argv: readonly string[]): {
  readonly minutes: number
  readonly seed: number
} {
  let values
  try {
    values = parseArgs({
      args: [...argv],
      options: { minutes: { type: 'string' }, seed: { type: 'string' } },
    }).values
  } catch (thrown) {
    throw new CommandError(`${thrown instanceof Error ? thrown.message : String(thrown)} Usage: ${USAGE}`, 2)
  }
  const minutes = Number(values.minutes)
  if (!(minutes > 0 && minutes <= 10_000)) throw new CommandError(`For how long? Usage: ${USAGE}`, 2)
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31))
    throw new CommandError(
      `A seed is a whole number below ${String(2 ** 31)}, not '${values.seed ?? ''}'.`,
      2,
    )
  return { minutes, seed }
}
