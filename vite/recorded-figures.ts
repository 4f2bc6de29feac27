/**
 * Figures of the files under public/recordings/, for words that quote them (src/text/recorded.ts).
 * A file is named without its ending:
 *
 *     LESSON: stall-ms, every-step                a run of the lab: a metric and its variant
 *     LESSON/STEP: derived.matrixSize             what it worked out; param.steps, what it was asked for
 *     torch-read-a-profile-read: idle-ratio       a profile of torch.profiler (profile-figures.ts);
 *                                                 of ranks, the rank as variant
 *     torch-transfer-cost: points[kib=4].pageableUpMs
 *                                                 a field of JSON, a median with its interval or a
 *                                                 number; [first], [last] and [a=1&b=2] too
 *     torch-steps: LESSON.CHOICE.stepMs           a lesson's choice, timed without a profiler
 *     torch-worth-it: points[uses=1].n@pinnedMs<=cpuMs
 *                                                 from which n on the one curve stays below
 *                                                 the other, between two points
 *
 * A field's unit is the end of its name, its own or the nearest one above it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonsOf, summariseDevices } from '../src/analysis/devices'
import { diagnose } from '../src/analysis/diagnosis'
import { openRanks } from '../src/site/import-worker/open-ranks'
import type { RanksDigest } from '../src/site/import-worker/protocol'
import { figuresOf } from '../src/site/state/profile-answer'
import { decodeRun } from '../src/trace/codec'
import { placeTrace, type PlacedTrace } from '../src/trace/place'
import { findMetric, type Metric } from '../src/trace/report'
import { factsOfRun, type Facts } from '../src/text/facts'
import { readProfile } from './read-profile'
import { RECORDINGS, recordingBytes } from './recordings'
import { inJson, isJson, type Find } from './json-figures'
import { evaluate } from '../src/text/figure'
import type { RecordedOrigin, Recordings } from '../src/text/recorded'

interface Opened {
  readonly find: Find
  readonly origin: RecordedOrigin
  /** Of a run of the lab. */
  readonly facts?: Facts
}

const inMetrics =
  (metrics: readonly Metric[]): Find =>
  (name, variant) => {
    const metric = findMetric(metrics, name, variant)
    return metric?.value == null ? null : { ...metric, value: metric.value }
  }

async function ofRun(file: string): Promise<Opened> {
  const decoded = await decodeRun(recordingBytes(file))
  const report = decoded.ok ? decoded.value.report : null
  if (!report) throw new Error(`${file} holds no run of the lab.`)
  const facts = factsOfRun(report, 'recorded')
  return {
    find: (name, variant) => {
      const [, from, fact = ''] = /^(param|derived)\.(\w+)$/.exec(name) ?? []
      return from === 'param' || from === 'derived'
        ? evaluate({ is: 'fact', from, name: fact }, facts, {})
        : inMetrics(report.metrics)(name, variant)
    },
    origin: { device: report.environment.adapterName, date: report.startedAt },
    facts,
  }
}

/** What the page's own analysis says; why a device was idle, which a replay tells, is not asked. */
function judgedFigures(placed: PlacedTrace, ranks: RanksDigest | null): readonly Metric[] {
  const reasons = reasonsOf(placed, null, false)
  const diagnoses = diagnose(placed, summariseDevices(placed, reasons), reasons)
  return figuresOf('', { found: { diagnoses }, ranks }).map((metric) => ({
    ...metric,
    variant: metric.variant.replace('/', ''),
  }))
}

async function ofProfile(files: readonly string[]): Promise<Opened> {
  const [file = ''] = files
  const isOfRanks = files.length > 1
  const { kernelRatio, stepMs, origin } = await readProfile(recordingBytes(file), 'recorded', {
    causes: false,
  })
  const read = await openRanks(
    files.map((name) => ({ name, blob: new Blob([recordingBytes(name)]) })),
    () => undefined,
  )
  if (!read.ok) throw new Error(`${file} is no profile.`)
  const { opened: whole, ranks } = read.value
  const ofTheFile: readonly Pick<Metric, 'name' | 'unit' | 'value'>[] = isOfRanks
    ? []
    : [
        { name: 'kernel-ratio', unit: 'ratio', value: kernelRatio },
        { name: 'step-ms', unit: 'ms', value: stepMs },
      ]
  const metrics = [
    ...judgedFigures(placeTrace(whole.trace), isOfRanks ? ranks : null),
    ...ofTheFile.map((figure) => ({ ...figure, variant: '', n: 1, origin: 'derived' as const })),
  ]
  // Of one profile there is one figure: its interval is itself.
  return {
    find: inMetrics(metrics.map((metric) => ({ ...metric, low: metric.value, high: metric.value }))),
    origin,
  }
}

/** Ranks of one run are one: NAME-rank0.json.gz and the others. */
async function open(name: string): Promise<Opened> {
  if (existsSync(join(RECORDINGS, `${name}.hdl.gz`))) return ofRun(`${name}.hdl.gz`)
  if (existsSync(join(RECORDINGS, `${name}.json`))) {
    const json: unknown = JSON.parse(readFileSync(join(RECORDINGS, `${name}.json`), 'utf8'))
    const text = (key: string) => (isJson(json) && typeof json[key] === 'string' ? json[key] : '')
    return { find: inJson(json), origin: { device: text('device'), date: text('date') } }
  }
  const isRank = (file: string) =>
    file.startsWith(`${name}-rank`) && /^\d+\.json\.gz$/.test(file.slice(name.length + 5))
  const files = existsSync(join(RECORDINGS, `${name}.json.gz`))
    ? [`${name}.json.gz`]
    : readdirSync(RECORDINGS).filter(isRank).toSorted()
  if (files.length === 0) throw new Error(`There is no recording '${name}'.`)
  return ofProfile(files)
}

const opened = new Map<string, Promise<Opened | Error>>()

/**
 * These recordings, and those of runs of the lab: a lesson's own are what its words are about. Each
 * file is read once.
 */
export async function recordedIn(names: readonly string[]): Promise<Recordings> {
  const runs = readdirSync(RECORDINGS).filter((file) => file.endsWith('.hdl.gz'))
  const read = await Promise.all(
    [...new Set([...names, ...runs.map((file) => file.replace('.hdl.gz', ''))])].map(async (name) => {
      const one = opened.get(name) ?? open(name).catch((thrown: unknown) => thrown as Error)
      opened.set(name, one)
      return [name, await one] as const
    }),
  )
  const files = new Map(read)
  const of = (name: string): Opened => {
    const file = files.get(name) ?? new Error(`There is no recording '${name}'.`)
    if (file instanceof Error) throw file
    return file
  }
  return {
    figure: (file, figure, variant) => {
      const found = of(file).find(figure, variant)
      if (found) return found
      throw new Error(`'${`${figure} ${variant}`.trim()}' is no figure of the recording '${file}'.`)
    },
    origin: (file) => of(file).origin,
    facts: (file) => {
      const { facts } = of(file)
      if (!facts) throw new Error(`'${file}' is no run of the lab.`)
      return facts
    },
  }
}
