/**
 * Every output fits the JSON Schema that `lab schema` prints, and with a field more, less or of another type it does not. Of a grading and a run
 * those that were recorded; what `lab grade` and `lab run` print and write is held against it in e2e/cli.spec.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fileName, kinetoOf, lateByOne } from '../src/analysis/ranks/testing/made-up-ranks'
import { GAP_CAUSES } from '../src/trace/gaps'
import { mendOf } from '../src/lessons/mends'
import { gradeOf } from '../src/mend/checks'
import { allChecksOf } from '../src/mend/mend'
import { gradingsOf } from '../src/mend/testing/kept-gradings'
import { decodeRun } from '../src/trace/codec'
import { experiments } from './catalog'
import { analyze } from './lab-analyze-ranks'
import { parseLabArguments } from './lab-arguments'
import { schemaText, type SchemaName } from './lab-schema'
import { gradeJson, listJson } from './lab-texts'
import { misfits } from './testing/fits-schema'

const inAnalysis = misfits('analyze')

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

async function printed(...files: readonly string[]): Promise<Json> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await analyze({ command: 'analyze', files, as: 'json', failIf: [], picture: null, before: null })
    return JSON.parse(log.mock.calls.join('')) as Json
  } finally {
    log.mockRestore()
  }
}

const RECORDINGS = 'public/recordings'
const recordings = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.(json|hdl)\.gz$/.test(name))
    .map((name) => join(folder, name))

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Field {
  readonly at: string
  readonly owner: { [key: string]: Json }
  readonly key: string
}

/** Where each field of each kind is first seen, by its path without the places in lists. */
function fieldsOf(root: Json): readonly Field[] {
  const found = new Map<string, Field>()
  const walk = (value: Json, path: string): void => {
    if (Array.isArray(value)) for (const each of value.slice(0, 2)) walk(each, `${path}[]`)
    else if (isObject(value))
      for (const [key, each] of Object.entries(value)) {
        const at = `${path}.${key}`
        if (!found.has(at)) found.set(at, { at, owner: value, key })
        walk(each, at)
      }
  }
  walk(root, '')
  return [...found.values()]
}

/** Lists cut, so that a thousand changed outputs are soon checked. */
const shortened = (value: Json): Json =>
  Array.isArray(value)
    ? value.slice(0, 2).map(shortened)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]))
      : value

/** Where an output may have a field of another type, a new one, or one less, and still fits. */
function acceptedChanges(name: SchemaName, outputs: readonly Json[]): readonly string[] {
  const misfitsIn = misfits(name)
  const accepted = new Set<string>()
  for (const output of outputs.map(shortened)) {
    expect(misfitsIn(output)).toEqual([])
    for (const { at, owner, key } of fieldsOf(output)) {
      const value = owner[key] ?? null
      const check = (what: string): void => {
        if (misfitsIn(output).length === 0) accepted.add(`${at} ${what}`)
      }
      owner[key] = typeof value === 'boolean' ? 'text' : true
      check('of another type')
      owner[key] = value
      owner['more'] = 1
      check('beside a new one')
      Reflect.deleteProperty(owner, 'more')
      Reflect.deleteProperty(owner, key)
      check('missing')
      owner[key] = value
    }
    expect(misfitsIn(output)).toEqual([])
  }
  return [...accepted]
}

let ranks: readonly string[] = []
let plain = ''
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lab-schema-'))
  const late = lateByOne(2)
  ranks = [0, 1].map((rank) => join(folder, fileName(rank)))
  for (const [rank, file] of ranks.entries()) await writeFile(file, kinetoOf(late, rank).text())
  plain = join(folder, 'plain.json')
  await writeFile(plain, '[{"ph":"X","name":"a","ts":1,"dur":-1},{"ph":"X","name":"a","ts":1,"dur":1}]')
})

describe('the JSON Schema of analyze', () => {
  it('is of 2020-12, and names its versions', () => {
    const text = schemaText('analyze')
    expect(text).toContain('https://json-schema.org/draft/2020-12/schema')
    expect(text).toContain('"host-device-lab/analysis@1"')
    expect(text).toContain('"host-device-lab/ranks-analysis@1"')
    expect(parseLabArguments(['schema', 'analyze'])).toEqual({ command: 'schema', of: 'analyze' })
    expect(() => parseLabArguments(['schema', 'nothing'])).toThrow(
      'Which schema? There are analyze, run, grade, model, list',
    )
    expect(() => parseLabArguments(['schema'])).toThrow('Which schema?')
  })

  it.each(recordings(RECORDINGS))('holds of %s', async (file) => {
    expect(inAnalysis(await printed(file))).toEqual([])
  })

  it('holds of a trace without a device, of what is skipped, and of several ranks', async () => {
    for (const files of [
      [plain],
      ranks,
      [ranks[0] ?? '', ranks[0] ?? ''],
      [0, 1].map((rank) => `${RECORDINGS}/torch-nccl-rank${String(rank)}.json.gz`),
      [0, 1].map((rank) => `${RECORDINGS}/torch-nccl-late-rank-rank${String(rank)}.json.gz`),
    ])
      expect(inAnalysis(await printed(...files)), files.join(' ')).toEqual([])
  })

  it('does not where a field is missing, is new, or is of another type', async () => {
    const outputs = [
      await printed(plain),
      await printed(`${RECORDINGS}/torch-sync-stalls-stalled.json.gz`),
      await printed(`${RECORDINGS}/sync-stalls.hdl.gz`),
      await printed(...ranks),
    ]
    // Totals hold the causes that occur.
    const causes = GAP_CAUSES.map((cause) => `.${cause} missing`)
    const found = acceptedChanges('analyze', outputs)
    expect(found.filter((each) => causes.every((cause) => !each.endsWith(cause)))).toEqual([])
  })
})

/** Beside each: the changes that it takes, since the field is left out where there is nothing to say, or is of a dictionary. */
describe('the JSON Schema of', () => {
  const check = (name: SchemaName, outputs: readonly Json[], taken: readonly RegExp[]): void => {
    const misfitsIn = misfits(name)
    for (const output of outputs) expect(misfitsIn(output)).toEqual([])
    const found = acceptedChanges(name, outputs.slice(-4))
    expect(found.filter((each) => !taken.some((pattern) => pattern.test(each)))).toEqual([])
    for (const pattern of taken) expect(found.join('\n')).toMatch(new RegExp(pattern.source, 'm'))
  }
  const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Json

  it('list', () => {
    check('list', [asJson(listJson(experiments))], [/\.presets\[\]\.values\./])
  })

  it('model', async () => {
    const child = spawn(process.execPath, [
      'cli/lab.mjs',
      'model',
      'sync-stalls',
      '--set',
      'steps=4',
      '--json',
    ])
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    check('model', [JSON.parse(output) as Json], [/^\.(params|derived)\./])
  }, 60_000)

  it('grade', async () => {
    const { start, reference } = gradingsOf(readFileSync('src/lessons/sync-stalls/mend/testing/gradings.br'))
    const mend = await mendOf('sync-stalls')
    const outputs = [start, reference].flatMap((evidence) =>
      evidence ? [asJson(gradeJson(gradeOf(allChecksOf(mend, mend.start, evidence))))] : [],
    )
    expect(outputs).toHaveLength(2)
    check('grade', outputs, [])
  })

  it('run', async () => {
    const files = readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' })
    const runs = await Promise.all(
      files
        .filter((name) => name.endsWith('.hdl.gz'))
        .map(async (name) => await decodeRun(readFileSync(join(RECORDINGS, name)))),
    )
    const reports = runs.flatMap((run) => (run.ok && run.value.report ? [asJson(run.value.report)] : []))
    expect(reports.length).toBeGreaterThan(20)
    check('run', reports, [
      /^\.(params|derived|environment\.limits)\./,
      /\.(note|subgroupM..Size|completions|copyTimingWorks|figures) missing$/,
      /^\.figures\[\]\.bars\[\]\.parts\.\S+ missing$/,
    ])
  })
})
