/**
 * `virtual:NAME`: what pages show of lessons, questions and recordings, worked out while the site
 * is built. Each is a module of its own, so that a page loads no more than it shows. virtual.d.ts
 * has their types.
 */
import type { Plugin } from 'vite'
import { dataModule } from './data-module'
import { findDays } from './find-days'
import { once } from './once'
import { homeQuestions, questionFigures, questionIndex, searchIndex } from './question-index'
import { recordingBytes, recordings, RECORDINGS } from './recordings'
import { hasExercise, type ReadLesson, readLessons, wordsFiles } from './words-md'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Passage, Prose } from '../src/text/template'
import { recordedIn } from './recorded-figures'
import { thumbnailOf } from './thumbnails'
import { decodeRun } from '../src/trace/codec'
import { adapterNameOf, marksOf } from '../src/trace/schema'
import { parseCondition } from '../cli/fail-if'
import { pageFailures, pageText } from '../cli/record-report'
import { reported } from '../cli/reported-page'
import { PAGE_FIGURES } from '../src/analysis/page-figures'

/**
 * What `lab record` prints of the recording that the page 'record' shows, by its own code. It was
 * recorded with `--adapter gpu --until globalThis.isDone`, of a page that does nothing but `await
 * trial()` (src/site/ui/record/programs/trial.js).
 */

const FILE = join(import.meta.dirname, '../src/site/ui/record/recorded/run.hdl.gz')
const FAIL_IF = 'submitsPerWait < 2'

/** Where the site that is built can be cloned from, as GitHub's actions say; '' elsewhere. */
const repositoryOf = ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: NodeJS.ProcessEnv): string =>
  name ? `${server ?? 'https://github.com'}/${name}` : ''

async function recordedPage() {
  const page = await reported(FILE)
  const { report, trace } = page
  const text = [
    `${String(trace.info.params['in'])} ${report.url}`,
    pageText(report),
    ...pageFailures([parseCondition(FAIL_IF, { names: PAGE_FIGURES, example: FAIL_IF })], [page]),
  ].join('\n')
  return {
    text,
    failIf: FAIL_IF,
    adapter: adapterNameOf(trace.info),
    isSoftware: report.adapter?.isFallbackAdapter === true,
    repository: repositoryOf(process.env),
  }
}

/**
 * Recordings of pages of other libraries (`npm run bench -- libraries`). Each page marks in its
 * recording which library it is of, and what it checked.
 */

const BOXES = 'The same boxes in each engine, every one turned in each frame.'
const NETWORK = 'A small network, batch by batch; each answer is read before the next batch.'
/** What each page does: bench/libraries/programs. */
const PAGES = [
  { name: 'three', does: BOXES },
  { name: 'playcanvas', does: BOXES },
  { name: 'tensorflow', does: NETWORK },
  { name: 'jax', does: NETWORK },
] as const

async function read({ name, does }: (typeof PAGES)[number]) {
  const file = `libraries/${name}.hdl.gz`
  const run = await decodeRun(recordingBytes(file))
  const marks = run.ok ? marksOf(run.value.trace) : []
  const [library, checked] = ['library: ', 'checked: '].map((what) =>
    marks.find((mark) => mark.startsWith(what))?.slice(what.length),
  )
  if (library === undefined || checked === undefined)
    throw new Error(`${file} does not say which library it is of, or was not checked by its page.`)
  return { id: `library-${name}`, file, title: library.replace(/, .*/, ''), does, checked }
}

async function libraryRecordings() {
  const kept = PAGES.filter(({ name }) => existsSync(join(RECORDINGS, 'libraries', `${name}.hdl.gz`)))
  return { libraries: await Promise.all(kept.map(read)) }
}

/** What pages say of lessons without loading the words of any. */

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
async function firstQuestion() {
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
async function lessonIndex() {
  const heads = (await readLessons()).map(async (lesson) => {
    const { id, kind, number, question, measures, minutes, part, recommended, mends, prediction, quiz } =
      lesson
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
      unit: prediction.unit,
      scale: prediction.scale,
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
const lessonGoals = async () => ({
  lessonGoals: Object.fromEntries((await readLessons()).map(({ id, objectives }) => [id, objectives])),
})

const DATA = {
  'find-days': findDays,
  'first-question': firstQuestion,
  'home-questions': homeQuestions,
  'lesson-goals': lessonGoals,
  'lesson-index': lessonIndex,
  'library-recordings': libraryRecordings,
  'question-figures': questionFigures,
  'question-index': questionIndex,
  'recorded-page': recordedPage,
  recordings,
  'search-index': searchIndex,
}
type Name = keyof typeof DATA
/** For virtual.d.ts. @public */
export type SiteData = { readonly [Of in Name]: Awaited<ReturnType<(typeof DATA)[Of]>> }

const names = Object.keys(DATA).join('|')

export const siteData = (): Plugin => ({
  name: 'site-data',
  resolveId: { filter: { id: new RegExp(`^virtual:(${names})$`) }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: new RegExp(`^\0virtual:(${names})$`) },
    async handler(id) {
      for (const file of wordsFiles()) this.addWatchFile(file)
      return dataModule(await once(id, () => DATA[id.replace(/^.*:/, '') as Name]())) // by the filter
    },
  },
})
