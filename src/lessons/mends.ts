/**
 * Every lesson's mend, loaded when it is wanted: the folder `<id>/mend/` is its first rung, `<id>/mend/rung-2/` the second, with files of the
 * same names. Work is prepared by `<id>/mend/prepare.ts` for all of them.
 */
import { COMMON_RULES } from '../mend/checks'
import { grade as gradeMend, type GradeOptions } from '../mend/grade'
import type { Mend, MendRules } from '../mend/mend'
import type { Graded } from '../mend/types'
import type { MendWords } from '../mend/words'
// Vite's own import: the address of the script that it builds.
// oxlint-disable-next-line import/default
import worker from './mend-worker?worker&url'

type Files<T> = Readonly<Record<string, () => Promise<T>>>

const rules: Files<MendRules> = import.meta.glob<MendRules>(
  ['./*/mend/checks.ts', './*/mend/rung-*/checks.ts'],
  { import: 'rules' },
)
const texts: Files<string> = import.meta.glob<string>(
  ['./*/mend/{start,reference}.{js,wgsl}', './*/mend/rung-*/{start,reference}.{js,wgsl}'],
  { query: '?raw', import: 'default' },
)
const words: Files<MendWords> = import.meta.glob<MendWords>(['./*/mend/mend.md', './*/mend/rung-*/mend.md'], {
  import: 'words',
})

const folderOf = (lesson: string, rung: number): string =>
  rung === 1 ? `./${lesson}/mend` : `./${lesson}/mend/rung-${String(rung)}`

/** How many rungs the mend of a lesson has; 0: the lesson has no mend. */
function rungsOf(lesson: string): number {
  let rungs = 0
  while (rules[`${folderOf(lesson, rungs + 1)}/checks.ts`]) rungs += 1
  return rungs
}

/** @throws Error where the lesson has none, or the mend no such rung. */
export async function mendOf(lesson: string, rung = 1): Promise<Mend> {
  const rungs = rungsOf(lesson)
  if (rungs === 0) throw new Error(`The lesson '${lesson}' has no mend.`)
  const folder = folderOf(lesson, rung)
  const load = async <T>(files: Files<T>, ...names: readonly string[]): Promise<T> => {
    const file = names.map((name) => files[`${folder}/${name}`]).find((each) => each !== undefined)
    if (!file)
      throw new Error(`Rung ${String(rung)} of the mend of '${lesson}' has no ${names.join(' or ')}.`)
    return await file()
  }
  const [own, start, reference, text] = await Promise.all([
    load(rules, 'checks.ts'),
    load(texts, 'start.js', 'start.wgsl'),
    load(texts, 'reference.js', 'reference.wgsl'),
    load(words, 'mend.md'),
  ])
  const must = [...text.must, ...COMMON_RULES.map((rule) => ({ ...rule, isCommon: true as const }))]
  return { lesson, rung, rungs, worker, ...own, start, reference, words: { ...text, must } }
}

/**
 * Grades `source` as a rung of a lesson's mend, the first where none is named.
 *
 * @throws as mend/grade.ts, and Error where there is no such mend
 */
export const grade = async (
  lesson: string,
  source: string,
  { rung, ...options }: GradeOptions & { readonly rung?: number },
): Promise<Graded> => await gradeMend(await mendOf(lesson, rung), source, options)
