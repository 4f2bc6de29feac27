/** A lesson as a sheet to print: objectives, a box for the prediction, tables to fill in, the why-questions; the answers begin a page of their own. */
import { useState, type ReactNode } from 'react'
import { lessonGoals } from 'virtual:lesson-goals'
import { lessonIndex } from 'virtual:lesson-index'
import type { ExperimentMeta } from '../../experiments/experiment'
import type { ExperimentLesson, Lesson, ProfilesLesson, Question } from '../../lessons/lesson'
import { addressOf, lessonRoute, type RouteOf } from '../../state/url'
import { formatNumber, withUnit } from '../format'
import { hasMend } from '../lesson/has-mend'
import { ItemQuestion, namesNothing, OfItem, type NamesOf } from '../lesson/quiz-item'
import { NotFoundPage } from '../NotFoundPage'
import { Inline } from '../prose/Inline'
import { Line, Prose } from '../prose/Prose'
import { useTitle } from '../use-title'
import { useDeclared, useWords } from './use-words'
import './teachers.css'
import './sheet.css'

/** A place to write in. */
const Blank = ({ wide = false }: { readonly wide?: boolean }) => (
  <span className={wide ? 'sheet-line' : 'sheet-blank'}>
    <span className="visually-hidden">to fill in</span>
  </span>
)

/** Of a table that is filled in by hand. */
const Cell = () => (
  <td>
    <span className="visually-hidden">to fill in</span>
  </td>
)

const Ask = ({ question }: { readonly question: Question }) => (
  <>
    <p>
      <Inline text={question.question} />
    </p>
    <div className="sheet-scale cluster split small">
      <span>
        {withUnit(formatNumber(question.min), question.unit)}: {question.ends[0]}
      </span>
      <span>
        {withUnit(formatNumber(question.max), question.unit)}: {question.ends[1]}
      </span>
    </div>
    <p className="sheet-box baseline cluster">
      I predict <Blank /> {question.unit === 'n' ? '' : question.unit}, because <Blank wide />
    </p>
  </>
)

const Part = ({
  number,
  heading,
  children,
}: {
  readonly number: number
  readonly heading: string
  readonly children: ReactNode
}) => (
  <section className="sheet-part stack-10" aria-labelledby={`part-${String(number)}`}>
    <h2 id={`part-${String(number)}`}>
      {number}. {heading}
    </h2>
    {children}
  </section>
)

const BeforeAfter = ({
  step,
  meta,
}: {
  readonly step: ExperimentLesson['steps'][number]
  readonly meta: ExperimentMeta
}) => (
  <div className="sheet-step stack-10">
    <h3>{step.heading}</h3>
    <table className="sheet-table wide">
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        {step.compare.map(({ name, variant }) => (
          <tr key={`${name} ${variant}`}>
            <th scope="row">
              {meta.metrics.find((metric) => metric.name === name)?.label ?? name}
              {variant !== '' && (
                <>
                  {' '}
                  <code>{variant}</code>
                </>
              )}
            </th>
            <Cell />
            <Cell />
          </tr>
        ))}
      </tbody>
    </table>
    <p className="sheet-box baseline cluster">
      What changed, and why: <Blank wide />
    </p>
  </div>
)

const OfExperiment = ({ lesson }: { readonly lesson: ExperimentLesson }) => {
  const meta = useDeclared(lesson.experiment)
  const { figure, variants } = lesson.story
  const label = meta.metrics.find(({ name }) => name === figure)?.label ?? figure
  const steps = lesson.steps.filter(({ action, compare }) => action !== undefined && compare.length > 0)
  return (
    <>
      <Part number={2} heading="Run it">
        <p className="sheet-box baseline cluster">
          Measured: <Blank /> {lesson.prediction.unit === 'n' ? '' : lesson.prediction.unit}, from <Blank />{' '}
          to <Blank />. On (GPU, browser): <Blank wide />
        </p>
        <p className="sheet-box baseline cluster">
          □ shown on this machine &ensp; □ not shown &ensp; □ not decided &ensp; □ recorded run
        </p>
        <table className="sheet-table wide">
          <thead>
            <tr>
              <th scope="col">{label}</th>
              <th scope="col">value</th>
              <th scope="col">from … to</th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <tr key={variant}>
                <th scope="row">
                  <code>{variant}</code>
                </th>
                <Cell />
                <Cell />
              </tr>
            ))}
          </tbody>
        </table>
        {hasMend(lesson.id) && (
          <p className="sheet-box baseline cluster">
            Mend it: □ mended &ensp; □ not yet &ensp; □ cannot be determined on this machine
          </p>
        )}
      </Part>
      <Part number={3} heading="Change one thing">
        {steps.map((step) => (
          <BeforeAfter key={step.id} step={step} meta={meta} />
        ))}
      </Part>
    </>
  )
}

const OfProfiles = ({ lesson }: { readonly lesson: ProfilesLesson }) => (
  <>
    <Part number={2} heading="Open the profile">
      <p className="sheet-box baseline cluster">
        It computed <Blank /> {lesson.prediction.unit} of the time. The rest of the time it <Blank wide />
      </p>
    </Part>
    <Part number={3} heading="Find the line at fault">
      <table className="sheet-table wide">
        <thead>
          <tr>
            <th scope="col">Profile</th>
            <th scope="col">the line, or none</th>
            <th scope="col">what shows it</th>
            <th scope="col">what would mend it</th>
          </tr>
        </thead>
        <tbody>
          {lesson.profiles.map(({ recording }, index) => (
            <tr key={recording}>
              <th scope="row">{index + 1}</th>
              <Cell />
              <Cell />
              <Cell />
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  </>
)

interface QuizProps {
  readonly lesson: Lesson
  readonly names: NamesOf
}

const Why = ({ lesson, names }: QuizProps) => (
  <Part number={4} heading="Why?">
    <ol className="sheet-questions stack-6">
      {lesson.quiz.map((item) => (
        <li key={item.id}>
          <OfItem item={item} names={names}>
            <p>
              <ItemQuestion item={item} />
            </p>
            <ul>
              {item.options.map(({ text }, index) => (
                <li key={index}>
                  <span aria-hidden="true">□</span>
                  <span>
                    <Line text={text} />
                  </span>
                </li>
              ))}
            </ul>
          </OfItem>
        </li>
      ))}
    </ol>
  </Part>
)

const Answers = ({ lesson, names }: QuizProps) => (
  <section className="sheet-answers stack-10" aria-labelledby="answers" data-testid="sheet-answers">
    <h2 id="answers">{lesson.title}: answers</h2>
    <p>
      What was measured has no one answer: it is what that machine did. The lesson says when it was not shown
      there, and why.
    </p>
    <ol className="sheet-questions stack-6">
      {lesson.quiz.map((item) => (
        <li key={item.id}>
          <OfItem item={item} names={names}>
            <p>
              <ItemQuestion item={item} />
            </p>
            {item.options.map(({ text, correct, explanation }, index) => (
              <div key={index} className="sheet-answer" data-correct={correct}>
                <p>
                  <strong>{correct ? 'Right: ' : 'Not: '}</strong>
                  <Line text={text} />
                </p>
                <Prose text={explanation} />
              </div>
            ))}
          </OfItem>
        </li>
      ))}
    </ol>
  </section>
)

const Questions = ({ names, lesson, answers }: QuizProps & { readonly answers: boolean }) => (
  <>
    <Why lesson={lesson} names={names} />
    {answers && <Answers lesson={lesson} names={names} />}
  </>
)

/** A question on paper knows no run: one that presumes something is asked of the recorded run. */
const OfRecordings = ({
  lesson,
  answers,
}: {
  readonly lesson: ExperimentLesson
  readonly answers: boolean
}) => <Questions lesson={lesson} answers={answers} names={useDeclared(lesson.experiment).names} />

const Sheet = ({ lesson }: { readonly lesson: Lesson }) => {
  const [answers, setAnswers] = useState(true)
  const number = lessonIndex.findIndex(({ id }) => id === lesson.id) + 1
  useTitle(`${lesson.title}: a sheet to print`)
  return (
    <article className="page sheet stack-20">
      <div className="sheet-tools cluster-8-24 no-print">
        <a href={addressOf({ page: 'teachers' })}>For teachers</a>
        <label className="row">
          <input
            type="checkbox"
            checked={answers}
            onChange={(event) => {
              setAnswers(event.target.checked)
            }}
          />
          With the answers, on a page of their own
        </label>
        <button
          type="button"
          className="button"
          onClick={() => {
            window.print()
          }}
        >
          Print
        </button>
      </div>
      <header className="sheet-head stack-10">
        <p className="small quiet">
          Host/Device Lab, lesson {number}: {lesson.title}. About {lesson.minutes} minutes.
        </p>
        <h1>{lesson.question}</h1>
        <p className="sheet-names baseline cluster">
          <span>
            Name <Blank wide />
          </span>
          <span>
            Date <Blank />
          </span>
        </p>
      </header>
      <section aria-labelledby="objectives" className="sheet-part stack-10">
        <h2 id="objectives">After this you can</h2>
        <ul className="sheet-objectives stack-6">
          {(lessonGoals[lesson.id] ?? []).map((objective) => (
            <li key={objective}>{objective}</li>
          ))}
        </ul>
        <p className="small">
          In a browser with WebGPU, at{' '}
          <a href={addressOf(lessonRoute(lesson.id))} className="sheet-address breaks">
            {wholeAddress(lesson.id)}
          </a>
        </p>
      </section>
      <Part number={1} heading="Predict">
        {lesson.ask !== '' && <pre className="sheet-code small panel breaks">{lesson.ask.trimEnd()}</pre>}
        <Ask question={lesson.prediction} />
      </Part>
      {lesson.kind === 'experiment' ? <OfExperiment lesson={lesson} /> : <OfProfiles lesson={lesson} />}
      {lesson.kind === 'experiment' ? (
        <OfRecordings lesson={lesson} answers={answers} />
      ) : (
        <Questions lesson={lesson} answers={answers} names={namesNothing} />
      )}
    </article>
  )
}

/** As it can be typed from paper; from the site's root on where that is not known. */
function wholeAddress(id: string): string {
  const own = addressOf(lessonRoute(id))
  return typeof document === 'undefined' ? own.replace('./', '') : new URL(own, document.baseURI).href
}

export const SheetPage = ({ route: { id } }: { readonly route: RouteOf<'sheet'> }) => {
  const lesson = useWords(id)
  return lesson ? <Sheet lesson={lesson} /> : <NotFoundPage what={`There is no lesson ‘${id}’.`} />
}
