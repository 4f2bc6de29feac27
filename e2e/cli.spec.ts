/** The command line as a person calls it, and what it leaves behind (run-files.ts). Mistakes are one line and exit code 2. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { experiments } from '../cli/catalog'
import { mendText } from '../cli/mend-files'
import { ROOT } from '../cli/terminal.mjs'
import { decodeRun } from '../src/trace/codec'
import type { Grade } from '../src/mend/types'
import type { Report } from '../src/trace/report'
import { command, type Ended } from './command'
import { expect, LONG, test } from './fixtures'
import { shortSettings } from './lab'
import { failed, inWords } from './mends'
import { expectReport, expectTraceEvents } from './run-files'

const labIn = (env: NodeJS.ProcessEnv, ...args: readonly string[]) => command(['cli/lab.mjs', ...args], env)
const lab = (...args: readonly string[]) => labIn(process.env, ...args)

const setArguments = (experiment: string): readonly string[] =>
  Object.entries(shortSettings(experiment)).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/** Schema, rules, the busy ratio worked out anew; run.hdl.gz opens again, timeline.png is a picture. */
async function expectFiles({ code, stdout, stderr }: Ended, out: string, id: string): Promise<void> {
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('verdict')
  expect((await readdir(out)).sort()).toEqual(['report.json', 'run.hdl.gz', 'timeline.png', 'trace.json'])

  const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report
  const text = await readFile(join(out, 'trace.json'), 'utf8')
  expectReport(report, { id, settings: shortSettings(id), isGpu: test.info().project.name === 'gpu' })
  expectTraceEvents(text, report)

  const decoded = await decodeRun(await readFile(join(out, 'run.hdl.gz')))
  expect(decoded).toMatchObject({ ok: true, value: { report: { experiment: id } } })
  const png = await readFile(join(out, 'timeline.png'))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.readUInt32BE(16)).toBeGreaterThan(1000) // width, at two device pixels a CSS pixel
  expect(png.readUInt32BE(20)).toBeGreaterThan(300)
}

/** With a library and without a lane of the device, with other threads; with the device alone below. What each experiment reports and writes is catalog.spec's. */
for (const id of ['worth-it', 'ranks'])
  test(`run ${id}, and its files`, id === 'ranks' ? LONG : {}, async () => {
    const adapter = test.info().project.name === 'gpu' ? 'gpu' : 'software'
    const out = test.info().outputPath('out')
    const ended = await lab('run', id, '--adapter', adapter, ...setArguments(id), '--out', out)
    await expectFiles(ended, out, id)
  })

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
    stdout: await mendText('sync-stalls', 'start'),
  })
  expect(await lab('mend', 'sync-stalls', '--reference')).toMatchObject({
    code: 0,
    stdout: await mendText('sync-stalls', 'reference'),
  })
})

test('grade says of a program what it did wrong, as JSON, with exit code 1', async () => {
  const adapter = test.info().project.name === 'gpu' ? 'gpu' : 'software'
  const start = 'src/lessons/sync-stalls/mend/start.js'
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
  [['frobnicate'], 'list, run, record-lessons, words, pictures, analyze, schema, model, mend and grade'],
] as const) {
  test(`lab ${args.join(' ')}: one line, exit code 2, and no browser`, async () => {
    const ended = await lab(...args)
    expect(ended.code).toBe(2)
    expect(ended.stdout).toBe('')
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(ended.stderr).toContain(message)
  })
}

for (const args of [
  ['list', '--json', '--more'],
  ['analyze', 'nothing.json', '--json'],
  ['model', '--json'],
  ['grade', 'sync-stalls', 'nothing.js', '--json'],
]) {
  test(`lab ${args.join(' ')}: the error as JSON`, async () => {
    const { code, stdout, stderr } = await lab(...args)
    expect(code).toBe(2)
    const { error } = JSON.parse(stdout) as { readonly error: { readonly message: unknown } }
    expect(Object.keys(error)).toEqual(['message', 'exitCode'])
    expect(stderr).toBe(`error: ${String(error.message)}\n`)
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
  await expectFiles(ended, out, 'sync-stalls')
  expect(ended.stderr).toContain('Running on software')
})
