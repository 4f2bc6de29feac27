/** Every output of `lab analyze --json` fits the JSON Schema that `lab schema analyze` prints, and with a field more, less or of another type it does not. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator, type Schema } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fileName, kinetoOf, lateByOne } from '../src/analysis/ranks/testing/made-up-ranks'
import { GAP_CAUSES } from '../src/trace/gaps'
import { analyze } from './lab-analyze-ranks'
import { parseLabArguments } from './lab-arguments'
import { schemaText } from './lab-schema'

const validator = new Validator(JSON.parse(schemaText('analyze')) as Schema, '2020-12')
const fits = (value: unknown): boolean => validator.validate(value).valid

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

async function printed(...files: readonly string[]): Promise<Json> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await analyze({ command: 'analyze', files, as: 'json', failIf: [] })
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

/** Where each field of each kind is first seen, by its path without the places in lists. */
function fieldsOf(root: Json): readonly { readonly owner: { [key: string]: Json }; readonly key: string }[] {
  const found = new Map<string, { readonly owner: { [key: string]: Json }; readonly key: string }>()
  const walk = (value: Json, path: string): void => {
    if (Array.isArray(value)) for (const each of value.slice(0, 2)) walk(each, `${path}[]`)
    else if (isObject(value))
      for (const [key, each] of Object.entries(value)) {
        const at = `${path}.${key}`
        if (!found.has(at)) found.set(at, { owner: value, key })
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
    expect(() => parseLabArguments(['schema', 'nothing'])).toThrow('Which schema? There is analyze')
    expect(() => parseLabArguments(['schema'])).toThrow('Which schema?')
  })

  it.each(recordings(RECORDINGS))('holds of %s', async (file) => {
    expect(validator.validate(await printed(file)).errors).toEqual([])
  })

  it('holds of a trace without a device, of what is skipped, and of several ranks', async () => {
    for (const files of [
      [plain],
      ranks,
      [ranks[0] ?? '', ranks[0] ?? ''],
      [0, 1].map((rank) => `${RECORDINGS}/torch-nccl-rank${String(rank)}.json.gz`),
      [0, 1].map((rank) => `${RECORDINGS}/torch-nccl-late-rank-rank${String(rank)}.json.gz`),
    ])
      expect(validator.validate(await printed(...files)).errors, files.join(' ')).toEqual([])
  })

  it('does not where a field is missing, is new, or is of another type', async () => {
    const outputs = [
      await printed(plain),
      await printed(`${RECORDINGS}/torch-sync-stalls-stalled.json.gz`),
      await printed(`${RECORDINGS}/sync-stalls.hdl.gz`),
      await printed(...ranks),
    ].map(shortened)
    const accepted = new Set<string>()
    for (const output of outputs) {
      expect(fits(output)).toBe(true)
      for (const { owner, key } of fieldsOf(output)) {
        const value = owner[key] ?? null
        const check = (what: string): void => {
          if (fits(output)) accepted.add(`${key} ${what}`)
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
      expect(fits(output)).toBe(true)
    }
    // Totals hold the causes that occur.
    const causes = GAP_CAUSES.map((cause) => `${cause} missing`)
    expect([...accepted].filter((each) => !causes.includes(each))).toEqual([])
  })
})
