/** A question from elsewhere: its answer in short, and the key that leads to where it is measured. */
import { lessonIndex } from 'virtual:lesson-index'
import { findQuestion, questions } from '../../lessons/questions'
import { addressOf, lessonRoute, readAddress } from '../../state/url'
import { NotFoundPage } from '../NotFoundPage'
import { Prose } from '../prose/Prose'
import { useTitle } from '../use-title'
import './question.css'

const Question = ({ question }: { readonly question: (typeof questions)[number] }) => {
  useTitle(question.heading)
  const route = readAddress(question.action.address)
  const lesson = route.page === 'lesson' ? lessonIndex.find(({ id }) => id === route.id) : undefined
  // Those of its group; the whole list is a page of its own.
  const others = questions.filter(({ id, group }) => id !== question.id && group === question.group)
  return (
    <article className="page page-narrow question">
      <header className="page-head">
        <h1>{question.heading}</h1>
      </header>
      <Prose text={question.text} />
      <p>
        <a className="button button-main" href={question.action.address}>
          {question.action.label}
        </a>
      </p>
      {lesson && (
        <p className="small quiet">
          In the lesson <a href={addressOf(lessonRoute(lesson.id))}>{lesson.title}</a>: {lesson.measures}{' '}
          Nothing is measured before you press, and nothing leaves your machine.
        </p>
      )}
      <nav aria-labelledby="other-questions">
        <h2 id="other-questions">Other questions</h2>
        <ul>
          {others.map(({ id, heading }) => (
            <li key={id}>
              <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
            </li>
          ))}
        </ul>
        <p>
          <a href={addressOf({ page: 'questions' })}>All questions</a>
        </p>
      </nav>
    </article>
  )
}

export const QuestionPage = ({ slug }: { readonly slug: string }) => {
  const question = findQuestion(slug)
  return question ? (
    <Question question={question} />
  ) : (
    <NotFoundPage what={`There is no question ‘${slug}’.`} />
  )
}
