/**
 * A question as people type it: its answer, a fix to copy, and the button that leads to where it is
 * measured.
 */
import type { KeyEntry, KeyName } from '../../../strips/marks'
import { KeySwatch } from '../../../strips/Marks'
import { lessonIndex } from 'virtual:lesson-index'
import { questionFigures } from 'virtual:question-figures'
import { findQuestion, questions } from '../../../lessons/questions'
import { addressOf, lessonRoute, readAddress, type RouteOf } from '../../state/url'
import { formatQuantity } from '../format'
import { NotFoundPage } from '../NotFoundPage'
import { Prose } from '../prose/Prose'
import { originInWords } from '../run-words'
import { CodeView } from '../source/CodeView'
import { useTitle } from '../use-title'
import '../run/run.css'
import './question.css'

const Question = ({ question }: { readonly question: (typeof questions)[number] }) => {
  useTitle(question.heading)
  const route = readAddress(question.action.address)
  const lesson = route.page === 'lesson' ? lessonIndex.find(({ id }) => id === route.id) : undefined
  const figure = lesson && questionFigures[lesson.id]
  // Those of its group; the whole list is a page of its own.
  const others = questions.filter(({ id, group }) => id !== question.id && group === question.group)
  return (
    <article className="page page-narrow question start stack-24">
      <header className="page-head stack-12">
        <h1>{question.heading}</h1>
      </header>
      <Prose text={question.text} />
      {question.code && <CodeView title="The fix" lines={question.code} />}
      {lesson && figure && <Recorded lesson={lesson.id} figure={figure} />}
      <p className="button-row">
        <a className="button button-main" href={question.action.address}>
          {question.action.label}
        </a>
      </p>
      {lesson && (
        <p className="small quiet">
          In the lesson <a href={addressOf(lessonRoute(lesson.id))}>{lesson.question}</a>: {lesson.measures}{' '}
          Nothing is measured before you press, and nothing leaves your machine.
        </p>
      )}
      <nav className="stack-12 top" aria-labelledby="other-questions">
        <h2 id="other-questions">Other questions</h2>
        <ul className="stack-6">
          {others.map(({ id, heading }) => (
            <li key={id}>
              <a href={addressOf({ page: 'question', slug: id })}>{heading}</a>
            </li>
          ))}
        </ul>
        <p>
          <a href={addressOf({ page: 'questions', query: {} })}>All questions</a>
        </p>
      </nav>
    </article>
  )
}

const WORDS: Readonly<Record<KeyName, string>> = {
  device: 'computing',
  idle: 'idle',
  'idle-upload': 'idle, data not ready',
  'idle-other': 'idle, not for the host',
  host: 'at work',
  wait: 'waiting',
  staging: 'staging buffers',
  transfer: 'copying',
  collective: 'in collectives',
}

interface RecordedProps {
  readonly lesson: string
  readonly figure: NonNullable<(typeof questionFigures)[string]>
}

/**
 * What was recorded in the lesson: a row a variant, its figure beside it. The picture is a file of
 * the site (thumbnail-svg.ts).
 */
const Recorded = ({ lesson, figure: { device, date, picture, key, figure, words, rows } }: RecordedProps) => {
  const isOfHosts = !key.some(({ name }) => name === 'device')
  const whose = isOfHosts ? 'The host, or hosts one below another,' : 'The GPU'
  // On a host it is the calls; a device runs collectives alone.
  const wordsOf = ({ name }: Pick<KeyEntry, 'name'>) =>
    isOfHosts && name === 'collective' ? 'sending, receiving' : WORDS[name]
  const extent =
    picture === lesson
      ? 'in the first steps of each, in its typical repeat'
      : 'of each rank, from its first kernel on'
  return (
    <figure className="question-figure stack wide">
      <dl className="stack">
        {rows.map(({ variant, value, unit }) => (
          <div key={variant} className="stack top">
            <dt className="bold">{variant}</dt>
            <dd className="small quiet">
              {words} {formatQuantity(value, unit, figure)}
            </dd>
          </div>
        ))}
      </dl>
      <img
        src={`./thumbnails/${picture}.svg`}
        width={480}
        height={48 * rows.length}
        alt={`${whose} ${extent}: ${key.map(wordsOf).join(', ')}.`}
      />
      <figcaption className="small quiet">
        {key.map((entry) => (
          <span key={entry.name} className="question-key">
            <KeySwatch {...entry} />
            {wordsOf(entry)}{' '}
          </span>
        ))}
        {whose} {extent}, recorded on {originInWords({ device, date })}.
      </figcaption>
    </figure>
  )
}

export const QuestionPage = ({ route: { slug } }: { readonly route: RouteOf<'question'> }) => {
  const question = findQuestion(slug)
  return question ? (
    <Question question={question} />
  ) : (
    <NotFoundPage what={`There is no question ‘${slug}’.`} />
  )
}
