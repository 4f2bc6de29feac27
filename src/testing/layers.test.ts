/**
 * Who may import whom (src/README.md, 'Folders'), executed: over the real sources, and over small
 * made-up ones that break each rule, since a check that cannot fail checks nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, parseSource } from './import-graph'
import { checkLayers, ROOMS, type Violation } from './layer-rules'

const ROOT = join(import.meta.dirname, '..', '..')
const isFile = (path: string): boolean => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile()

function readSources(): ReadonlyMap<string, string> {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path))
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

const describeViolation = ({ rule, file, line, what }: Violation): string =>
  `${file}:${String(line)} ${rule}: ${what}`
/**
 * A render that suspends in use() must come to it again: React's error 467. See base/load-once.ts.
 */
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
  const { violations, imports } = checkLayers(readSources(), isFile)

  it('are found, with their imports', () => {
    // Guards against a walk that finds nothing, and so nothing wrong.
    expect(
      imports.some(
        ({ from, to }) => from === 'src/site/worker/handle-requests.ts' && to === 'src/gpu/index.ts',
      ),
    ).toBe(true)
  })

  it('keep to the rules', () => expect(violations.map(describeViolation)).toEqual([]))

  it('list a room after those that it imports', () => {
    const order = Object.keys(ROOMS)
    const backward = Object.entries(ROOMS).flatMap(([room, { may, mayTypes = [] }]) =>
      [...may, ...mayTypes].filter((other) => order.indexOf(other) >= order.indexOf(room)),
    )
    expect(backward).toEqual([])
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
})

/** Rules that a made-up tree breaks, as 'rule what'. */
const broken = (files: Readonly<Record<string, string>>): readonly string[] => {
  const paths = `base/units.ts trace/schema.ts trace/formats/csv.ts analysis/gaps.ts gpu/index.ts gpu/queue.ts
    gpu/kernels/kernel.ts timeline/index.ts timeline/paint.ts timeline/lod/row.ts experiments/one/meta.ts
    experiments/two/run.ts lessons/load.ts lessons/one/mend/checks.ts site/state/run-store.ts site/ui/App.tsx
    site/worker/worker.ts site/worker/client.ts`.split(/\s+/)
  const shared = Object.fromEntries(paths.map((path) => [`src/${path}`, '']))
  return checkLayers(new Map(Object.entries({ ...shared, ...files }))).violations.map(
    ({ rule, what }) => `${rule} ${what}`,
  )
}

describe('the check catches', () => {
  it.each([
    ['base/a.ts', `import { x } from '../trace/schema'`, 'room src/trace/schema.ts'],
    ['base/a.ts', `import type { X } from '../trace/schema'`, 'room src/trace/schema.ts'],
    ['trace/a.ts', `export { x } from '../analysis/gaps'`, 'room src/analysis/gaps.ts'],
    ['analysis/a.ts', `type X = import('../gpu').X`, 'room src/gpu/index.ts'],
    ['timeline/a.ts', `import { x } from '../analysis/gaps'`, 'room src/analysis/gaps.ts'],
    [
      'exercises/a.ts',
      `import.meta.glob('../lessons/*/mend/checks.ts')`,
      'room src/lessons/*/mend/checks.ts',
    ],
    ['lessons/a.ts', `const x = await import('../site/ui/App')`, 'room src/site/ui/App.tsx'],
    ['main.tsx', `import { x } from './analysis/gaps'`, 'room src/analysis/gaps.ts'],
    ['misc/a.ts', '', 'room src/misc/a.ts'],
    ['experiments/one/a.ts', `import type { X } from '../../gpu/queue'`, 'door src/gpu/queue.ts'],
    ['site/ui/a.tsx', `import { x } from '../../timeline/paint'`, 'door src/timeline/paint.ts'],
    ['trace/a.ts', `import { x } from './formats/csv'`, 'apart src/trace/formats/csv.ts'],
    ['site/state/a.ts', `import type { X } from '../ui/App'`, 'apart src/site/ui/App.tsx'],
    ['experiments/one/a.ts', `import { x } from '../two/run'`, 'sibling src/experiments/two/run.ts'],
    ['base/a.ts', `import './testing/b'`, 'test-code src/base/testing/b'],
    ['timeline/a.ts', `import { useState } from 'react'`, 'package react'],
    ['base/a.ts', `const name = 'react'; await import(name)`, 'package (computed)'],
    ['gpu/a.ts', 'document.title', 'global document'],
    ['base/a.ts', 'void fetch(address)', 'global fetch'],
    ['base/a.ts', 'globalThis.indexedDB.open(name)', 'global indexedDB'],
    ['trace/a.ts', 'let x: GPUAdapter', 'global GPUAdapter'],
    ['experiments/measure.ts', 'let x: GPUBuffer', 'gpu-object GPUBuffer'],
  ])('%s: %s', (file, text, what) => expect(broken({ [`src/${file}`]: text })).toEqual([what]))

  it('what a thread must not load, over any number of imports', () => {
    expect(
      broken({
        'src/main.tsx': `import('./site/a')`,
        'src/site/a.ts': `import { x } from '../experiments/one/b'; import type { Y } from '../gpu'`,
        'src/experiments/one/b.ts': `import { x } from '../../gpu'`,
      }),
    ).toEqual(['thread src/gpu/index.ts'])
    expect(
      broken({
        'src/site/a.ts': `new Worker(new URL('./worker/b.ts', import.meta.url), { type: 'module' })`,
        'src/site/worker/b.ts': `import { createStore } from 'zustand/vanilla'`,
      }),
    ).toEqual(['thread zustand/vanilla'])
  })
})

describe('the check lets pass', () => {
  it.each([
    ['gpu/kernels/a.ts', `import type { X } from '..'; import s from '../../../shaders/a.wgsl?raw'`],
    ['experiments/one/a.ts', `import { x } from './run'; import { y } from '../../analysis/gaps'`],
    ['experiments/one/prepare.ts', 'let x: GPUBuffer'],
    ['timeline/a.ts', `import type { X } from '../analysis/gaps'; import { scaleLinear } from 'd3-scale'`],
    ['lessons/a.ts', `import { x } from '../trace/schema' // GPUDevice in a comment; 'GPUBuffer' in text`],
    ['gpu/a.ts', 'const f = (window: { length: number }) => window.length'],
    ['base/a.test.ts', `import { x } from '../gpu'; import { y } from 'fast-check'`],
  ])('%s: %s', (file, text) => expect(broken({ [`src/${file}`]: text })).toEqual([]))
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
})
