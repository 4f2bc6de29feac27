/** All questions from elsewhere, in groups: where a searcher's words lead to a lesson. */
import { lessonIndex } from 'virtual:lesson-index'
import { questionIndex } from 'virtual:question-index'
import { addressOf, lessonRoute } from '../../state/url'
import { useTitle } from '../use-title'
import './question.css'

const groups = [...new Set(questionIndex.map(({ group }) => group))]

export const QuestionsPage = () => {
  useTitle('Questions')
  return (
    <article className="page question start stack-24">
      <header className="page-head stack-12">
        <h1>Why is my GPU idle? Questions and answers</h1>
        <p className="lead">
          As people ask them. Each has a short answer, and the place where you measure it on your own machine.
        </p>
      </header>
      <div className="question-groups stack wide">
        {groups.map((group, at) => (
          <section key={group} aria-labelledby={`group-${String(at)}`} className="top stack-12">
            <h2 id={`group-${String(at)}`}>{group}</h2>
            <ul className="stack-12">
              {questionIndex
                .filter((each) => each.group === group)
                .map(({ id, heading, lesson }) => {
                  const head = lessonIndex.find((each) => each.id === lesson)
                  return (
                    <li key={id} className="stack-2">
                      <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
                      {head && (
                        <span className="small quiet">
                          Measured in <a href={addressOf(lessonRoute(head.id))}>{head.question}</a>
                        </span>
                      )}
                    </li>
                  )
                })}
            </ul>
          </section>
        ))}
      </div>
    </article>
  )
}
