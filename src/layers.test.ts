/**
 * Who may import whom (src/README.md, 'Folders'), executed: over the real sources, and over small made-up ones that break each rule, since a check
 * that cannot fail checks nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCycles, importsOf, parseSource } from './testing/import-graph'
import { checkLayers, EXCEPTIONS, isExcepted, LAYERS, type Violation } from './testing/layer-rules'

const ROOT = join(import.meta.dirname, '..')
const isFile = (path: string): boolean => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile()

function readSources(): ReadonlyMap<string, string> {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path))
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

const describeViolation = ({ rule, file, line, what }: Violation): string =>
  `${file}:${String(line)} ${rule}: ${what}`
/** A render that suspends in use() must come to it again: React's error 467. See base/load-once.ts. */
function usesOnACondition([path, text]: readonly [string, string]): readonly string[] {
  const { lineOf, textOf, walk } = parseSource(path, text)
  const found: string[] = []
  walk((node, _, parent) => {
    const isUse = node.type === 'CallExpression' && textOf(node['callee']) === 'use'
    if (isUse && 'type' in parent && /^(Logical|Conditional)Expression$/.test(String(parent.type)))
      found.push(`${path}:${String(lineOf(node.start))}`)
  })
  return found
}

describe('the sources', () => {
  const { violations, imports } = checkLayers(readSources(), LAYERS, isFile)

  it('are found, with their imports', () => {
    // Guards against a walk that finds nothing, and so nothing wrong.
    expect(
      imports.some(
        ({ from, to }) => from === 'src/worker/handle-requests.ts' && to === 'src/engine/index.ts',
      ),
    ).toBe(true)
  })

  it('keep to the rules', () => {
    const unexcused = violations.filter(
      (each) => !EXCEPTIONS.some((exception) => isExcepted(exception, each)),
    )
    expect(unexcused.map(describeViolation)).toEqual([])
  })

  it('have a paragraph in the README for each folder', () => {
    const folders = new Set(
      [...readSources().keys()].flatMap((path) => /^src\/([^/]+)\//.exec(path)?.[1] ?? []),
    )
    const text = readFileSync(join(ROOT, 'src/README.md'), 'utf8')
    const described = [...text.matchAll(/^\*\*`([^`]+)\/`\*\*/gm)].map(([, name]) => name)
    expect(described.toSorted()).toEqual([...folders].toSorted())
  })

  it('import only files that exist', () => {
    // Of a pattern, whatever it finds.
    const missing = imports.filter(({ to }) => to !== null && !to.includes('*') && !isFile(to))
    expect(missing.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([])
  })

  it('call use() on no side of a condition', () => {
    expect([...readSources()].filter(([, text]) => text.includes('use(')).flatMap(usesOnACondition)).toEqual(
      [],
    )
    expect(usesOnACondition(['a.tsx', 'const a = isOpen\n ? use(b) : use(c)'])).toEqual([
      'a.tsx:2',
      'a.tsx:2',
    ])
    expect(usesOnACondition(['a.tsx', 'const a = use(isOpen ? b : c)'])).toEqual([])
  })

  it('need each exception', () => {
    const needless = EXCEPTIONS.filter((exception) => !violations.some((each) => isExcepted(exception, each)))
    expect(needless).toEqual([])
  })
})

/** What a made-up tree breaks, as 'rule what'. */
const broken = (files: Readonly<Record<string, string>>): readonly string[] => {
  const shared = {
    'src/base/units.ts': '',
    'src/trace/schema.ts': '',
    'src/trace/report.ts': '',
    'src/analysis/gaps.ts': '',
    'src/engine/index.ts': '',
    'src/engine/queue.ts': '',
    'src/kernels/kernel.ts': '',
    'src/experiments/catalog.ts': '',
    'src/experiments/one/prepare.ts': '',
    'src/experiments/two/run.ts': '',
    'src/worker/worker.ts': '',
    'src/worker/client.ts': '',
    'src/timeline/index.ts': '',
    'src/timeline/paint.ts': '',
    'src/lessons/load.ts': '',
    'src/state/run-store.ts': '',
    'src/ui/App.tsx': '',
  }
  return checkLayers(new Map(Object.entries({ ...shared, ...files }))).violations.map(
    ({ rule, what }) => `${rule} ${what}`,
  )
}

describe('the check catches', () => {
  it.each([
    ['src/base/a.ts', `import { x } from '../trace/schema'`, 'src/trace/schema.ts'],
    ['src/base/a.ts', `import type { X } from '../trace/schema'`, 'src/trace/schema.ts'],
    ['src/trace/a.ts', `import { x } from '../analysis/gaps'`, 'src/analysis/gaps.ts'],
    ['src/analysis/a.ts', `import { x } from '../engine'`, 'src/engine/index.ts'],
    ['src/formats/a.ts', `import type { X } from '../analysis/gaps'`, 'src/analysis/gaps.ts'],
    ['src/engine/a.ts', `import type { X } from '../kernels/kernel'`, 'src/kernels/kernel.ts'],
    ['src/engine/a.ts', `export { x } from '../state/run-store'`, 'src/state/run-store.ts'],
    ['src/kernels/a.ts', `import { x } from '../engine'`, 'src/engine/index.ts'],
    ['src/kernels/a.ts', `import type { X } from '../engine/queue'`, 'src/engine/queue.ts'],
    ['src/experiments/one/meta.ts', `import source from '../../../shaders/a.wgsl?raw'`, 'shaders/a.wgsl'],
    ['src/experiments/one/meta.ts', `type X = import('../../engine').X`, 'src/engine/index.ts'],
    ['src/experiments/one/metrics.ts', `import { x } from '../two/run'`, 'src/experiments/two/run.ts'],
    ['src/experiments/one/metrics.ts', `import { x } from '../../engine/queue'`, 'src/engine/queue.ts'],
    ['src/experiments/runners.ts', `import type { X } from '../lessons/load'`, 'src/lessons/load.ts'],
    ['src/worker/protocol.ts', `import { x } from '../experiments/catalog'`, 'src/experiments/catalog.ts'],
    ['src/worker/client.ts', `import './worker'`, 'src/worker/worker.ts'],
    ['src/worker/worker.ts', `const x = await import('../state/run-store')`, 'src/state/run-store.ts'],
    ['src/timeline/a.ts', `import { x } from '../analysis/gaps'`, 'src/analysis/gaps.ts'],
    ['src/timeline/a.ts', `import type { X } from '../experiments/catalog'`, 'src/experiments/catalog.ts'],
    ['src/mend/a.ts', `import.meta.glob('../lessons/*/mend/checks.ts')`, 'src/lessons/*/mend/checks.ts'],
    ['src/mend/worker/a.ts', `import.meta.glob(['../../lessons/*/x.ts'])`, 'src/lessons/*/x.ts'],
    ['src/lessons/a.ts', `import { x } from '../experiments/catalog'`, 'src/experiments/catalog.ts'],
    ['src/lessons/a.ts', `import type { X } from '../timeline'`, 'src/timeline/index.ts'],
    ['src/state/a.ts', `import { x } from '../worker/client'`, 'src/worker/client.ts'],
    ['src/state/a.ts', `import type { X } from '../ui/App'`, 'src/ui/App.tsx'],
    ['src/ui/a.tsx', `import { x } from '../timeline/paint'`, 'src/timeline/paint.ts'],
    ['src/ui/a.tsx', `export type { X } from '../engine'`, 'src/engine/index.ts'],
    ['src/ui/a.tsx', `new Worker(new URL('../worker/worker.ts', import.meta.url))`, 'src/worker/worker.ts'],
    ['src/main.tsx', `import { x } from './engine'`, 'src/engine/index.ts'],
  ])('%s: %s', (file, text, what) => {
    expect(broken({ [file]: text })).toEqual([`import ${what}`])
  })

  it.each([
    ['src/timeline/a.ts', `import { useState } from 'react'`, 'react'],
    ['src/lessons/a.ts', `import { createStore } from 'zustand/vanilla'`, 'zustand/vanilla'],
    ['src/base/a.ts', `import { scaleLinear } from 'd3-scale'`, 'd3-scale'],
    ['src/state/a.ts', `const name = 'react'; await import(name)`, '(computed)'],
  ])('a package: %s: %s', (file, text, what) => {
    expect(broken({ [file]: text })).toEqual([`package ${what}`])
  })

  it.each([
    ['src/engine/a.ts', 'document.title', 'global document'],
    ['src/base/a.ts', 'void fetch(address)', 'global fetch'],
    ['src/base/a.ts', 'globalThis.indexedDB.open(name)', 'global indexedDB'],
    ['src/trace/a.ts', 'let x: GPUAdapter', 'global GPUAdapter'],
    ['src/timeline/a.ts', 'let x: GPUQueue', 'global GPUQueue'],
    ['src/ui/a.tsx', 'let x: GPUDevice', 'gpu-object GPUDevice'],
    ['src/experiments/measure.ts', 'let x: GPUBuffer', 'gpu-object GPUBuffer'],
    ['src/base/a.ts', 'fetch(x)', 'global fetch'],
  ])('a word: %s: %s', (file, text, what) => {
    expect(broken({ [file]: text })).toEqual([what])
  })

  it('a cycle, also through types and re-exports', () => {
    const files = {
      'src/base/a.ts': `import { b } from './b'`,
      'src/base/b.ts': `export * from './c'`,
      'src/base/c.ts': `import type { A } from './a'`,
    }
    expect(broken(files)).toEqual(['cycle src/base/a.ts → src/base/b.ts → src/base/c.ts'])
  })

  it('test code in what ships, and a file of no layer', () => {
    const files = {
      'src/base/a.ts': `import './testing/b'`,
      'src/base/testing/b.ts': '',
      'src/misc/a.ts': '',
    }
    expect(broken(files)).toEqual(['test-code src/base/testing/b.ts', 'no-layer src/misc/a.ts'])
  })
})

describe('the check lets pass', () => {
  it.each([
    ['src/kernels/a.ts', `import type { X } from '../engine'; import s from '../../shaders/a.wgsl?raw'`],
    ['src/experiments/one/metrics.ts', `import { x } from './run'; import { y } from '../../analysis/gaps'`],
    ['src/experiments/one/prepare.ts', 'let x: GPUBuffer'],
    ['src/worker/client.ts', `new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })`],
    [
      'src/timeline/a.ts',
      `import type { X } from '../analysis/gaps'; import { scaleLinear } from 'd3-scale'`,
    ],
    [
      'src/lessons/a.ts',
      `import { type X } from '../trace/report' // GPUDevice in a comment; 'GPUBuffer' in text`,
    ],
    ['src/engine/a.ts', 'const f = (window: { length: number }) => window.length'],
    ['src/base/a.test.ts', `import { x } from '../engine'; import { y } from 'fast-check'`],
  ])('%s: %s', (file, text) => {
    expect(broken({ [file]: text })).toEqual([])
  })
})

describe('reading imports', () => {
  it('tells values, types and workers apart', () => {
    const text = `
      import a, { type B } from './a'
      import { type C, type D } from './c'
      export type { E } from './e'
      type F = import('./f').F
      const g = () => import('./g')
      new Worker(new URL('./h.ts', import.meta.url))`
    const found = importsOf('src/x.ts', text, (path) => path.endsWith('.ts'))
    expect(found.map(({ to, kind, line }) => [to, kind, line])).toEqual([
      ['src/a.ts', 'value', 2],
      ['src/c.ts', 'types', 3],
      ['src/e.ts', 'types', 4],
      ['src/f.ts', 'types', 5],
      ['src/g.ts', 'value', 6],
      ['src/h.ts', 'worker', 7],
    ])
  })

  it('finds no cycle where two ways lead to one file', () => {
    const edge = (from: string, to: string) => ({ from, to, line: 1, specifier: to, kind: 'value' as const })
    expect(findCycles([edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')])).toEqual([])
  })
})
