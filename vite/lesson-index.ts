/**
 * What the home page says of lessons, taken from the lessons themselves while the site is built, so that the first page loads the words of none:
 * `virtual:lesson-index`, a line of each, and `virtual:first-question`, what the first one asks.
 * `virtual:lesson-goals`: what teachers are told besides, which no other page loads. `virtual:cuda-profiles`: the recorded profiles beside
 * lessons and of their loops, for the list of recordings.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { endedState } from '../src/state/run-store'
import { storyOf } from '../src/state/story'
import { marksOf, type Mark } from '../src/state/thumbnail-marks'
import { traceTools } from '../src/state/trace-tools'
import { decodeRun } from '../src/trace/codec'
import type { partsFor, Passage } from '../src/words/passage'
import { placeholdersOf } from '../src/words/template'
import { recordedIn } from './recorded-figures'
import { RECORDINGS, recordingBytes } from './recording-bytes'
import { hasMend, readLessons, type ReadLesson } from './words-md'
import { recordingsIn } from './words/choices'

/** A lesson with a run of its own, which was recorded. */
const isRecorded = ({ id, kind }: ReadLesson): boolean =>
  kind === 'experiment' && existsSync(join(RECORDINGS, `${id}.hdl.gz`))

const OF_PROFILES: readonly Mark[] = ['device', 'idle']

/** What a lesson's thumbnail is drawn of (src/ui/thumbnail-svg.ts); null: there is none. */
export async function thumbnailMarks(lesson: ReadLesson): Promise<readonly Mark[] | null> {
  if (lesson.kind === 'profiles')
    return lesson.profiles.some(({ recording }) => existsSync(join(RECORDINGS, `${recording}.json.gz`)))
      ? OF_PROFILES
      : null
  if (!isRecorded(lesson)) return null
  const decoded = await decodeRun(recordingBytes(`${lesson.id}.hdl.gz`), {
    origin: 'recorded',
  })
  const story = decoded.ok && storyOf(endedState('thumbnail', decoded.value, traceTools), lesson.story)
  const marks = story ? marksOf(story) : []
  return marks.length > 0 ? marks : null
}

/** What reads conditions and figures is no part of the first page: its words stand as they are. */
const standing = (id: string, intro: Passage): ReturnType<typeof partsFor> =>
  intro.map((part) => {
    const isPlain = typeof part === 'string' ? placeholdersOf(part).length === 0 : 'rows' in part
    if (!isPlain)
      throw new Error(`The introduction of '${id}' stands on the first page: no conditions, no figures.`)
    return part as ReturnType<typeof partsFor>[number]
  })

const NAME = 'virtual:lesson-index'
const FIRST = 'virtual:first-question'
const GOALS = 'virtual:lesson-goals'
const PROFILES = 'virtual:cuda-profiles'
const NAMES: readonly string[] = [NAME, FIRST, GOALS, PROFILES]
const resolved = (name: string) => `\0${name}`

export const lessonIndex = (): Plugin => ({
  name: 'lesson-index',
  resolveId: (id) => (NAMES.includes(id) ? resolved(id) : null),
  async load(id) {
    if (id === resolved(FIRST)) {
      const [lesson] = await readLessons()
      if (lesson) this.addWatchFile(lesson.file)
      const asked =
        lesson?.kind === 'experiment'
          ? {
              id: lesson.id,
              ask: lesson.ask,
              intro: standing(lesson.id, lesson.intro),
              prediction: lesson.prediction,
            }
          : null
      const origin = lesson && isRecorded(lesson) ? (await recordedIn([])).origin(lesson.id).device : null
      return `export const firstQuestion = ${JSON.stringify(asked)}
export const recordedOn = ${JSON.stringify(origin)}`
    }
    if (id === resolved(GOALS)) {
      const goals = (await readLessons()).map((lesson) => {
        this.addWatchFile(lesson.file)
        return [lesson.id, lesson.objectives] as const
      })
      return `export const lessonGoals = ${JSON.stringify(Object.fromEntries(goals))}`
    }
    if (id === resolved(PROFILES)) {
      const lessons = await readLessons()
      const profiles = lessons.flatMap((lesson) => {
        this.addWatchFile(lesson.file)
        return lesson.kind === 'experiment' ? (lesson.cuda?.profiles ?? []) : []
      })
      const known = new Set(profiles.map(({ file }) => file))
      const loops = lessons.flatMap((lesson) => {
        const words = join(dirname(lesson.file), 'choices.md')
        if (!existsSync(words)) return []
        this.addWatchFile(words)
        return recordingsIn(readFileSync(words, 'utf8'), lesson.id)
          .filter(({ file }) => !known.has(file))
          .map(({ label, file }) => ({ title: `${lesson.title}: ${label}`, file }))
      })
      return `export const cudaProfiles = ${JSON.stringify(profiles)}
export const cudaLoops = ${JSON.stringify(loops)}`
    }
    if (id !== resolved(NAME)) return null
    const lessons = await readLessons()
    const drawn = await Promise.all(lessons.map(thumbnailMarks))
    const thumbnails = new Set(lessons.filter((_, at) => drawn[at] !== null).map((lesson) => lesson.id))
    const index = lessons.map((lesson) => {
      this.addWatchFile(lesson.file)
      const { kind, number, title, question, measures, minutes, part, recommended, mends, prediction, quiz } =
        lesson
      const { unit, scale } = prediction
      const path = { measures, minutes, part, recommended }
      const head = { id: lesson.id, kind, number, title, question, ...path, mends, unit, scale }
      const profiles = lesson.kind === 'profiles' ? lesson.profiles.length : 0
      return {
        ...head,
        questions: quiz.length,
        hasMend: hasMend(lesson.id),
        hasThumbnail: thumbnails.has(lesson.id),
        profiles,
      }
    })
    return `export const lessonIndex = ${JSON.stringify(index)}`
  },
})
