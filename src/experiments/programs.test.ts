/** Programs are plain WebGPU that a learner can read: one module each without imports, which passes the strict type checker. */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { experiments } from './catalog'

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

/** Messages of the strict compiler. What a program is given from its experiment is of any type. */
function typeErrors(sources: Readonly<Record<string, string>>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noImplicitAny: false,
    noUnusedLocals: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: ['@webgpu/types'],
    skipLibCheck: true,
  }
  const typed =
    'interface Lab { steps(count: number): Iterable<number>; compute(label: string, flops: number, body: () => any): Promise<any> }\n' +
    'type Move = (peer: number, data: ArrayBufferView) => Promise<void>\n' +
    'type Scope = { rank: number; size: number; send: Move; recv: Move; device: GPUDevice; lab: Lab; input: any }\n'
  const files = new Map(
    Object.entries(sources).map(([name, source]) => [
      `/programs/${name}.ts`,
      // A list that begins empty has no type in JavaScript either.
      typed +
        source
          .replace(SIGNATURE, (line) => line.replace('})', '}: Scope)'))
          .replaceAll(/const (\w+) = \[\](?=$| \/\/)/gm, 'const $1: unknown[] = []'),
    ]),
  )
  const host = ts.createCompilerHost(options)
  const fileExists = host.fileExists.bind(host)
  const readFile = host.readFile.bind(host)
  const getSourceFile = host.getSourceFile.bind(host)
  host.fileExists = (file) => files.has(file) || fileExists(file)
  host.readFile = (file) => files.get(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const text = files.get(file)
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, rest[0])
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
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

it('every variant of every experiment names a program that is there', () => {
  for (const { id, variants, program, params, presets } of experiments) {
    const defaults = Object.fromEntries(params.map((param) => [param.name, param.default]))
    for (const values of [defaults, ...presets.map((preset) => ({ ...defaults, ...preset.values }))])
      for (const variant of variants(values))
        expect(
          programs.some((each) => each.id === id && each.file === `${program(variant, values)}.js`),
          `${id}: ${variant}`,
        ).toBe(true)
  }
})

it('all of them pass the strict type checker, which finds a method that WebGPU does not have', () => {
  const sources = Object.fromEntries(programs.map(({ id, file, text }) => [`${id}/${file}`, text]))
  expect(typeErrors(sources)).toEqual([])
  const [broken] = programs.filter(({ text }) => text.includes('queue.submit'))
  expect(typeErrors({ broken: broken?.text.replace('queue.submit', 'queue.send') ?? '' })).toHaveLength(1)
})
