/** At the foot of a lesson: questions from elsewhere that it answers. */
import { questionIndex } from 'virtual:question-index'
import { addressOf } from '../../state/url'
import './question.css'

export const RelatedQuestions = ({ lesson }: { readonly lesson: string }) => {
  const related = questionIndex.filter((each) => each.lesson === lesson)
  if (related.length === 0) return null
  return (
    <nav className="related-questions no-print" aria-labelledby="related-questions">
      <h2 id="related-questions" className="small quiet">
        Asked elsewhere, measured here
      </h2>
      <ul>
        {related.map(({ id, heading }) => (
          <li key={id}>
            <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
