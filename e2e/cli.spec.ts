/**
 * The command line as a person calls it, and what it leaves behind: the report obeys its schema, the trace opens elsewhere, and the
 * device's busy ratio worked out from the trace alone is the report's. Mistakes are one line and exit code 2.
 */
import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { experiments, findExperiment } from '../cli/catalog'
import { mendFile } from '../cli/mend-files'
import { validateTraceEventText } from '../src/formats/testing/validate-trace-event'
import { decodeRun } from '../src/trace/codec'
import type { Grade } from '../src/mend/types'
import { REPORT_SCHEMA, type Report } from '../src/trace/report'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { failed, inWords, programText } from './mends'

const ROOT = join(import.meta.dirname, '..')

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const lab = (...args: readonly string[]): Promise<Ended> => labIn(process.env, ...args)

function labIn(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['cli/lab.mjs', ...args], { cwd: ROOT, env })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()))
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout, stderr })
    })
  })
}

const setArguments = (experiment: string): readonly string[] =>
  Object.entries(shortSettings(experiment)).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/** A device pass of trace.json, as the issue describes it. */
interface Pass {
  readonly ph: string
  readonly cat?: string
  readonly ts: number
  readonly dur: number
  readonly args: { readonly variant?: string; readonly repeat?: number; readonly step?: number }
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[half] ?? NaN)
    : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2
}

/** Union of the passes over the time from the first begin to the last end. */
function busyRatio(passes: readonly Pass[]): number {
  const sorted = [...passes].sort((a, b) => a.ts - b.ts)
  let busy = 0
  let end = -Infinity
  for (const { ts, dur } of sorted) {
    busy += Math.max(0, ts + dur - Math.max(ts, end))
    end = Math.max(end, ts + dur)
  }
  return busy / (end - (sorted[0]?.ts ?? NaN))
}

/** By variant and then by repeat; warm-up and calibration have none. */
function groupPasses(passes: readonly Pass[]): ReadonlyMap<string, ReadonlyMap<number, readonly Pass[]>> {
  const groups = new Map<string, Map<number, Pass[]>>()
  for (const pass of passes) {
    const { variant, repeat } = pass.args
    if (variant === undefined || repeat === undefined || repeat < 0) continue
    const repeats = groups.get(variant) ?? new Map<number, Pass[]>()
    groups.set(variant, repeats)
    repeats.set(repeat, [...(repeats.get(repeat) ?? []), pass])
  }
  return groups
}

/** Figures of the report may be rounded by the trace's whole nanoseconds and by the fitted rate, some 100 ppm. */
const RATIO_TOLERANCE = 0.002

for (const { id } of experiments) {
  test(`run ${id}: files, schema, rules, and the busy ratio worked out anew`, async () => {
    const isGpu = test.info().project.name === 'gpu'
    const out = test.info().outputPath('out')
    const ended = await lab(
      'run',
      id,
      '--adapter',
      isGpu ? 'gpu' : 'software',
      ...setArguments(id),
      '--out',
      out,
    )
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(ended.stdout).toContain('verdict')
    expect((await readdir(out)).sort()).toEqual(['report.json', 'run.hdl.gz', 'timeline.png', 'trace.json'])

    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report
    const text = await readFile(join(out, 'trace.json'), 'utf8')
    const trace = JSON.parse(text) as { readonly traceEvents: readonly Pass[] }

    await test.step('report.json', () => {
      expect(report).toMatchObject({ schema: REPORT_SCHEMA, experiment: id, validity: { valid: true } })
      for (const [name, value] of Object.entries(shortSettings(id))) {
        expect(String(report.params[name]), name).toBe(value)
      }
      expect(report.environment).toMatchObject({ isSoftware: !isGpu, crossOriginIsolated: true })
      expect(report.environment.userAgent).toContain('Chrom')
      expect(report.environment.hostClockStepUs).toBeGreaterThan(0)
      expect(report.verification.checked).toBeGreaterThan(0)
      expect(report.verification.failed).toBe(0)
      expect(report.clock.offsetBoundUs).toBeGreaterThan(0)
      expect(['shown', 'not-shown', 'inconclusive']).toContain(report.verdict.outcome)
      const names = new Set(report.metrics.map(({ name }) => name))
      for (const { name } of findExperiment(id)?.metricKeys(report.params) ?? [])
        expect([...names]).toContain(name)
      for (const { name, value, low, high, note, n } of report.metrics) {
        if (value === null) expect(note, `${name} says why it was not measured`).toBeTruthy()
        else {
          expect(low ?? NaN, name).toBeLessThanOrEqual(value)
          expect(high ?? NaN, name).toBeGreaterThanOrEqual(value)
          expect(n, name).toBeGreaterThan(0)
        }
      }
    })

    await test.step('trace.json obeys the rules of its readers', () => {
      expect(validateTraceEventText(text)).toEqual([])
    })

    await test.step('device-busy-ratio from the trace is the report’s', () => {
      // Of single operations, as in worth-it, there is none to report.
      if (!findExperiment(id)?.metrics.some(({ name }) => name === 'device-busy-ratio')) return
      const groups = groupPasses(trace.traceEvents.filter(({ ph, cat }) => ph === 'X' && cat === 'device'))
      expect(groups.size).toBeGreaterThanOrEqual(2)
      const compared = report.metrics.filter(
        ({ name, value }) => name === 'device-busy-ratio' && value !== null,
      )
      expect(compared.length).toBeGreaterThanOrEqual(2)
      for (const { variant, value, n } of compared) {
        const repeats = [...(groups.get(variant)?.values() ?? [])]
        expect(repeats.length, variant).toBe(n)
        expect(Math.abs(median(repeats.map(busyRatio)) - (value ?? NaN)), variant).toBeLessThan(
          RATIO_TOLERANCE,
        )
        const steps = Number(report.params['steps'])
        for (const passes of repeats) {
          expect(
            new Set(passes.map(({ args }) => args.step)).size,
            `${variant}: one pass a step at least`,
          ).toBe(steps)
        }
      }
    })

    await test.step('run.hdl.gz opens again, timeline.png is a picture', async () => {
      const decoded = await decodeRun(await readFile(join(out, 'run.hdl.gz')))
      expect(decoded).toMatchObject({ ok: true, value: { report: { experiment: id } } })
      const png = await readFile(join(out, 'timeline.png'))
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect(png.readUInt32BE(16)).toBeGreaterThan(1000) // width, at two device pixels a CSS pixel
      expect(png.readUInt32BE(20)).toBeGreaterThan(300)
    })
  })
}

test('list says what can be run, in words and as JSON', async () => {
  const words = await lab('list')
  expect(words.code).toBe(0)
  const json = await lab('list', '--json')
  expect(json.code).toBe(0)
  const listed = JSON.parse(json.stdout) as readonly {
    readonly id: string
    readonly params: readonly unknown[]
  }[]
  expect(listed.map(({ id }) => id)).toEqual(experiments.map(({ id }) => id))
  for (const { id, params } of experiments) {
    expect(words.stdout).toContain(id)
    for (const { name } of params) expect(words.stdout).toContain(name)
  }
})

test('mend prints the program to mend, and the lab’s own', async () => {
  expect(await lab('mend', 'sync-stalls')).toMatchObject({
    code: 0,
    stdout: await programText('sync-stalls', 'start'),
  })
  expect(await lab('mend', 'sync-stalls', '--reference')).toMatchObject({
    code: 0,
    stdout: await programText('sync-stalls', 'reference'),
  })
})

test('grade says of a program what it did wrong, as JSON, with exit code 1', async () => {
  const adapter = test.info().project.name === 'gpu' ? 'gpu' : 'software'
  const start = mendFile('sync-stalls', 'start')
  const ended = await lab('grade', 'sync-stalls', start, '--adapter', adapter, '--json')
  expect(ended, ended.stderr).toMatchObject({ code: 1 })
  const grade = JSON.parse(ended.stdout) as Grade
  expect(grade.passed).toBe(false)
  expect(failed(grade), inWords(grade)).toContain('ahead')
  const ids = grade.checks.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['ended', 'output', 'work', 'stops', 'ahead', 'time']))
  for (const { id, text } of grade.checks) expect(text, id).not.toBe('')
})

for (const [args, message] of [
  [['mend', 'nothing'], "There is no mend of 'nothing'"],
  [['grade', 'nothing', 'package.json'], "There is no mend of 'nothing'"],
  [['grade', 'sync-stalls', 'nothing.js'], "'nothing.js' cannot be read"],
  [['run', 'nothing'], "Unknown experiment 'nothing'"],
  [['run', 'sync-stalls', '--set', 'stepz=3'], "no parameter 'stepz'"],
  [['run', 'sync-stalls', '--set', 'steps=1'], 'an integer from 2 to 512'],
  [['run', 'sync-stalls', '--adapter', 'cpu'], 'auto, gpu, software'],
  [['frobnicate'], 'list, run, record, analyze, mend and grade'],
] as const) {
  test(`lab ${args.join(' ')}: one line, exit code 2, and no browser`, async () => {
    const ended = await lab(...args)
    expect(ended.code).toBe(2)
    expect(ended.stdout).toBe('')
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(ended.stderr).toContain(message)
  })
}

test('an --out that is a file is refused before anything runs', async () => {
  const ended = await lab('run', 'sync-stalls', '--out', 'package.json')
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('package.json')
  expect((await stat(join(ROOT, 'package.json'))).isFile()).toBe(true)
})

/** Mesa's software Vulkan driver, where it is installed, is hidden: Chromium never gets an adapter from it, nor a refusal. */
const SOFTWARE_ONLY = { ...process.env, VK_ICD_FILENAMES: '/none.json' }

test('--adapter gpu fails clearly where there is only software, and auto says that it runs on it', async () => {
  test.skip(test.info().project.name === 'gpu', 'this machine has a GPU')
  const refused = await labIn(
    SOFTWARE_ONLY,
    'run',
    'sync-stalls',
    '--adapter',
    'gpu',
    ...setArguments('sync-stalls'),
  )
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('No GPU')
  const out = test.info().outputPath('auto')
  const ended = await labIn(SOFTWARE_ONLY, 'run', 'sync-stalls', ...setArguments('sync-stalls'), '--out', out)
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  expect(ended.stderr).toContain('Running on software')
})
