/** What pages say of lessons without loading the words of any. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Passage, Prose } from '../src/text/template'
import { recordedIn } from './recorded-figures'
import { RECORDINGS } from './recordings'
import { thumbnailOf } from './thumbnails'
import { hasExercise, readLessons, type ReadLesson } from './words-md'

/** A lesson with a run of its own, which was recorded. */
const isRecorded = ({ id, kind }: ReadLesson): boolean =>
  kind === 'experiment' && existsSync(join(RECORDINGS, `${id}.hdl.gz`))

/** What reads conditions and figures is no part of the first page: its words stand as they are. */
const standing = (id: string, intro: Passage): Prose =>
  intro.map((part) => {
    if (typeof part !== 'string')
      throw new Error(`The introduction of '${id}' stands on the first page: no conditions, no figures.`)
    return part
  })

/**
 * What the first lesson asks; null where that one runs nothing. `recordedOn` is null where its run
 * was not recorded.
 */
export async function firstQuestion() {
  const [lesson] = await readLessons()
  const asked =
    lesson?.kind === 'experiment'
      ? {
          id: lesson.id,
          ask: lesson.ask,
          intro: standing(lesson.id, lesson.intro),
          prediction: lesson.prediction,
        }
      : null
  const recordedOn = lesson && isRecorded(lesson) ? (await recordedIn([])).origin(lesson.id).device : null
  return { firstQuestion: asked, recordedOn }
}

/** A line of each lesson. */
export async function lessonIndex() {
  const heads = (await readLessons()).map(async (lesson) => {
    const { id, kind, number, question, measures, minutes, part, recommended, mends, prediction, quiz } =
      lesson
    const { unit, scale } = prediction
    return {
      id,
      kind,
      number,
      question,
      measures,
      minutes,
      part,
      recommended,
      mends,
      unit,
      scale,
      /** How many why-questions it asks. */
      questions: quiz.length,
      hasExercise: hasExercise(id),
      /** Of its recording, as a file of the built site: 'thumbnails/ID.svg'. */
      hasThumbnail: (await thumbnailOf(lesson)) !== null,
      /** In how many profiles a line at fault is to be found. */
      profiles: lesson.kind === 'profiles' ? lesson.profiles.length : 0,
    }
  })
  return { lessonIndex: await Promise.all(heads) }
}

/** The objectives of each lesson, by its id: for teachers alone. */
export const lessonGoals = async () => ({
  lessonGoals: Object.fromEntries((await readLessons()).map(({ id, objectives }) => [id, objectives])),
})
