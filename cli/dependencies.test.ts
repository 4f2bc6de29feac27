/**
 * Each command installs enough: `npm start` leaves out what only developing needs, and benches have
 * packages of their own.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadedPackages, modulesIn } from '../src/testing/import-graph'
import { whatToInstall } from './dependencies.mjs'

describe('what npm is called with', () => {
  const a = { 'node_modules/a': { version: '1.0.0' } }
  const b = { 'node_modules/a/node_modules/b': { version: '2.0.0' } }
  const tool = { 'node_modules/tool': { version: '3.0.0', dev: true } }
  const locked = {
    '': { version: '0.1.0' },
    ...a,
    ...b,
    ...tool,
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
  }
  const argsFor = (purpose: 'for running' | 'for developing', installed: typeof locked | object | null) =>
    whatToInstall(locked, installed as typeof locked | null, purpose)?.args ?? null

  it('is nothing where all that the purpose needs is there, in its version', () => {
    expect(argsFor('for running', { ...a, ...b })).toBeNull()
    expect(argsFor('for running', locked)).toBeNull()
    expect(argsFor('for developing', { ...a, ...b, ...tool })).toBeNull()
  })

  it('begins anew where nothing is there, or another version', () => {
    expect(whatToInstall(locked, null, 'for running')).toEqual({
      missing: 'a 1.0.0',
      count: 3,
      args: ['ci', '--omit=dev'],
    })
    expect(argsFor('for developing', null)).toEqual(['ci'])
    const old = { ...a, 'node_modules/a/node_modules/b': { version: '1.9.0' } }
    expect(whatToInstall(locked, old, 'for running')).toMatchObject({
      missing: 'b 2.0.0',
      args: ['ci', '--omit=dev'],
    })
  })

  it('adds what is missing to what is right, and takes no package for developing away', () => {
    expect(argsFor('for developing', { ...a, ...b })).toEqual(['install', '--no-save'])
    expect(argsFor('for running', a)).toEqual(['install', '--no-save', '--omit=dev'])
    expect(argsFor('for running', { ...a, ...tool })).toEqual(['install', '--no-save'])
  })
})

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}
const dependenciesOf = (file: string) =>
  Object.keys((JSON.parse(readFileSync(file, 'utf8')) as Manifest).dependencies)

describe('what is installed for running', () => {
  const commands = ['start', 'build', 'build-cli', 'lab', 'new', 'serve'].map((name) => `cli/${name}.mjs`)
  const site = ['vite.config.ts', ...modulesIn('src')]
  const packages = loadedPackages([...commands, 'cli/lab-commands.ts', 'cli/lab-alone.ts', ...site])

  it('is all that building, serving and the command line load', () => {
    const installed = dependenciesOf('package.json')
    expect([...packages].filter(([name]) => !installed.includes(name))).toEqual([])
    // Guards against a walk that finds nothing.
    for (const name of ['vite', 'react', 'tsx', 'playwright-core', 'onnxruntime-web', 'shiki'])
      expect([...packages.keys()]).toContain(name)
  })

  it('and with the libraries of bench/ all that a bench loads', () => {
    const own = dependenciesOf('bench/package.json')
    const installed = [...dependenciesOf('package.json'), ...own]
    const entries = [
      'bench/bench.mjs',
      'bench/bench.ts',
      ...modulesIn('bench/page'),
      ...modulesIn('bench/peers'),
    ]
    const loaded = loadedPackages(entries)
    expect([...loaded].filter(([name]) => !installed.includes(name))).toEqual([])
    expect([...loaded.keys()]).toEqual(
      expect.arrayContaining(['@jax-js/jax', '@tensorflow/tfjs-core', 'playwright-core']),
    )
    // A clone without them is linted and typed all the same.
    expect([...packages.keys()].filter((name) => own.includes(name))).toEqual([])
  })
})
