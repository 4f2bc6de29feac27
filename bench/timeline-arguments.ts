/** Arguments of `npm run bench -- timeline`. Pure. */
import { CommandError } from '../cli/terminal.mjs'
import { optionsAlone } from '../cli/strict-arguments'

export const TIMELINE_USAGE = `  npm run bench -- timeline [--spans 1e4,1e5,1e6] [--speedscope-spans 1e5] [--rounds 3] [--json FILE]
      Made-up runs of so many spans, opened in the page and moved through; beside it speedscope on those of up to so many
      (0: none; 1e6 takes it minutes). Aims at 1e6: p95 of the main thread's work a frame at most 8 ms, own format loaded in
      less than 1.5 s, Trace Event JSON at least 5 times as fast as speedscope, the page never blocked for more than 100 ms. Aim at
      1e7, of which the own format alone can be opened: p95 at most 1.5 times that at 1e6.`

export type TimelineBenchArguments = ReturnType<typeof parseTimelineArguments>

const FEWEST_SPANS = 200
const MOST_SPANS = 1e7
const MOST_ROUNDS = 50

export function parseTimelineArguments(argv: readonly string[]) {
  const values = optionsAlone(argv, OPTIONS)
  const spans = values.spans.split(',').map(Number)
  if (!spans.every((count) => Number.isInteger(count) && count >= FEWEST_SPANS && count <= MOST_SPANS))
    throw new CommandError(`--spans takes numbers from 200 to 1e7, as in 1e4,1e6; got '${values.spans}'.`, 2)
  const given = values['speedscope-spans']
  const speedscopeSpans = given.trim() === '' ? Number.NaN : Number(given)
  if (!(speedscopeSpans >= 0))
    throw new CommandError(`--speedscope-spans takes a number of spans; got '${given}'.`, 2)
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MOST_ROUNDS)
    throw new CommandError(`--rounds must be an integer from 1 to 50; got '${values.rounds}'.`, 2)
  return {
    spans: [...new Set(spans)].sort((a, b) => a - b) as readonly number[],
    /** Larger runs are not given to speedscope; 0: none. */
    speedscopeSpans,
    rounds,
    /** File for the results; null: none. */
    json: values.json ?? null,
  }
}

const OPTIONS = {
  spans: { type: 'string', default: '1e4,1e5,1e6' },
  'speedscope-spans': { type: 'string', default: '1e5' },
  rounds: { type: 'string', default: '3' },
  json: { type: 'string' },
} as const
