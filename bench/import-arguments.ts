/** Arguments of `npm run bench -- import`. Pure. */
import { CommandError } from '../cli/terminal.mjs'
import { optionsAlone } from '../cli/strict-arguments'

export const IMPORT_USAGE = `  npm run bench -- import [--events 1e5,1e6] [--rounds 3] [--no-speedscope] [--json FILE]
      Made-up profiles of torch.profiler of so many events: CPU time of lab analyze, of its reader alone, of JSON.parse and of
      speedscope, each in a process of its own, less that of its start. Aim: the reader takes at most 1.5 times JSON.parse.`

const FEWEST_EVENTS = 2000
/** A file of more is refused: trace/budget.ts reads 2 GB. */
const MOST_EVENTS = 1e7
const MOST_ROUNDS = 50

export function importArguments(argv: readonly string[]) {
  const values = optionsAlone(argv, OPTIONS)
  const events = values.events.split(',').map(Number)
  if (!events.every((count) => Number.isInteger(count) && count >= FEWEST_EVENTS && count <= MOST_EVENTS))
    throw new CommandError(
      `--events takes numbers from 2000 to 1e7, as in 1e5,1e6; got '${values.events}'.`,
      2,
    )
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MOST_ROUNDS)
    throw new CommandError(`--rounds must be an integer from 1 to 50; got '${values.rounds}'.`, 2)
  return {
    events: [...new Set(events)].sort((a, b) => a - b),
    rounds,
    speedscope: !values['no-speedscope'],
    json: values.json ?? null,
  }
}
export type ImportBenchArguments = ReturnType<typeof importArguments>

const OPTIONS = {
  events: { type: 'string', default: '1e5,1e6' },
  rounds: { type: 'string', default: '3' },
  'no-speedscope': { type: 'boolean', default: false },
  json: { type: 'string' },
} as const
