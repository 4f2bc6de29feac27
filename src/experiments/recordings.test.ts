/**
 * The recordings that lessons play: real, whole, and such that today's metrics find in them what
 * their reports say.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeRun } from '../trace/codec'
import { placeTrace } from '../trace/place'
import { tableOfFigure, type ReportFigure } from '../trace/figure'
import { findMetric } from '../trace/report'
import { SPAN_KINDS, type Trace } from '../trace/schema'
import { factsOf } from './testing/fake-evidence'
import { experiments } from './testing/catalog'
import { judge } from './declare/judge'
import type { Evidence, Window } from './run-types'

function windowsIn({ spans, strings }: Trace): readonly Window[] {
  const windows: Window[] = []
  for (let span = 0; span < spans.length; span += 1) {
    const repeat = spans.repeat[span] ?? -1
    if (SPAN_KINDS[spans.kind[span] ?? 0] !== 'window' || repeat < 0) continue
    const variant = strings[spans.variant[span] ?? -1] ?? ''
    windows.push({ variant, repeat, startNs: spans.start[span] ?? 0, endNs: spans.end[span] ?? 0 })
  }
  return windows
}

/** A figure's id and all its numbers, without its words. */
const numbersOf = (figure: ReportFigure) => [
  figure.id,
  tableOfFigure(figure, (value) => value.toPrecision(6)).rows.flatMap((row) =>
    row.flatMap((cell) => cell.match(/-?\d[\d.e+-]*/g) ?? []),
  ),
]

async function open(id: string, file = fileOf(id)) {
  const decoded = await decodeRun(await readFile(file))
  if (!decoded.ok) throw new Error(decoded.error.message)
  const { trace, report } = decoded.value
  if (!report) throw new Error(`${id} was recorded without its report`)
  const evidence: Evidence = {
    placed: placeTrace(trace),
    windows: windowsIn(trace),
    params: report.params,
    derived: report.derived,
    isSoftware: report.environment.isSoftware,
    hostStepNs: report.environment.hostClockStepUs * 1e3,
    deviceStepNs: report.environment.deviceClockStepNs,
    completionLatencyMs: report.environment.completionLatencyMs,
  }
  return { trace, report, evidence }
}

const fileOf = (id: string): string => `public/recordings/${id}.hdl.gz`
const stepFilesOf = (id: string): readonly string[] =>
  existsSync(`public/recordings/${id}`)
    ? readdirSync(`public/recordings/${id}`)
        .filter((name) => name.endsWith('.hdl.gz'))
        .map((name) => `public/recordings/${id}/${name}`)
    : []
/** One that was added is recorded on a GPU later; until then its page says so. */
const recorded = experiments.filter(({ id }) => existsSync(fileOf(id)))

it('are those that their README lists: none is lost', () => {
  const listed = [
    ...readFileSync('public/recordings/README.md', 'utf8').matchAll(/^\| `([a-z-]+\.hdl\.gz)` \|/gm),
  ]
  const files = readdirSync('public/recordings').filter((name) => name.endsWith('.hdl.gz'))
  expect(listed.map(([, file]) => file).toSorted()).toEqual(files.toSorted())
  expect(recorded.map(({ id }) => `${id}.hdl.gz`).toSorted()).toEqual(files.toSorted())
})

it('have the steps and sizes that their README says', () => {
  const rows = [
    ...readFileSync('public/recordings/README.md', 'utf8').matchAll(
      /^\| `([a-z-]+)\/` \| (.*) \| (\d+) kB \|$/gm,
    ),
  ].map(([, id = '', steps = '', kB]) => [
    id,
    [...steps.matchAll(/`([a-z-]+)`/g)].map(([, step]) => step),
    Number(kB),
  ])
  const folders = recorded.flatMap(({ id }) => {
    const files = stepFilesOf(id)
    const bytes = [fileOf(id), ...files].reduce((sum, file) => sum + statSync(file).size, 0)
    const steps = files.map((file) => basename(file, '.hdl.gz'))
    return files.length > 0 ? [[id, steps, Math.round(bytes / 1000)] as const] : []
  })
  expect(rows.toSorted()).toEqual(folders.toSorted())
})

describe.each(recorded.map((each) => [each.id, each] as const))('the recording of %s', (id, declaration) => {
  it('is of a real GPU, valid and verified, and says where it is from', async () => {
    const { trace, report } = await open(id)
    expect(report.experiment).toBe(id)
    expect(report.environment.isSoftware).toBe(false)
    expect(report.validity.valid).toBe(true)
    expect(report.verification.checked).toBeGreaterThan(0)
    expect(report.verification.failed).toBe(0)
    expect(report.clock.state).toBe('fitted')
    expect(trace.info).toMatchObject({ origin: 'recorded', experiment: id })
    expect(trace.info.adapter?.vendor).toBe('nvidia')
  })

  it('holds what its report says: the same metrics and verdict come out of the trace again', async () => {
    const { report, evidence } = await open(id)
    const metrics = declaration.measure(evidence)
    // Their order is the same; metrics declared since may stand between them.
    const keys = report.metrics.map(({ name, variant }) => `${name} ${variant}`)
    expect(
      metrics.map(({ name, variant }) => `${name} ${variant}`).filter((key) => keys.includes(key)),
    ).toEqual(keys)
    for (const then of report.metrics) {
      const now = findMetric(metrics, then.name, then.variant)
      expect(now?.n, then.name).toBe(then.n)
      if (then.value !== null) expect(now?.value ?? Number.NaN, then.name).toBeCloseTo(then.value, 6)
      if (then.low !== null) expect(now?.low ?? Number.NaN, `low of ${then.name}`).toBeCloseTo(then.low, 6)
      if (then.high !== null)
        expect(now?.high ?? Number.NaN, `high of ${then.name}`).toBeCloseTo(then.high, 6)
      expect({ unit: now?.unit, origin: now?.origin }, then.name).toEqual({
        unit: then.unit,
        origin: then.origin,
      })
    }
    expect(judge(declaration, factsOf(metrics, evidence))).toMatchObject({
      outcome: report.verdict.outcome,
      reason: report.verdict.reason,
    })
  })

  it.each(stepFilesOf(id))('%s has the verdict that comes out of its trace today', async (file) => {
    const { report, evidence } = await open(id, file)
    const { outcome, reason } = report.verdict
    expect(judge(declaration, factsOf(declaration.measure(evidence), evidence))).toMatchObject({
      outcome,
      reason,
    })
  })

  it('draws the same figures again', async () => {
    const { report, evidence } = await open(id)
    const figures = declaration.figures(declaration.measure(evidence), evidence)
    expect(figures.map(numbersOf)).toEqual((report.figures ?? []).map(numbersOf))
  })
})
