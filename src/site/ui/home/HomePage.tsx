/**
 * The first lesson's question, ready to be predicted and run; the path of lessons; today's 'Find
 * the line'; the reader's own trace.
 */
import { lazy, type ReactNode, Suspense } from 'react'
import { homeQuestions, questionCount } from 'virtual:home-questions'
import { type LessonHead, lessonIndex } from 'virtual:lesson-index'
import { EMPTY_PROGRESS, type LessonProgress } from '../../state/lesson-store'
import { addressOf, lessonRoute } from '../../state/url'
import { useLoadedLab, useShell } from '../lab-context'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { FirstQuestion } from './FirstQuestion'
import './home.css'
import { PARTS } from '../../../lessons/lesson'
import { formatCount } from '../format'

/**
 * The lessons as a path in parts: what each lets you measure, how far you have come, which is next.
 */

const foundIn = (finds: NonNullable<LessonProgress['finds']>): number =>
  Object.values(finds).filter(({ found }) => found).length

const isDone = ({ outcome, answers, mend, finds = {} }: LessonProgress, head: LessonHead): boolean =>
  outcome !== null &&
  Object.keys(answers).length >= head.questions &&
  foundIn(finds) >= head.profiles &&
  (!head.hasExercise || (mend !== undefined && mend.passed !== false))

const GO = { new: 'Begin', begun: 'Continue', done: 'Again' } as const

/** Lessons that belong together, in the order of the path; those of no part last. */
const parts = [
  ...Object.entries(PARTS).map(([id, title]) => ({ title, heads: headsOf(id) })),
  { title: 'More lessons', heads: headsOf(null) },
].filter(({ heads }) => heads.length > 0)

function headsOf(id: string | null): readonly LessonHead[] {
  return lessonIndex.filter(({ part }) => part === id)
}

/** On a wide page the parts stand in two columns; these are in the first. */
const FIRST_COLUMN = 2

/** @param children below the last part */
const LessonPath = ({ children }: { readonly children: ReactNode }) => {
  const saved = useStore(useShell().lessons.store, (state) => state.lessons)
  const isOpen = (head: LessonHead) => !isDone(saved[head.id] ?? EMPTY_PROGRESS, head)
  const next = lessonIndex.find(isOpen)
  const drawn = (some: typeof parts) =>
    some.map(({ title, heads }) => {
      const minutes = heads.filter(isOpen).reduce((sum, head) => sum + head.minutes, 0)
      return (
        <section key={title} className="path-part">
          <h3>
            {title}{' '}
            <span className="small quiet">
              {minutes === 0 ? 'done' : `${formatCount(minutes, 'minute')} left`}
            </span>
          </h3>
          <ol className="stack-4">
            {heads.map((head) => (
              <Stop key={head.id} head={head} progress={saved[head.id]} isNext={head === next} />
            ))}
          </ol>
        </section>
      )
    })
  return (
    <div className="path stack">
      <div className="stack-32">{drawn(parts.slice(0, FIRST_COLUMN))}</div>
      <div className="stack-32">
        {drawn(parts.slice(FIRST_COLUMN))}
        {children}
      </div>
    </div>
  )
}

interface StopProps {
  readonly head: LessonHead
  readonly progress: LessonProgress | undefined
  readonly isNext: boolean
}

const Stop = ({ head, progress = EMPTY_PROGRESS, isNext }: StopProps) => {
  const state = isDone(progress, head) ? 'done' : progress === EMPTY_PROGRESS ? 'new' : 'begun'
  return (
    <li className={`path-stop stack path-${state}`} data-lesson={head.id} data-next={isNext || undefined}>
      {head.hasThumbnail ? (
        <img
          className="path-thumbnail"
          src={`./thumbnails/${head.id}.svg`}
          alt=""
          width={120}
          height={39}
          loading="lazy"
        />
      ) : (
        <span />
      )}
      <div className="path-text stack-2">
        <p className="small quiet">
          Lesson {head.number} · {head.minutes} minutes
          {state !== 'new' && ` · ${state}`}
          {head.recommended !== '' && <strong className="path-for bold">{head.recommended}</strong>}
        </p>
        <h4>
          <a href={addressOf(lessonRoute(head.id))}>{head.question}</a>
        </h4>
        <p className="small">{head.measures}</p>
        {isNext && (
          <p>
            <a
              className="button button-main button-small"
              href={addressOf(lessonRoute(head.id))}
              aria-label={`${GO[state]} lesson ${String(head.number)}: ${head.question}`}
            >
              {GO[state]}
            </a>
          </p>
        )}
      </div>
    </li>
  )
}

const FileDoor = lazy(async () => ({ default: (await import('../import/FileButton')).FileDoor }))

const TRACE = addressOf({ page: 'trace', query: {} })

/** The lesson that the reader has begun and not ended, or the one behind it. */
const nextOf = (lessons: Readonly<Record<string, LessonProgress>>): LessonHead | undefined => {
  const begun = lessonIndex.findLastIndex(({ id }) => lessons[id]?.prediction != null)
  const last = lessonIndex[begun]
  if (!last) return undefined
  const isEnded = Object.keys(lessons[last.id]?.answers ?? {}).length >= last.questions
  return isEnded ? lessonIndex[begun + 1] : last
}

/** A line, whether the reader is new or comes back, so that nothing below moves. */
const GoOn = () => {
  const next = useStore(useShell().lessons.store, (all) => nextOf(all.lessons))
  return (
    <p className="small quiet">
      {next ? (
        <>
          Continue with lesson {next.number}: <a href={addressOf(lessonRoute(next.id))}>{next.question}</a>
        </>
      ) : (
        'Learn why GPUs sit idle: guess, see a recorded run, measure your own'
      )}
    </p>
  )
}

export const HomePage = () => {
  useTitle('')
  const [first] = lessonIndex
  return (
    <div className="page home stack">
      <header className="home-head stack-4">
        <GoOn />
        <h1>{first?.question}</h1>
      </header>
      <section className="home-first container" aria-label="The first question">
        <FirstQuestion />
      </section>
      <section aria-labelledby="lessons">
        <h2 id="lessons">All lessons</h2>
        <LessonPath>
          <OwnTrace />
        </LessonPath>
      </section>
      <section aria-labelledby="find" className="start stack-12">
        <h2 id="find">Find the line</h2>
        <p>A program ran on a real GPU. Which line holds the GPU back? One recorded profile a day.</p>
        <a className="button" href={addressOf({ page: 'find', number: null })}>
          Find today’s line
        </a>
      </section>
      <nav aria-labelledby="questions" className="home-questions stack-12">
        <h2 id="questions">Came with a question?</h2>
        <ul>
          {homeQuestions.map(({ id, heading }) => (
            <li key={id}>
              <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
            </li>
          ))}
          <li>
            <a href={addressOf({ page: 'questions', query: {} })}>All {questionCount} questions</a>
          </li>
        </ul>
      </nav>
    </div>
  )
}

/** The same words before what takes a file has been loaded. */
const OwnTrace = () => {
  const choose = (
    <a className="button button-small" href={TRACE}>
      Choose files
    </a>
  )
  return (
    <section className="home-drop start stack-6" aria-labelledby="own-trace">
      <h3 id="own-trace">Drop your trace here</h3>
      <p className="small">
        A torch.profiler trace or any Trace Event JSON: why your device was idle, by cause. It stays on this
        machine.
      </p>
      {useLoadedLab() ? (
        <Suspense fallback={choose}>
          <FileDoor label="Choose files" look="small" />
        </Suspense>
      ) : (
        choose
      )}
    </section>
  )
}
