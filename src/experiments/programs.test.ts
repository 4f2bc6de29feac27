/**
 * Programs are plain WebGPU that a learner can read: one module each without imports, which passes
 * the strict type checker.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { experiments } from './testing/catalog'

/** It takes what it needs; what ranks have besides, too. */
const SIGNATURE =
  /^export default async function \(\{ (?:(?:rank|size|send|recv|device|lab|input)(?:, )?)+ \}\) \{$/m
const folder = (id: string) => new URL(`./${id}/programs/`, import.meta.url)
const programs = experiments.flatMap(({ id }) =>
  readdirSync(folder(id)).map((file) => ({
    id,
    file,
    text: readFileSync(new URL(file, folder(id)), 'utf8'),
  })),
)

const TYPED = `
interface Lab { steps(count: number): Iterable<number>; compute(label: string, flops: number, body: () => any): Promise<any> }
type Move = (peer: number, data: ArrayBufferView) => Promise<void>
type Scope = { rank: number; size: number; send: Move; recv: Move; device: GPUDevice; lab: Lab; input: any }
`
const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url))
const STRICT =
  '--ignoreConfig --strict --noImplicitAny false --noUnusedLocals --noEmit --skipLibCheck --pretty false ' +
  '--target es2023 --module esnext --moduleResolution bundler --lib es2023,dom --types types --typeRoots'

/** The strict compiler's messages. What an experiment gives to a program is of any type here. */
function typeErrors(sources: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'programs-'))
  try {
    const files = Object.entries(sources).map(([name, source]) => {
      // A list that begins empty has no type in JavaScript either.
      const typed = source
        .replace(SIGNATURE, (line) => line.replace('})', '}: Scope)'))
        .replaceAll(/const (\w+) = \[\](?=$| \/\/)/gm, 'const $1: unknown[] = []')
      const file = `${name.replaceAll('/', '_')}.ts`
      writeFileSync(join(root, file), TYPED + typed)
      return file
    })
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(PACKAGES, 'typescript/bin/tsc'), ...STRICT.split(' '), join(PACKAGES, '@webgpu'), ...files],
      { cwd: root, encoding: 'utf8' },
    )
    const errors = stdout.split('\n').filter((line) => line !== '')
    return status === 0 || errors.length > 0 ? errors : ['the compiler did not run']
  } finally {
    rmSync(root, { recursive: true })
  }
}

describe.each(programs)('$id/programs/$file', ({ text }) => {
  it('is one short module that takes what it needs, and imports nothing', () => {
    expect(text).toMatch(SIGNATURE)
    expect(text).not.toMatch(/\bimport\b/)
    const lines = text.split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(130)
  })
})

it.each(experiments)(
  '$id: each variant names a program that is there, and each program is of one',
  (each) => {
    const { id, params, variants, program } = each
    const defaults = Object.fromEntries(params.map((param) => [param.name, param.default]))
    // Every option of every choice, beside all of each list.
    const all = Object.fromEntries(
      params.flatMap((param) =>
        param.type === 'list' ? [[param.name, param.options.map(({ value }) => value)]] : [],
      ),
    )
    const choices = params.flatMap((param) =>
      param.type === 'choice' ? param.options.map(({ value }) => ({ [param.name]: value })) : [],
    )
    const named = [{}, ...choices].flatMap((over) => {
      const values = { ...defaults, ...all, ...over }
      return variants(values).map((variant) => `${program(variant, values)}.js`)
    })
    const files = programs.flatMap(({ id: of, file }) => (of === id ? [file] : []))
    expect([...new Set(named)].toSorted()).toEqual(files.toSorted())
  },
)

it('all of them pass the strict type checker, which finds a method that WebGPU does not have', () => {
  const sources = Object.fromEntries(programs.map(({ id, file, text }) => [`${id}/${file}`, text]))
  expect(typeErrors(sources)).toEqual([])
  const [broken] = programs.filter(({ text }) => text.includes('queue.submit'))
  expect(typeErrors({ broken: broken?.text.replace('queue.submit', 'queue.send') ?? '' })).toHaveLength(1)
})
