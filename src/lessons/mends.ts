/**
 * Every lesson's mend, loaded when it is wanted. The folder `<id>/mend/` is its last rung. Those before it are `rung-1/` and on within: words
 * and checks of their own, and programs as edits of the mend's two (`programs.edits`). Work is prepared by `<id>/mend/prepare.ts` for all.
 */
import { COMMON_RULES } from '../exercises/checks'
import { programsIn } from '../exercises/edits'
import { grade as gradeMend, type GradeOptions } from '../exercises/grade'
import type { Mend, MendRules } from '../exercises/mend'
import type { Scope } from '../exercises/names'
import type { Graded } from '../exercises/types'
import type { MendWords, Way } from '../exercises/words'
import { h200 } from '../model/cards/h200'
import type { Environment } from '../trace/report'
// Vite's own import: the address of the script that it builds.
// oxlint-disable-next-line import/default
import worker from './mend-worker?worker&url'
// oxlint-disable-next-line import/default
import modelWorker from './model-mend-worker?worker&url'

type Files<T> = Readonly<Record<string, () => Promise<T>>>

const rules: Files<MendRules> = import.meta.glob<MendRules>(
  ['./*/mend/checks.ts', './*/mend/rung-*/checks.ts'],
  { import: 'rules' },
)
const texts: Files<string> = import.meta.glob<string>(
  ['./*/mend/{start,reference}.{js,wgsl}', './*/mend/rung-*/programs.edits'],
  { query: '?raw', import: 'default' },
)
const words: Files<MendWords> = import.meta.glob<MendWords>(['./*/mend/mend.md', './*/mend/rung-*/mend.md'], {
  import: 'words',
})

/** Other ways than the lab's own, by file: `./<lesson>/mend/ways/<name>.js`. */
const ways: Files<Omit<Way, 'name'>> = import.meta.glob<Omit<Way, 'name'>>('./*/mend/ways/*.{js,wgsl}', {
  query: '?way',
  import: 'way',
})

const scopes: Files<Scope> = import.meta.glob<Scope>('./*/mend/names.ts', { import: 'scope' })

const lowerRung = (lesson: string, rung: number): string => `./${lesson}/mend/rung-${String(rung)}`

/** How many rungs the mend of a lesson has; 0: the lesson has no mend. */
export function rungsOf(lesson: string): number {
  if (!rules[`./${lesson}/mend/checks.ts`]) return 0
  let rungs = 1
  while (rules[`${lowerRung(lesson, rungs)}/checks.ts`]) rungs += 1
  return rungs
}

/** @param rung the last where none is named. @throws Error where the lesson has no mend, or the mend no such rung. */
export async function mendOf(lesson: string, rung = rungsOf(lesson)): Promise<Mend> {
  const rungs = rungsOf(lesson)
  if (rungs === 0) throw new Error(`The lesson '${lesson}' has no mend.`)
  const last = `./${lesson}/mend`
  const folder = rung === rungs ? last : lowerRung(lesson, rung)
  const load = async <T>(files: Files<T>, from: string, ...names: readonly string[]): Promise<T> => {
    const file = names.map((name) => files[`${from}/${name}`]).find((each) => each !== undefined)
    if (!file)
      throw new Error(`Rung ${String(rung)} of the mend of '${lesson}' has no ${names.join(' or ')}.`)
    return await file()
  }
  const [own, start, reference, edits, text, { pytorch }, scope] = await Promise.all([
    load(rules, folder, 'checks.ts'),
    load(texts, last, 'start.js', 'start.wgsl'),
    load(texts, last, 'reference.js', 'reference.wgsl'),
    rung === rungs ? '' : load(texts, folder, 'programs.edits'),
    load(words, folder, 'mend.md'),
    load(words, last, 'mend.md'),
    scopes[`${last}/names.ts`]?.() ?? null,
  ])
  const programs = programsIn(edits, { start, reference })
  const must = [...text.must, ...COMMON_RULES.map((rule) => ({ ...rule, isCommon: true as const }))]
  return {
    lesson,
    rung,
    rungs,
    worker,
    modelWorker,
    ...own,
    start: programs.start,
    reference: programs.reference,
    // The fix to copy is one for all rungs.
    words: { ...text, pytorch, must },
    ways: rung === rungs ? waysIn(lesson).map(wayName) : [],
    scope,
  }
}

const waysIn = (lesson: string): readonly string[] =>
  Object.keys(ways).filter((path) => path.startsWith(`./${lesson}/mend/ways/`))

/** './x/mend/ways/ring-of-three.js': 'Ring of three'. */
function wayName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.')).replaceAll('-', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The programs that `Mend.ways` names. */
export const waysOf = (lesson: string): Promise<readonly Way[]> =>
  Promise.all(
    waysIn(lesson).map(async (path) => {
      const way = await ways[path]?.()
      if (!way) throw new Error(`There is no program ${path}.`)
      return { name: wayName(path), ...way }
    }),
  )

/**
 * Grades `source` as a rung of a lesson's mend, the last where none is named. Where there is no device, and so no environment of one, on a
 * modelled machine.
 *
 * @throws as exercises/grade.ts, and Error where there is no such mend
 */
export const grade = async (
  lesson: string,
  source: string,
  {
    rung,
    environment,
    ...options
  }: Omit<GradeOptions, 'environment' | 'isModelled'> & {
    readonly rung?: number
    readonly environment: Environment | null
  },
): Promise<Graded> =>
  await gradeMend(await mendOf(lesson, rung), source, {
    ...options,
    ...(environment ? { environment } : { environment: h200.environment, isModelled: true }),
  })
