/** Questions from elsewhere that a lesson answers: folded on its last screen, and in its text. */
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
