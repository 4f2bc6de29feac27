/** The first lesson's question, ready to be predicted and run; the path of lessons; the reader's own profile. */
import { homeQuestions, questionCount } from 'virtual:home-questions'
import { lessonIndex } from 'virtual:lesson-index'
import { addressOf } from '../../state/url'
import { useTitle } from '../use-title'
import { FirstQuestion } from './FirstQuestion'
import { LessonPath } from './LessonPath'
import './home.css'

export const HomePage = () => {
  useTitle('')
  const [first] = lessonIndex
  return (
    <div className="page home">
      <header className="home-head">
        <p className="small quiet">Learn why GPUs sit idle, by measuring the one in your machine</p>
        <h1>{first?.question}</h1>
      </header>
      <section className="home-first" aria-label="The first question">
        <FirstQuestion />
      </section>
      <nav aria-labelledby="questions" className="home-questions">
        <h2 id="questions">Came with a question?</h2>
        <ul>
          {homeQuestions.map(({ id, heading }) => (
            <li key={id}>
              <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
            </li>
          ))}
          <li>
            <a href={addressOf({ page: 'questions' })}>All {questionCount} questions</a>
          </li>
        </ul>
      </nav>
      <section aria-labelledby="lessons" className="home-lessons">
        <h2 id="lessons">All lessons</h2>
        <LessonPath />
        <a className="home-profile" href={addressOf({ page: 'trace', query: {} })}>
          <strong>Open your own profile</strong>
          <span>
            A file of torch.profiler or any Trace Event JSON: why your device was idle, by cause. It stays on
            this machine.
          </span>
        </a>
      </section>
    </div>
  )
}
