/** Names of programs: each that a mend's start or reference uses has its line there, and no line is for a name that nothing uses. */
import { CompletionContext } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { lessonsWithMend, mendText, RUNGS } from '../../../../../cli/mend-files'
import type { Name, Names, Scope } from '../../../../exercises/names'
import { javascript } from './javascript'
import { completed, explainedAt } from './names'
import { parsed } from './testing/parsed'

/** A shader has none. */
const scopes = new Map(
  Object.entries(
    import.meta.glob<{ readonly scope?: Scope }>('../../../../lessons/*/mend/checks.ts', { eager: true }),
  ).flatMap(([path, { scope }]) => (scope ? [[path.split('/').at(-3) ?? '', scope] as const] : [])),
)

const stateOf = (doc: string): EditorState => parsed(EditorState.create({ doc, extensions: [javascript] }))

/** What the language itself has: no lines are for those. */
const BUILT_IN = new Set(
  [Array.prototype, Float32Array.prototype, Object.getPrototypeOf(Float32Array.prototype), Number, Math, Promise, Array, ArrayBuffer.prototype, { now: 0 }]
    .flatMap((each: object) => Object.getOwnPropertyNames(each)),
) // oxfmt-ignore

/** Members, and what patterns take out of objects, in the order of the text. */
function namesIn(state: EditorState): readonly { readonly from: number; readonly name: string }[] {
  const found: { from: number; name: string }[] = []
  syntaxTree(state)
    .cursor()
    .iterate(({ name, node, from, to }) => {
      const isMember = name === 'PropertyName' && node.parent?.name === 'MemberExpression'
      const isTaken = node.parent?.name === 'PatternProperty' && node.parent.firstChild?.from === from
      if (isMember || isTaken) found.push({ from, name: state.sliceDoc(from, to) })
    })
  return found
}

/** Objects of a program's own, by what it names in them, where a declaration does not tell what they are. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  'tensor-residence/reference of rung 1': ['mapAsync', 'getMappedRange', 'unmap'], // in a function that it no longer calls
  'sync-stalls/reference of rung 2': ['readback', 'mapped', 'count', 'getMappedRange', 'unmap'],
}

const programs = await Promise.all(
  lessonsWithMend()
    .filter((lesson) => scopes.get(lesson) !== undefined)
    .flatMap((lesson) =>
      Array.from({ length: RUNGS }, (_, at) => at + 1).flatMap((rung) =>
        (['start', 'reference'] as const).map(async (name) => {
          const state = stateOf(await mendText(lesson, name, rung))
          return { lesson, state, title: `${lesson}/${name} of rung ${String(rung)}` }
        }),
      ),
    ),
)

describe('the programs of the mends', () => {
  it('are those of all lessons whose mend is in JavaScript', async () => {
    const texts = await Promise.all(lessonsWithMend().map((lesson) => mendText(lesson, 'start')))
    expect(scopes.size).toBe(texts.filter((text) => text.includes('export default')).length)
  })

  it.each(programs)('name nothing that has no line: $title', ({ lesson, state, title }) => {
    const scope = scopes.get(lesson) ?? { globals: {}, given: {} }
    const without = namesIn(state).filter(({ from }) => explainedAt(state, from, scope) === null)
    const others = without.filter(({ name }) => !BUILT_IN.has(name) && !OWN[title]?.includes(name))
    expect(others.map(({ name }) => name)).toEqual([])
  })

  it('use every name that has a line', () => {
    const used = new Set<Name>()
    for (const { lesson, state } of programs)
      syntaxTree(state)
        .cursor()
        .iterate(({ from }) => {
          const found = explainedAt(state, from, scopes.get(lesson) ?? { globals: {}, given: {} })
          if (found) used.add(found.name)
        })
    const unused: string[] = []
    const look = (names: Names, path: string): void => {
      for (const [key, name] of Object.entries(names)) {
        if (!used.has(name)) unused.push(`${path}.${key}`)
        look(name.has ?? {}, `${path}.${key}`)
      }
    }
    for (const [lesson, { globals, given }] of scopes) {
      look(globals, lesson)
      look(given, lesson)
    }
    expect([...new Set(unused)]).toEqual([])
  })
})

const BUFFER: Names = { unmap: { takes: '()', says: 'Gives it back.' } }
const scope: Scope = {
  globals: { Usage: { says: 'What it is for.', has: { READ: { says: 'To read.' } } } },
  given: {
    device: {
      says: 'The GPU.',
      has: {
        make: { takes: '(size)', says: 'Makes a buffer.', has: BUFFER },
        queue: { says: 'In order.', has: {} },
      },
    },
    input: {
      says: 'Prepared.',
      has: {
        parts: { says: 'Parts.', has: { at: { says: 'Place.' }, b: { says: 'Buffer.', has: BUFFER } } },
      },
    },
  },
}

const HEAD = 'export default async function ({ device, input }) {\n'
/** Where `|` stands. */
const caret = (body: string): { readonly state: EditorState; readonly pos: number } => {
  const doc = `${HEAD}${body}\n}\n`
  const pos = doc.indexOf('|')
  return { state: stateOf(doc.replace('|', '')), pos }
}

describe('what is completed', () => {
  const labels = (body: string, isExplicit = false): readonly string[] | null => {
    const { state, pos } = caret(body)
    const result = completed(scope)(new CompletionContext(state, pos, isExplicit))
    return result?.options.map(({ label }) => label) ?? null
  }
  it.each([
    ['  device.|', ['make', 'queue']],
    ['  device.|\n  const a = 1', ['make', 'queue']],
    ['  device.ma|', ['make', 'queue']],
    ['  Usage.|', ['READ']],
    ['  input.parts.|', ['at', 'b']],
    ['  input.parts[0].b.|', ['unmap']],
    ['  const { | } = input', ['parts']],
    ['  const { parts } = input\n  parts[1].b.|', ['unmap']],
    ['  const { parts: all } = input\n  for (const each of all) each.|', ['at', 'b']],
    ['  const [first] = input.parts\n  first.|', ['at', 'b']],
    ['  const { b } = input.parts.at(-1)\n  b.|', ['unmap']],
    ['  const ring = [0, 1].map(() => device.make(4))\n  ring[1].|', ['unmap']],
    ['  const a = await device.make(4)\n  a.|', ['unmap']],
    ['  let a = null\n  const b = (a ??= device.make(4))\n  b.|', ['unmap']],
    ['  `${device.|}`', ['make', 'queue']],
    ['  const f = async (x, a) => (a.|)\n  f(1, device.make(4))', ['unmap']],
    ['  f(input.parts[0])\n  function f({ b }) {\n    b.|\n  }', ['unmap']],
    ['  let a = null\n  a ??= device.make(4)\n  a.|', ['unmap']],
    // The inner one of two.
    ['  const a = device.make(4)\n  if (x) {\n    const a = input.parts\n    a.|\n  }', ['at', 'b']],
    ['  const a = device.make(4)\n  if (x) {\n    const a = input.parts\n  }\n  a.|', ['unmap']],
  ])('%j', (body, expected) => {
    expect(labels(body)).toEqual(expected)
  })
  it.each([
    ['  unknown.|'],
    ['  device.make.|'],
    ['  device.make|'], // stands there already
    ['  device.constructor.|'],
    ['  // device.|'],
    ["  'device.|'"],
    ['  de|'],
    ['  const f = ({ b }) => b.|'],
    ['  const a = a\n  a.|'],
  ])('is nothing at %j', (body) => {
    expect(labels(body)).toBeNull()
  })
  it('are, when asked for, the variables that are known', () => {
    expect(labels('  const { parts } = input\n  const x = 1\n  |', true)).toEqual([
      'Usage',
      'device',
      'input',
      'parts',
    ])
  })
})

describe('what is explained', () => {
  const line = (body: string): string | undefined => {
    const { state, pos } = caret(body)
    return explainedAt(state, pos, scope)?.name.says
  }
  it.each([
    ['  await dev|ice.make(4)', 'The GPU.'],
    ['  await device.make|(4)', 'Makes a buffer.'],
    ['  const { |parts: all } = input', 'Parts.'],
    ['  const { parts: |all } = input', 'Parts.'],
    ['  const buffer = device.make(4)\n  |buffer', 'Makes a buffer.'],
    ['  input.parts.|at', 'Place.'],
    ['  const f = (|device) => 1', undefined],
    ['  x.|make', undefined],
    ['  // dev|ice', undefined],
    ['  re|turn', undefined],
  ])('%j', (body, expected) => {
    expect(line(body)).toBe(expected)
  })
})
