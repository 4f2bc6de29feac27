/**
 * A lesson's words in one piece: on paper, for readers without JavaScript and for search engines.
 * The screens show them one by one, with what was measured.
 */
import type { Lesson } from '../../../lessons/lesson'
import { passageOf } from '../../../text/card'
import { Prose } from '../prose/Prose'
import { questionIndex, type QuestionHead } from 'virtual:question-index'
import { addressOf } from '../../state/url'
import '../question/question.css'

/** Questions from elsewhere that a lesson answers. */
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

export const LessonText = ({ lesson }: { readonly lesson: Lesson }) => (
  <article className="page page-narrow lesson-text stack-12" aria-label="The text of this lesson">
    <h2>What it shows</h2>
    <p>{lesson.measures}</p>
    {lesson.kind === 'experiment' &&
      lesson.steps.map(({ id, heading, text, guess }) => (
        <section key={id}>
          <h3>{heading}</h3>
          <Prose text={guess ? [...text, guess.question] : text} />
        </section>
      ))}
    <h2>In PyTorch</h2>
    <Prose text={passageOf(lesson.inPyTorch)} />
    <h2>{lesson.kind === 'experiment' ? 'What WebGPU cannot do here' : 'What a profile cannot tell'}</h2>
    <Prose text={passageOf(lesson.cannot)} />
    <h2>Questions</h2>
    <ol>
      {lesson.quiz.map(({ id, question }) => (
        <li key={id}>
          <Prose text={[question]} />
        </li>
      ))}
    </ol>
    <h2>Asked elsewhere</h2>
    <QuestionLinks questions={relatedTo(lesson.id)} />
    <h2>Sources</h2>
    <ul>
      {lesson.sources.map(({ label, url }) => (
        <li key={url}>
          <a href={url} rel="noreferrer">
            {label}
          </a>
        </li>
      ))}
    </ul>
  </article>
)
