/**
 * For teachers: a link to a lesson with settings of theirs, a frame for their own pages, and the
 * lessons with their objectives.
 */
import { Suspense, useId, useState, use } from 'react'
import { lessonGoals } from 'virtual:lesson-goals'
import { lessonIndex } from 'virtual:lesson-index'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import { metaOf } from '../../../experiments/catalog'
import type { ExperimentLesson, Lesson } from '../../../lessons/lesson'
import { addressOf, lessonRoute, type Route } from '../../state/url'
import { embedRoute, FRAME_HEIGHT } from '../embed/frame'
import { ParamControls } from '../run/ParamControls'
import { differences, queryFromValues } from '../run/param-query'
import { useTitle } from '../use-title'
import { CopyText } from '../source/CopyButton'
import './teachers.css'
import { isLesson, loadLesson } from '../../../lessons/load'
import { Button } from '../Button'

/**
 * Suspends while its words are loaded; null where there is no such lesson. `useLesson` does the
 * same: a module shared with the home page would be a piece of its own there, and cost it more than
 * it holds.
 */
function useWords(id: string): Lesson | null {
  if (!isLesson(id)) return null
  return use(loadLesson(id))
}

/** Whole, to be sent; from the site's root on where that is not known (while the site is built). */
const whole = (route: Route): string =>
  typeof document === 'undefined' ? addressOf(route) : new URL(addressOf(route), document.baseURI).href

const Lessons = () => (
  <section aria-labelledby="lessons" className="teachers-part stack top">
    <h2 id="lessons">The lessons</h2>
    <p>
      What a learner can do after each. A lesson prints from its result: the question, the figure of the last
      run, and all its words, black on white.
    </p>
    <ol className="teachers-lessons stack-24">
      {lessonIndex.map(({ id, question, measures, minutes }) => (
        <li key={id} className="stack-4" data-lesson={id}>
          <h3>
            <a href={addressOf(lessonRoute(id))}>{question}</a>
          </h3>
          <p className="quiet">
            {measures} {minutes} minutes.
          </p>
          <ul className="stack-2">
            {(lessonGoals[id] ?? []).map((goal) => (
              <li key={goal}>{goal}</li>
            ))}
          </ul>
          <p className="small">
            <a href={addressOf(lessonRoute(id, 'see'))}>
              Lesson to print<span className="visually-hidden">: {question}</span>
            </a>
          </p>
        </li>
      ))}
    </ol>
  </section>
)

interface LessonSelectProps {
  readonly id: string
  readonly value: string
  readonly onChange: (lesson: string) => void
}

const LessonSelect = ({ id, value, onChange }: LessonSelectProps) => (
  <p className="teachers-field start stack-4">
    <label htmlFor={id}>Lesson</label>
    <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
      {lessonIndex.map((lesson, index) => (
        <option key={lesson.id} value={lesson.id}>
          {`${String(index + 1)}. ${lesson.question}`}
        </option>
      ))}
    </select>
  </p>
)

interface SettingsProps {
  readonly lesson: ExperimentLesson
  readonly meta: ExperimentMeta
  readonly values: ParamValues
  readonly onChange: (values: ParamValues) => void
}

const Settings = ({ lesson, meta, values, onChange }: SettingsProps) => {
  const shown = { ...lesson.values, ...values }
  const changed = differences(meta, shown, lesson.values)
  return (
    <details className="teachers-settings stack-12">
      <summary>
        Settings: {changed.length === 0 ? 'the lesson’s own' : `${String(changed.length)} changed`}
      </summary>
      <p className="small quiet">
        The question goes with the lesson’s own settings; with others, the result says so.
      </p>
      <ParamControls
        params={meta.params}
        values={shown}
        onChange={(name, value) => onChange({ ...values, [name]: value })}
      />
      <Button look="small" label="The lesson’s own settings" onClick={() => onChange({})} />
    </details>
  )
}

/** A plain link: to the lesson, or to a step of it, with what differs from its own settings. */
const LinkForm = ({ lesson }: { readonly lesson: ExperimentLesson }) => {
  const id = useId()
  const meta = metaOf(lesson.experiment)
  const [step, setStep] = useState('')
  const [values, setValues] = useState<ParamValues>({})
  const query = queryFromValues(meta, lesson.values, { ...lesson.values, ...values })
  const route = lessonRoute(lesson.id, step === '' ? '' : 'change', step, query)
  return (
    <>
      <p className="teachers-field start stack-4">
        <label htmlFor={`${id}-step`}>It opens</label>
        <select id={`${id}-step`} value={step} onChange={(event) => setStep(event.target.value)}>
          <option value="">the question</option>
          {lesson.steps.map(({ id: value, heading }) => (
            <option key={value} value={value}>
              {heading}
            </option>
          ))}
        </select>
      </p>
      <Settings lesson={lesson} meta={meta} values={values} onChange={setValues} />
      <CopyText label="The link for your class" text={whole(route)} what="link" rows={3} />
      <p className="small">
        <a href={addressOf(route)}>See it as your class will</a>
      </p>
    </>
  )
}

const FormOf = ({ id }: { readonly id: string }) => {
  const lesson = useWords(id)
  if (lesson?.kind === 'experiment') return <LinkForm lesson={lesson} />
  return <CopyText label="The link for your class" text={whole(lessonRoute(id))} what="link" rows={2} />
}

const FIRST = lessonIndex[0]?.id ?? ''

const Links = () => {
  const id = useId()
  const [lesson, setLesson] = useState(FIRST)
  return (
    <section aria-labelledby="links" className="teachers-part stack top">
      <h2 id="links">A link for your class</h2>
      <p>
        It opens a lesson, or one step of it, with the settings that you choose. There is no account, and
        nothing is sent: not to us, and not to you.
      </p>
      <LessonSelect id={`${id}-lesson`} value={lesson} onChange={setLesson} />
      <Suspense fallback={<p className="quiet teachers-awaited">Loading the lesson.</p>}>
        <FormOf key={lesson} id={lesson} />
      </Suspense>
    </section>
  )
}

/**
 * A frame as it can be pasted into a page, with no style attribute, which policies refuse; and the
 * script that makes it as high as what it shows. Where a page runs no scripts, the frame scrolls.
 */
const snippetOf = (address: string, title: string): string => {
  const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<iframe src="${quoted(address)}"
  title="${quoted(title)}" width="100%" height="${String(FRAME_HEIGHT)}"
  allow="clipboard-write; cross-origin-isolated" loading="lazy"></iframe>
<script>
  addEventListener('message', ({ source, data }) => {
    for (const frame of document.querySelectorAll('iframe'))
      if (frame.contentWindow === source && data.type === 'hdl:height')
        frame.height = data.height
  })
</script>`
}

const Frames = () => {
  const id = useId()
  const [lesson, setLesson] = useState(FIRST)
  const title = lessonIndex.find((each) => each.id === lesson)?.question ?? ''
  return (
    <section aria-labelledby="frames" className="teachers-part stack top">
      <h2 id="frames">In your own page</h2>
      <p>
        A lesson’s question, its run and what it showed, in a frame at least 700 px wide. Nothing is measured
        before a press inside it. In a frame browsers coarsen the host’s clock, and what is measured says so.
      </p>
      <LessonSelect id={`${id}-lesson`} value={lesson} onChange={setLesson} />
      <CopyText
        label="For your page"
        text={snippetOf(whole(embedRoute(lesson)), title)}
        what="frame"
        rows={10}
      />
      <p>
        The hash says where it begins, as in any link to a lesson: <code>#change/STEP</code>,{' '}
        <code>#see?kernelMs=1</code>.
      </p>
      <p>
        It tells your page two things by <code>postMessage</code>: <code>hdl:height</code> with its{' '}
        <code>height</code>, and <code>hdl:completed</code> once the learner has predicted (or skipped) and a
        run has answered. Each names its <code>lesson</code>; none says what was predicted, how long anything
        took, or on which device.
      </p>
    </section>
  )
}

export const TeachersPage = () => {
  useTitle('For teachers')
  return (
    <article className="page teachers stack">
      <header className="stack-12">
        <h1>For teachers</h1>
        <p className="lead">
          Learners predict, measure their own GPU, and fix the program. It needs a browser and no account;
          where there is no GPU, a recorded run is played.
        </p>
        <p className="small">
          A class that writes WebGPU of its own:{' '}
          <a href={addressOf({ page: 'record' })}>Record your own page</a>.
        </p>
      </header>
      <Links />
      <Frames />
      <Lessons />
    </article>
  )
}
