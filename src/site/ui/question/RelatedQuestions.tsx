/** Questions from elsewhere that a lesson answers: at the foot of its screens, folded on the last. */
import { questionIndex, type QuestionHead } from 'virtual:question-index'
import { addressOf } from '../../state/url'
import './question.css'

export const relatedTo = (lesson: string): readonly QuestionHead[] =>
  questionIndex.filter((each) => each.lesson === lesson)

export const QuestionLinks = ({ questions }: { readonly questions: readonly QuestionHead[] }) => (
  <ul className="cluster">
    {questions.map(({ id, heading }) => (
      <li key={id}>
        <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
      </li>
    ))}
  </ul>
)

export const RelatedQuestions = ({ lesson }: { readonly lesson: string }) => {
  const related = relatedTo(lesson)
  if (related.length === 0) return null
  return (
    <nav className="related-questions stack-8 no-print" aria-labelledby="related-questions">
      <h2 id="related-questions" className="small quiet">
        Asked elsewhere, measured here
      </h2>
      <QuestionLinks questions={related} />
    </nav>
  )
}
