/**
 * What the last screens of all lessons share: the questions, what is folded, the sources, the way
 * on.
 */
import type { ReactNode } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import type { Lesson } from '../../../lessons/lesson'
import type { LessonProgress } from '../../state/lesson-store'
import { addressOf, lessonRoute, type Route } from '../../state/url'
import { useLab } from '../lab-context'
import { QuestionLinks, relatedTo } from './LessonText'
import { originInWords } from '../run-words'
import { Quiz } from './Quiz'
import { namesNothing, type NamesOf } from './Quiz'

interface WhyQuestionsProps {
  readonly lesson: Lesson
  readonly names?: NamesOf
  readonly answers: LessonProgress['answers']
}

export const WhyQuestions = ({ lesson, answers, names = namesNothing }: WhyQuestionsProps) => {
  const { lessons } = useLab()
  return (
    <section aria-labelledby="questions" className="lesson-section stack-16">
      <h2 id="questions">Three questions</h2>
      <Quiz
        items={lesson.quiz}
        names={names}
        answers={answers}
        onAnswer={(item, option) => lessons.answer(lesson.id, item, option)}
      />
    </section>
  )
}

/** Where the recordings are from that the words above quote. */
export const Quoted = ({ lesson }: { readonly lesson: Pick<Lesson, 'quoted'> }) =>
  lesson.quoted.length > 0 && (
    <p className="small quiet">
      PyTorch’s figures are recorded: {lesson.quoted.map(originInWords).join('; ')}.
    </p>
  )

interface FoldProps {
  readonly id: string
  readonly heading: string
  readonly children: ReactNode
}

/** One of a row of which at most one is open. */
export const Fold = ({ id, heading, children }: FoldProps) => (
  <details className="fold panel shrinks" name="why-folds">
    <summary>
      <h2 id={id}>{heading}</h2>
    </summary>
    <section aria-labelledby={id} className="lesson-section stack-16">
      {children}
    </section>
  </details>
)

export const AskedElsewhere = ({ lesson }: { readonly lesson: Pick<Lesson, 'id'> }) => {
  const questions = relatedTo(lesson.id)
  return (
    questions.length > 0 && (
      <Fold id="asked" heading="Asked elsewhere">
        <nav aria-labelledby="asked" className="related-questions stack-8">
          <QuestionLinks questions={questions} />
        </nav>
      </Fold>
    )
  )
}

export const Sources = ({ lesson }: { readonly lesson: Lesson }) => (
  <Fold id="sources" heading="Sources">
    <ul className="stack-6 small">
      {lesson.sources.map(({ label, url }) => (
        <li key={url}>
          <a href={url} rel="noreferrer" target="_blank">
            {label}
          </a>
        </li>
      ))}
    </ul>
  </Fold>
)

const OPEN_TRACE: Route = { page: 'trace', query: {} }

interface NextLessonProps {
  readonly lesson: Pick<Lesson, 'id'>
  /** Where a profile of the reader's own is opened; null: here. */
  readonly own?: Route | null
}

/** It stays in view while the page is scrolled. */
export const NextLesson = ({ lesson, own = OPEN_TRACE }: NextLessonProps) => {
  const next = lessonIndex[lessonIndex.findIndex(({ id }) => id === lesson.id) + 1]
  if (own === null && !next) return null
  return (
    <nav className="next-lesson no-print" aria-label="Next">
      {own && (
        <a href={addressOf(own)}>
          <span className="small quiet">Does it happen in your program?</span>
          <strong>Open your own profile</strong>
        </a>
      )}
      {next && (
        <a href={addressOf(lessonRoute(next.id))}>
          <span className="small quiet">Next lesson</span>
          <strong>{next.question}</strong>
        </a>
      )}
    </nav>
  )
}
