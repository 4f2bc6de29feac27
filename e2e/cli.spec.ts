/**
 * The command line as a person calls it, and what it leaves behind (run-files.ts). Which arguments
 * are mistakes: cli/lab-arguments.test; that an error is one line, with --json an object beside it:
 * cli/json-errors.test; that --out is refused: cli/out-folder.test.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { experiments } from '../cli/catalog'
import type { listJson } from '../cli/lab-texts'
import { decodeRun } from '../src/trace/codec'
import type { Report } from '../src/trace/report'
import { command, type Ended } from './command'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { expectReport, expectTraceEvents } from './run-files'

const labIn = (env: NodeJS.ProcessEnv, ...args: readonly string[]) => command(['cli/lab.mjs', ...args], env)
const lab = (...args: readonly string[]) => labIn(process.env, ...args)

const setArguments = (experiment: string): readonly string[] =>
  Object.entries(shortSettings(experiment)).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/**
 * Schema, rules, the busy ratio worked out anew; run.hdl.gz opens again, timeline.png is a picture.
 */
async function expectFiles({ code, stdout, stderr }: Ended, out: string, id: string): Promise<void> {
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('verdict')
  expect((await readdir(out)).sort()).toEqual(['report.json', 'run.hdl.gz', 'timeline.png', 'trace.json'])

  const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report
  const text = await readFile(join(out, 'trace.json'), 'utf8')
  expectReport(report, { id, settings: shortSettings(id), isGpu: false })
  expectTraceEvents(text, report)

  const decoded = await decodeRun(await readFile(join(out, 'run.hdl.gz')))
  expect(decoded).toMatchObject({ ok: true, value: { report: { experiment: id } } })
  const png = await readFile(join(out, 'timeline.png'))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.readUInt32BE(16)).toBeGreaterThan(1000) // width, at two device pixels a CSS pixel
  expect(png.readUInt32BE(20)).toBeGreaterThan(300)
}

/**
 * Mesa's software Vulkan driver, where it is installed, is hidden: Chromium never gets an adapter
 * from it, nor a refusal.
 */
const SOFTWARE_ONLY = { ...process.env, VK_ICD_FILENAMES: '/none.json' }

// What each experiment reports and writes is catalog.spec's.
test('a run where there is only software, and its files', async () => {
  const id = 'sync-stalls'
  const out = test.info().outputPath('out')
  const ended = await labIn(SOFTWARE_ONLY, 'run', id, ...setArguments(id), '--out', out)
  await expectFiles(ended, out, id)
  expect(ended.stderr).toContain('Running on software')
})

test('what can be run is listed, and a mistake is one line: all without a browser', async () => {
  const [words, json, unread] = await Promise.all([
    lab('list'),
    lab('list', '--json'),
    lab('check', 'nothing.py', '--json'),
  ])
  const listed = JSON.parse(json.stdout) as ReturnType<typeof listJson>
  expect(listed.experiments.map(({ id }) => id)).toEqual(experiments.map(({ id }) => id))
  for (const { id, params } of experiments) {
    expect(words.stdout).toContain(id)
    for (const { name } of params) expect(words.stdout).toContain(name)
  }
  for (const { code, stderr } of [words, json]) expect(code, stderr).toBe(0)

  expect(unread.code, unread.stderr).toBe(2)
  const { error } = JSON.parse(unread.stdout) as { readonly error: { readonly message: unknown } }
  expect(Object.keys(error)).toEqual(['message', 'exitCode'])
  expect(unread.stderr).toBe(`error: ${String(error.message)}\n`)
  expect(unread.stderr).toContain("'nothing.py' cannot be read")
})
