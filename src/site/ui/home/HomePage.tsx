/**
 * The first lesson's question, ready to be predicted and run; the path of lessons; today's 'Find
 * the line'; the reader's own trace.
 */
import { lazy, Suspense } from 'react'
import { homeQuestions, questionCount } from 'virtual:home-questions'
import { lessonIndex, type LessonHead } from 'virtual:lesson-index'
import type { LessonProgress } from '../../state/lesson-store'
import { addressOf, lessonRoute } from '../../state/url'
import { useLoadedLab, useShell } from '../lab-context'
import { useStore } from 'zustand'
import { useTitle } from '../use-title'
import { FirstQuestion } from './FirstQuestion'
import { LessonPath } from './LessonPath'
import './home.css'

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
  const { lessons } = useShell()
  const next = useStore(lessons.store, (all) => nextOf(all.lessons))
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
