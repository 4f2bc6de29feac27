/**
 * Arguments of `npm run lab -- …` are checked before a browser starts: a mistake is one line that
 * names it, and exit code 2. Parameters are checked by the experiment's own schema, the one
 * that the page uses.
 */
import { formatParam, parseParams, type ExperimentMeta } from '../src/experiments/experiment'
import { analyzeUsage } from './analyze-arguments'
import { CHECK_USAGE } from './check-arguments'
import { recordUsage, secondsOf } from './record-arguments'
import { adapterOf, strictArguments, usageError } from './strict-arguments'

export const USAGE = `Usage:
  npm run lab -- list [--json]
      What can be run, with every parameter, its range and its default.
  npm run lab -- run <experiment> [--set name=value]... [--adapter auto|gpu|software] [--out DIR]
      Runs an experiment in a headless browser and writes report.json, trace.json, timeline.png and run.hdl.gz into DIR
      (left out: lab-out/<experiment>-<time>).
      --adapter    gpu: a real GPU or nothing. software: SwiftShader, on the CPU. auto (left out): a GPU where there is one.
${recordUsage('npm run lab --')}
  npm run lab -- record-lessons [<lesson>|<file>]... [--set name=value]... [--seconds N] [--adapter auto|gpu|software] [--out DIR]
      Runs each lesson (left out: all) and each of its steps, and writes <lesson>.hdl.gz and <lesson>/<step>.hdl.gz into DIR (left out:
      lab-out/recordings); a name of such a file stands for that run alone. --set holds for the steps, not for the lesson's own run.
      --seconds    ends after so long. What was not recorded is named.
${analyzeUsage('npm run lab --', 'FILE.png or FILE.svg')}
${CHECK_USAGE}
  Exit code: 0 for a valid, verified run, or a file that was read; 1 for any other run; 2 when the call itself is wrong, or FILE cannot
  be read. The field 'schema' of JSON names its version. With --json an error is also an object on standard output: { "error": { "message", "exitCode" } }.`

function splitSettings(settings: readonly string[]): Readonly<Record<string, string>> {
  const raw = new Map<string, string>()
  for (const setting of settings) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? []
    if (name === undefined || value === undefined)
      throw usageError(`--set wants name=value; got '${setting}'.`)
    if (raw.has(name)) throw usageError(`Parameter '${name}' is set twice.`)
    raw.set(name, value)
  }
  // Own properties, whatever they are called: '__proto__' too is a parameter that there is not.
  return Object.fromEntries(raw)
}

function parseSettings(meta: ExperimentMeta, settings: readonly string[]): Readonly<Record<string, string>> {
  const raw = splitSettings(settings)
  const parsed = parseParams(meta, raw)
  if (!parsed.ok) throw usageError(parsed.error.message)
  const given = Object.entries(parsed.value).filter(([name]) => Object.hasOwn(raw, name))
  return Object.fromEntries(given.map(([name, value]) => [name, formatParam(value)]))
}

/** What `run` and `record-lessons` have in common. */
function parseRunning(args: readonly string[]) {
  const { values, positionals } = strictArguments(args, {
    adapter: { type: 'string', default: 'auto' },
    set: { type: 'string', multiple: true, default: [] as string[] },
    out: { type: 'string' },
    seconds: { type: 'string' },
  })
  const { out } = values
  const adapter = adapterOf(values.adapter)
  if (out === '') throw usageError('--out wants a folder.')
  return { ...values, adapter, out: out ?? null, positionals }
}

export function parseRecordLessons(args: readonly string[]) {
  const { adapter, out, set, seconds, positionals } = parseRunning(args)
  const over = splitSettings(set)
  return {
    lessons: positionals,
    over,
    adapter,
    out: out ?? 'lab-out/recordings',
    seconds: secondsOf(seconds),
  }
}

export type RunArguments = Awaited<ReturnType<typeof parseRun>>
/**
 * The experiments are loaded here: that takes half a second and 60 MB, and the other commands need
 * none.
 */
export async function parseRun(args: readonly string[]) {
  const { adapter, out, set, seconds, positionals } = parseRunning(args)
  if (seconds !== undefined) throw usageError('--seconds is for record-lessons.')
  const { experiments, findExperiment } = await import('./catalog')
  const known = experiments.map(({ id }) => id).join(', ')
  const [id, ...rest] = positionals
  if (id === undefined) throw usageError(`Which experiment? There are ${known}.`)
  if (rest.length > 0) throw usageError(`One experiment at a time; got '${positionals.join(' ')}'.`)
  const meta = findExperiment(id)
  if (!meta) throw usageError(`Unknown experiment '${id}'; there are ${known}.`)
  return {
    meta,
    params: parseSettings(meta, set),
    adapter,
    out,
  }
}
