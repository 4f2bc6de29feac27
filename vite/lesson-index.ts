/**
 * What the home page says of lessons, taken from the lessons themselves while the site is built, so that the first page loads the words of none:
 * `virtual:lesson-index`, a line of each, and `virtual:first-question`, what the first one asks.
 * `virtual:lesson-goals`: what teachers are told besides, which no other page loads. `virtual:cuda-loops`: the recorded profiles beside
 * lessons and of their loops, for the list of recordings.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endedState } from '../src/site/state/run-store'
import { excerptOf } from '../src/strips/of-run'
import { keyOf, type KeyEntry } from '../src/strips/marks'
import { thumbnailScene } from '../src/strips/thumbnail'
import { decodeRun } from '../src/trace/codec'
import type { Passage, Prose } from '../src/text/template'
import { recordedIn } from './recorded-figures'
import { RECORDINGS, recordingBytes } from './recordings'
import { definedFor } from './figures'
import { filesQuoted } from './words/named'
import { once } from './once'
import { exported, virtualModules } from './virtual-modules'
import { hasExercise, readLessons, type ReadLesson } from './words-md'
import { recordingsIn } from './words/choices'

/** A lesson with a run of its own, which was recorded. */
const isRecorded = ({ id, kind }: ReadLesson): boolean =>
  kind === 'experiment' && existsSync(join(RECORDINGS, `${id}.hdl.gz`))

/** The key of a lesson's thumbnail (src/site/ui/thumbnail-svg.ts); null: its run was not recorded. */
export const thumbnailKey = (lesson: ReadLesson): Promise<readonly KeyEntry[] | null> =>
  once(`thumbnail ${lesson.id}`, () => keyIn(lesson))

async function keyIn(lesson: ReadLesson): Promise<readonly KeyEntry[] | null> {
  if (lesson.kind === 'profiles' || !isRecorded(lesson)) return null
  const decoded = await decodeRun(recordingBytes(`${lesson.id}.hdl.gz`), {
    origin: 'recorded',
  })
  const excerpt = decoded.ok ? excerptOf(endedState('thumbnail', decoded.value), lesson.excerpt) : null
  const drawn = excerpt && thumbnailScene([excerpt])
  return drawn && keyOf(drawn.marks)
}

/** What reads conditions and figures is no part of the first page: its words stand as they are. */
const standing = (id: string, intro: Passage): Prose =>
  intro.map((part) => {
    if (typeof part !== 'string')
      throw new Error(`The introduction of '${id}' stands on the first page: no conditions, no figures.`)
    return part
  })

type Watch = (file: string) => void

async function watched(watch: Watch): Promise<readonly ReadLesson[]> {
  const lessons = await readLessons()
  for (const { file } of lessons) watch(file)
  return lessons
}

async function firstQuestion(watch: Watch): Promise<string> {
  const [lesson] = await watched(watch)
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
  return exported({ firstQuestion: asked, recordedOn })
}

const isExperiment = ({ kind }: ReadLesson): boolean => kind === 'experiment'

/** Profiles of a lesson's loop: its choices, and what else its figures quote. */
async function cudaLoops(watch: Watch): Promise<string> {
  const lessons = await watched(watch)
  const loops = await Promise.all(
    lessons.filter(isExperiment).map(async ({ id, file, question }) => {
      const choices = join(dirname(file), 'choices.md')
      const named = existsSync(choices) ? recordingsIn(readFileSync(choices, 'utf8'), id) : []
      if (named.length > 0) watch(choices)
      const quoted = [...new Set(filesQuoted(await definedFor(file)))]
        .map((name) => `${name}.json.gz`)
        .filter((name) => name.startsWith(`torch-${id}-`) && existsSync(join(RECORDINGS, name)))
        .filter((name) => !named.some((each) => each.file === name))
        .map((name) => ({ label: name.slice(`torch-${id}-`.length, -'.json.gz'.length), file: name }))
      return [...named, ...quoted].map((each) => ({ title: `${question} ${each.label}`, file: each.file }))
    }),
  )
  return exported({ cudaLoops: loops.flat() })
}

async function index(watch: Watch): Promise<string> {
  const lessons = await watched(watch)
  const keys = await Promise.all(lessons.map(thumbnailKey))
  const all = lessons.map((lesson, at) => {
    const { kind, number, question, measures, minutes, part, recommended, mends, prediction, quiz } = lesson
    const { unit, scale } = prediction
    const path = { measures, minutes, part, recommended }
    const head = { id: lesson.id, kind, number, question, ...path, mends, unit, scale }
    const profiles = lesson.kind === 'profiles' ? lesson.profiles.length : 0
    return {
      ...head,
      questions: quiz.length,
      hasExercise: hasExercise(lesson.id),
      hasThumbnail:
        lesson.kind === 'profiles'
          ? lesson.profiles.some(({ recording }) => existsSync(join(RECORDINGS, `${recording}.json.gz`)))
          : keys[at] !== null,
      profiles,
    }
  })
  return exported({ lessonIndex: all })
}

const goals = async (watch: Watch): Promise<string> =>
  exported({
    lessonGoals: Object.fromEntries(
      (await watched(watch)).map(({ id, objectives }) => [id, objectives] as const),
    ),
  })

export const lessonIndex = () =>
  virtualModules({
    'lesson-index': index,
    'first-question': firstQuestion,
    'lesson-goals': goals,
    'cuda-loops': cudaLoops,
  })
