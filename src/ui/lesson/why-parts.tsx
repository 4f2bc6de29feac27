/** What the last screens of all lessons share: the questions, the sources, the way on. */
import { lessonIndex } from 'virtual:lesson-index'
import type { Lesson } from '../../lessons/lesson'
import type { LessonProgress } from '../../state/lesson-store'
import { addressOf, lessonRoute, type Route } from '../../state/url'
import { useLab } from '../lab-context'
import { originInWords } from '../run-words'
import { Quiz } from './Quiz'
import { namesNothing, type NamesOf } from './quiz-item'

export const WhyQuestions = ({
  lesson,
  answers,
  names = namesNothing,
}: {
  readonly lesson: Lesson
  readonly names?: NamesOf
  readonly answers: LessonProgress['answers']
}) => {
  const { lessons } = useLab()
  return (
    <section aria-labelledby="questions" className="lesson-section">
      <h2 id="questions">Three questions</h2>
      <Quiz
        items={lesson.quiz}
        names={names}
        answers={answers}
        onAnswer={(item, option) => {
          lessons.answer(lesson.id, item, option)
        }}
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

export const Sources = ({ lesson }: { readonly lesson: Lesson }) => (
  <section aria-labelledby="sources" className="lesson-section lesson-sources small">
    <h2 id="sources">Sources</h2>
    <ul>
      {lesson.sources.map(({ label, url }) => (
        <li key={url}>
          <a href={url} rel="noreferrer" target="_blank">
            {label}
          </a>
        </li>
      ))}
    </ul>
  </section>
)

const OPEN_TRACE: Route = { page: 'trace', query: {} }

export const NextLesson = ({
  lesson,
  own = OPEN_TRACE,
}: {
  readonly lesson: Pick<Lesson, 'id'>
  /** Where a profile of the reader's own is opened; null: here. */
  readonly own?: Route | null
}) => {
  const next = lessonIndex[lessonIndex.findIndex(({ id }) => id === lesson.id) + 1]
  if (own === null && !next) return null
  return (
    <nav className="next-lesson" aria-label="Next">
      {own && (
        <a href={addressOf(own)}>
          <span className="small quiet">Does it happen in your program?</span>
          <strong>Open your own profile</strong>
          <span>A file of torch.profiler or any Trace Event JSON. It stays on this machine.</span>
        </a>
      )}
      {next && (
        <a href={addressOf(lessonRoute(next.id))}>
          <span className="small quiet">Next lesson</span>
          <strong>{next.question}</strong>
          <span>{next.measures}</span>
        </a>
      )}
    </nav>
  )
}
