/**
 * Each name that an exercise's start or reference uses has its line, and no line is for a name that
 * nothing uses.
 */
import { describe, expect, it } from 'vitest'
import { lessonsWithExercise, exerciseText, RUNGS } from '../../exercises/testing/programs'
import { namesOf, type Names } from '../../exercises/names'
import type { ExerciseFile } from '../../exercises/exercise'

const keysIn = (names: Names): readonly string[] =>
  Object.entries(names).flatMap(([key, { has = {} }]) => [key, ...keysIn(has)])

/** By lesson; a shader has none. */
const known = new Map(
  Object.entries(
    import.meta.glob<ExerciseFile>('../../lessons/*/mend/mend.md', { import: 'mend', eager: true }),
  ).flatMap(([path, { names }]) =>
    names === null ? [] : [[path.split('/').at(-3) ?? '', keysIn(namesOf(names))] as const],
  ),
)

/** What the language itself has: no lines are for those. */
const BUILT_IN = new Set(
  [Array.prototype, Float32Array.prototype, Object.getPrototypeOf(Float32Array.prototype), Number, Math, Promise, Array, ArrayBuffer.prototype, { now: 0 }]
    .flatMap((each: object) => Object.getOwnPropertyNames(each)),
) // oxfmt-ignore
/** Members of objects that programs make for themselves. */
const OWN = new Set(['readback', 'mapped', 'count', 'x'])

const programs = await Promise.all(
  lessonsWithExercise()
    .filter((lesson) => known.has(lesson))
    .flatMap((lesson) =>
      Array.from({ length: RUNGS }, (_, at) => at + 1).flatMap((rung) =>
        (['start', 'reference'] as const).map(async (name) => {
          const text = (await exerciseText(lesson, name, rung)).replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '')
          return { lesson, text, title: `${lesson}/${name} of rung ${String(rung)}` }
        }),
      ),
    ),
)

describe('the programs of the exercises', () => {
  it.each(programs)('name no member without a line: $title', ({ lesson, text }) => {
    const lines = new Set(known.get(lesson))
    const members = [...text.matchAll(/[\w)\]]\.([A-Za-z]\w*)/g)].map(([, name = '']) => name)
    const without = members.filter((name) => !lines.has(name) && !BUILT_IN.has(name) && !OWN.has(name))
    expect(without).toEqual([])
  })

  it('use every name that has a line', () => {
    const everywhere = new Set(programs.flatMap(({ text }) => text.match(/\w+/g) ?? []))
    const unused = [...known.values()].flat().filter((name) => !everywhere.has(name))
    expect([...new Set(unused)]).toEqual([])
  })
})
