/**
 * What `analyze` is asked for, as part of `npm run lab` and as a package of its own (lab-alone.ts).
 */
import { CAUSES } from '../src/analysis/replay/causes'
import { parseRemoved, type Removed } from '../src/analysis/replay/without'
import { parsePeak, PEAK_NAMES } from '../src/analysis/tables/peaks'
import { TABLES } from '../src/analysis/tables/table'
import { FAIL_NAMES, parseFailIf } from './fail-if'
import type { TableWanted } from './lab-analyze-table'
import { strictArguments, usageError } from './strict-arguments'

/**
 * @param command by which it is called
 * @param pictures that it writes
 */
export const analyzeUsage = (
  command: string,
  pictures: string,
): string => `  ${command} analyze FILE [--json | --markdown] [--picture FILE] [--fail-if CONDITION]...
      What a trace says about its devices: how busy with work and collectives, which copies, each idle stretch with its cause, the
      critical path. FILE is a run of the lab (run.hdl.gz, trace.json), Trace Event JSON, a trace of torch.profiler or jax.profiler, each plain or gzipped; '-' is standard input.
      --markdown   busy, work, the two largest causes with their line and what removing the first is predicted to gain, for a pull request.
      --picture    the same as a picture, ${pictures}.
      --without    what a step would take without CAUSE[,CAUSE], by replay: of ${CAUSES.slice(0, 7).join(', ')},
                   ${CAUSES.slice(7).join(', ')}; host-code:NAME is one function,
                   slow-kernels:float32 computes float32 products in TF32.
      --table      ${TABLES.join(', ')}: time, calls and rates of each instead, most time first; with --before FILE what changed
                   since that file, a step.
                   --top N rows; --per-step has times and calls of a step; --by-shape separates rows by input sizes, or by grid and block;
                   --peak bf16=989,memory=4800 (TFLOP/s, GB/s;
                   ${PEAK_NAMES.join(', ')}) in place of the device's data sheet.
      --step-ms    length of a step without the profiler, ms: predictions are then for the program; times stay as recorded.
      --fail-if    exit code 1 if it holds for any device, or cannot be determined: "busyRatio < 0.8", "gain > 1.1" (one change alone would
                   gain more). Names: ${FAIL_NAMES.slice(0, -CAUSES.length).join(', ')}; and each cause above: the
                   share of the step that its removal saves (of the device's time where nothing is predicted).
  ${command} analyze RANK0 RANK1... | FOLDER [--json | --markdown] [--picture FILE] [--fail-if CONDITION]...
      The torch.profiler traces of several ranks of one run, or all in a folder, together: how their clocks stand, how long each rank waited for the last one
      in its collectives, which rank is late, in which steps, by how much and why; then each file.`

const argumentsIn = (args: readonly string[]) =>
  strictArguments(args, {
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    picture: { type: 'string' },
    before: { type: 'string' },
    'fail-if': { type: 'string', multiple: true, default: [] as string[] },
    without: { type: 'string' },
    'step-ms': { type: 'string' },
    table: { type: 'string' },
    top: { type: 'string' },
    'by-shape': { type: 'boolean', default: false },
    'per-step': { type: 'boolean', default: false },
    peak: { type: 'string' },
  })

export function parseAnalyze(args: readonly string[]) {
  const { values, positionals } = argumentsIn(args)
  if (values.json && values.markdown) throw usageError('Either --json or --markdown.')
  if (positionals.length === 0 || positionals.includes(''))
    throw usageError('Which file? Say analyze FILE, or analyze RANK0 RANK1….')
  const { picture = null, before = null } = values
  if (before === '') throw usageError('--before wants a file.')
  if (positionals.indexOf('-') !== positionals.lastIndexOf('-'))
    throw usageError('Standard input is one file.')
  if (before !== null && values.table === undefined) throw usageError('--before belongs to --table.')
  if (picture !== null && !/\.(png|svg)$/.test(picture))
    throw usageError(`--picture wants a file that ends in .png or .svg; got '${picture}'.`)
  const isOther = values.table !== undefined || values.without !== undefined
  if (values.table !== undefined && values.without !== undefined)
    throw usageError('Either --table or --without.')
  if (isOther && (values['fail-if'].length > 0 || picture !== null))
    throw usageError('--fail-if and --picture belong to neither --table nor --without.')
  const as: 'text' | 'json' | 'markdown' = values.json ? 'json' : values.markdown ? 'markdown' : 'text'
  return {
    files: positionals as readonly string[],
    as,
    failIf: values['fail-if'].map(parseFailIf),
    /** To be written, as PNG or SVG by its ending. */
    picture,
    /** An earlier file, to be compared with. */
    before,
    /** Causes to take away, all at once; null: the whole analysis is asked for. */
    without: values.without === undefined ? null : parseWithout(values.without),
    /** A step of the program without the profiler; null: as the file says. */
    stepMs: values['step-ms'] === undefined ? null : parseStepMs(values['step-ms']),
    /** A table instead of the analysis; null: the analysis. */
    table: parseTable(values, positionals.length),
  }
}

function parseTable(values: ReturnType<typeof argumentsIn>['values'], files: number): TableWanted | null {
  if (values.table === undefined) {
    if ((values.top ?? values.peak) === undefined && !values['by-shape'] && !values['per-step']) return null
    throw usageError('--top, --per-step, --by-shape and --peak belong to --table.')
  }
  if (files > 1) throw usageError('--table takes one file.')
  const kind = TABLES.find((known) => known === values.table)
  if (!kind) throw usageError(`--table knows no '${values.table}'; there are ${TABLES.join(', ')}.`)
  const top = values.top === undefined ? null : Number(values.top)
  if (top !== null && !(Number.isInteger(top) && top > 0))
    throw usageError(`--top wants a number of rows; got '${values.top ?? ''}'.`)
  const peak = values.peak === undefined ? {} : parsePeak(values.peak)
  if (!peak)
    throw usageError(`--peak wants NAME=NUMBER[,…] of ${PEAK_NAMES.join(', ')}; got '${values.peak ?? ''}'.`)
  return { kind, top, byShape: values['by-shape'], isPerStep: values['per-step'], peak }
}

function parseWithout(text: string): readonly Removed[] {
  return text.split(',').map((name) => {
    const removed = parseRemoved(name.trim())
    if (removed) return removed
    throw usageError(
      `--without knows no '${name}'; there are ${CAUSES.join(', ')}, host-code:NAME and slow-kernels:float32.`,
    )
  })
}

function parseStepMs(text: string): number {
  const ms = Number(text)
  if (text.trim() !== '' && ms > 0 && Number.isFinite(ms)) return ms
  throw usageError(`--step-ms wants ms, such as 7.9; got '${text}'.`)
}
