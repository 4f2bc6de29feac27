/**
 * Every lesson's mend, loaded when it is wanted. `<id>/mend/` has two rungs: the programs of the
 * first are edits of the last one's (`programs.edits`). Work is prepared by `<id>/mend/prepare.ts`
 * for both.
 */
import { COMMON_RULES } from '../exercises/checks'
import { programsIn } from '../exercises/edits'
import { grade as gradeMend, type GradeOptions } from '../exercises/grade'
import type { Exercise, ExerciseRules, ExerciseFile } from '../exercises/exercise'
import { namesOf } from '../exercises/names'
import type { Graded } from '../exercises/types'
import { h200 } from '../model/machines/h200'
import type { Environment } from '../trace/report'
// Vite's own import: the address of the script that it builds.
// oxlint-disable-next-line import/default
import worker from './exercise-worker?worker&url'
// oxlint-disable-next-line import/default
import modelWorker from './model-exercise-worker?worker&url'

type Files<T> = Readonly<Record<string, () => Promise<T>>>

interface Checks {
  readonly rules: ExerciseRules
  /** If it is left out, `rules` hold for the first rung too. */
  readonly firstRung?: ExerciseRules
}
const checks = import.meta.glob<Checks>('./*/mend/checks.ts')
const texts = import.meta.glob<string>(['./*/mend/{start,reference}.{js,wgsl}', './*/mend/programs.edits'], {
  query: '?raw',
  import: 'default',
})
const words = import.meta.glob<ExerciseFile>('./*/mend/mend.md', { import: 'mend' })

const RUNGS = 2

/** Rungs of a lesson's mend; 0: the lesson has no mend. */
export const rungsOf = (lesson: string): number => (checks[`./${lesson}/mend/checks.ts`] ? RUNGS : 0)

/**
 * @param rung the last where none is named.
 * @throws Error where the lesson has no mend, or the mend no such rung.
 */
export async function exerciseOf(lesson: string, rung = RUNGS): Promise<Exercise> {
  const folder = `./${lesson}/mend/`
  const load = async <T>(files: Files<T>, name: string): Promise<T> => {
    const file = files[folder + name]
    if (!file) throw new Error(`The lesson '${lesson}' has no mend, or a file of it is missing.`)
    return await file()
  }
  const isLast = rung === RUNGS
  const isShader = `${folder}start.wgsl` in texts
  const ending = isShader ? 'wgsl' : 'js'
  const [own, start, reference, edits, { rungs, pytorch, names }] = await Promise.all([
    load(checks, 'checks.ts'),
    load(texts, `start.${ending}`),
    load(texts, `reference.${ending}`),
    load(texts, 'programs.edits'),
    load(words, 'mend.md'),
  ])
  const text = rungs[rung - 1]
  if (!text) throw new Error(`A mend has no rung ${String(rung)}.`)
  const programs = programsIn(edits, rung, { start, reference })
  const must = [...text.must, ...COMMON_RULES.map((rule) => ({ ...rule, isCommon: true as const }))]
  return {
    lesson,
    rung,
    rungs: RUNGS,
    worker,
    modelWorker,
    ...(isLast ? own.rules : (own.firstRung ?? own.rules)),
    language: isShader ? 'wgsl' : 'javascript',
    start: programs.start,
    reference: programs.reference,
    words: { ...text, pytorch, must },
    names: names === null ? null : namesOf(names),
  }
}

/**
 * Grades `source` as a rung of a lesson's mend, the last where none is named. Where there is no
 * device, and so no environment of one, on a modelled machine.
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
  await gradeMend(await exerciseOf(lesson, rung), source, {
    ...options,
    ...(environment ? { environment } : { environment: h200.environment, isModelled: true }),
  })
