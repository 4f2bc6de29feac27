/** The code that lessons show: labels where they belong, and WebGPU code that really type-checks against the WebGPU types. */
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { lessons } from './catalog'
import { markRegions } from './code-regions'

/** What the shown functions take from their surroundings. */
const SURROUNDINGS = `
declare const device: GPUDevice
declare const querySet: GPUQuerySet
declare const matmul: GPUComputePipeline
declare const operands: GPUBindGroup
declare const workgroups: readonly [number, number, number]
declare const c: GPUBuffer
declare const readback: GPUBuffer
declare const byteCount: number
declare const decides: boolean
declare const inputs: readonly GPUBuffer[]
declare const batchBytes: number
declare const inputA: GPUBuffer
declare const inputB: GPUBuffer
declare const slotA: Slot
declare const slotB: Slot
declare function encodeMatmul(encoder: GPUCommandEncoder, batch?: GPUBuffer): void
declare function encodeExtraPass(encoder: GPUCommandEncoder): void
declare function nextBatch(step: number): Float32Array
export interface Slot { readonly staging: GPUBuffer; mapped: Promise<undefined> }
`

/** Messages of the strict compiler, each source as a module of its own. */
function typeErrors(sources: Readonly<Record<string, string>>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: ['@webgpu/types'],
    skipLibCheck: true,
  }
  const files = new Map(
    Object.entries(sources).map(([name, source]) => [
      `/lesson-code/${name}.ts`,
      `${SURROUNDINGS}\n${source}\nexport { run }\n`,
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

describe('code blocks', () => {
  for (const lesson of lessons) {
    it(`${lesson.id} shows PyTorch and WebGPU side by side, every label on a line that is there`, () => {
      expect(lesson.code.map(({ dialect }) => dialect)).toEqual(['pytorch', 'webgpu'])
      for (const { source, regions, dialect } of lesson.code) {
        const lines = source.split('\n')
        for (const line of Object.keys(regions ?? {}).map(Number)) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect((lines[line - 1] ?? '').trim(), `line ${String(line)} is labelled`).not.toBe('')
        }
        if (dialect === 'webgpu')
          expect(Object.values(regions ?? {})).toEqual(expect.arrayContaining(['submit', 'wait']))
        for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100)
      }
    })
  }

  it('in WebGPU passes the strict type checker', { timeout: 60_000 }, () => {
    const sources = lessons.map(
      ({ id, code }) => [id, code.find(({ dialect }) => dialect === 'webgpu')?.source ?? ''] as const,
    )
    expect(typeErrors(Object.fromEntries(sources))).toEqual([])
    const [, source] = sources[0] ?? ['', '']
    expect(typeErrors({ broken: source.replace('queue.submit', 'queue.send') })).toHaveLength(1)
  })
})

describe('markRegions', () => {
  const source = 'one\ntwo\nthree\nfour'

  it('labels one line, or from a first to a last', () => {
    expect(
      markRegions(source, [
        ['submit', 'one'],
        ['wait', 'three', 'four'],
      ]),
    ).toEqual({ 1: 'submit', 3: 'wait', 4: 'wait' })
  })

  it('throws where a label would be wrong', () => {
    expect(() => markRegions(source, [['submit', 'five']])).toThrow('0 lines')
    expect(() => markRegions(source, [['submit', 'o']])).toThrow('3 lines')
    expect(() => markRegions(source, [['submit', 'two', 'one']])).toThrow('before')
    expect(() =>
      markRegions(source, [
        ['submit', 'one'],
        ['wait', 'one'],
      ]),
    ).toThrow('twice')
  })
})
