/** An assignment from a teacher's link: what is asked, what of it is done, and the code to hand in. Nothing is taken on or run before a press. */
import { useEffect, useId, useMemo, useState } from 'react'
import type { Fault } from '../../base/fault'
import type { ExperimentMeta } from '../../experiments/experiment'
import type { ExperimentLesson, Lesson } from '../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { EMPTY_PROGRESS } from '../../state/lesson-store'
import { addressOf, lessonRoute, type Query } from '../../state/url'
import { assignmentQuery, lessonNamed, type Assignment } from '../../teaching/assignment'
import { nameToFit, writeCode } from '../../teaching/completion-code'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { useStore } from '../use-store'
import { useTitle } from '../use-title'
import { SetByTeacher } from './AssignmentBar'
import { completionOf, itemsOf, localDay, type Item } from './assignment-progress'
import { CopyText } from './CopyText'
import { readFor, useAssignments } from './use-assignment'
import { useDeclared, useWords } from './use-words'
import './assignment.css'

const isSame = (a: Query | undefined, b: Query): boolean =>
  a !== undefined && new URLSearchParams(a).toString() === new URLSearchParams(b).toString()

const Items = ({ items }: { readonly items: readonly Item[] }) => (
  <ul className="assignment-items" data-testid="assignment-items">
    {items.map(({ id, label, isDone, note, route }) => (
      <li key={id} data-item={id} data-done={isDone}>
        <span className="assignment-mark" aria-hidden="true">
          {isDone ? '✓' : ''}
        </span>
        <span>
          <a href={addressOf(route)}>{label}</a>
          <span className="visually-hidden">{isDone ? ': done' : ': not done'}</span>
          {note !== '' && <span className="small quiet assignment-note">{note}</span>}
        </span>
      </li>
    ))}
  </ul>
)

interface CodeProps {
  readonly assignment: Assignment
  readonly lesson: Lesson
  readonly items: readonly Item[]
}

const Code = ({ assignment, lesson, items }: CodeProps) => {
  const { lessons, lessonRuns } = useLab()
  const progress = useStore(lessons.store, (all) => all.lessons[lesson.id]) ?? EMPTY_PROGRESS
  const { runs } = useStore(lessonRuns.store)
  const [name, setName] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const id = useId()
  const open = items.filter(({ isDone }) => !isDone).length
  const make = () => {
    const who = { day: localDay(new Date()), name: nameToFit(name) }
    setCode(writeCode(completionOf(assignment, lesson, items, progress, runs, who)))
  }
  return (
    <section aria-labelledby={`${id}-title`} className="assignment-code no-print">
      <h2 id={`${id}-title`}>Your code</h2>
      <p>
        {open === 0
          ? 'All of it is done.'
          : `${String(open)} of ${String(items.length)} are not done yet. A code can be made all the same; it says so.`}
      </p>
      <form
        className="assignment-form"
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <label htmlFor={`${id}-name`}>Your name, or the number that your teacher gave you</label>
        <input
          id={`${id}-name`}
          type="text"
          autoComplete="name"
          maxLength={60}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setCode(null)
          }}
        />
        <button type="submit" className="button button-main">
          Make the code
        </button>
      </form>
      {code !== null && <CopyText label="Your completion code" text={code} what="code" />}
      <p className="small quiet">
        In it: the lesson and the assignment, your prediction, the figure that was measured with its bound and
        verdict, the kind of adapter (software, integrated or discrete), whether the program is mended, what
        is done, the day, and what you typed above. It is sent nowhere: you hand it in. It finds typing
        errors. It is no proof, since anybody could write one.
      </p>
    </section>
  )
}

interface OpenProps {
  readonly query: Query
  readonly lesson: Lesson
  readonly meta: ExperimentMeta | null
}

const Open = ({ query, lesson, meta }: OpenProps) => {
  const { lessons, lessonRuns, route } = useLab()
  const assignments = useAssignments()
  const progress = useStore(lessons.store, (all) => all.lessons[lesson.id]) ?? EMPTY_PROGRESS
  const { runs } = useStore(lessonRuns.store)
  const taken = useStore(assignments.store, (all) => all.taken[lesson.id])
  const read = useMemo(() => readFor(query, lesson, meta), [query, lesson, meta])
  useEffect(() => {
    inBackground(lessonRuns.open(lesson.id))
  }, [lessonRuns, lesson])
  if (!read.ok) return <Refused fault={read.error} />
  const assignment = read.value
  const own = assignmentQuery(assignment)
  const isTaken = isSame(taken, own)
  const items = itemsOf(assignment, lesson, meta, progress, runs)
  const next = items.find(({ isDone }) => !isDone)
  return (
    <>
      <header className="page-head">
        <p className="small quiet">Assignment</p>
        <h1>{assignment.title === '' ? lesson.title : assignment.title}</h1>
        <p className="lead">{lesson.question}</p>
      </header>
      <p className="quiet">
        In the lesson <a href={addressOf(lessonRoute(lesson.id))}>{lesson.title}</a>, about {lesson.minutes}{' '}
        minutes. Nothing is measured before you press Run, and nothing is sent to anybody.
      </p>
      <Items items={items} />
      <SetByTeacher assignment={assignment} lesson={lesson} meta={meta} />
      {assignment.isLocked && (
        <p className="small quiet">
          Your teacher set the settings, so that all of you measure the same: the controls of the lesson are
          shown and cannot be moved while you are at it.
        </p>
      )}
      <div className="button-row no-print">
        <button
          type="button"
          className="button button-main"
          onClick={() => {
            assignments.take(lesson.id, own)
            route.go(next?.route ?? lessonRoute(lesson.id))
          }}
        >
          {isTaken ? 'Go on' : 'Begin'}
        </button>
        {isTaken && (
          <button
            type="button"
            className="button button-plain"
            onClick={() => {
              assignments.leave(lesson.id)
            }}
          >
            Leave it
          </button>
        )}
      </div>
      <Code assignment={assignment} lesson={lesson} items={items} />
    </>
  )
}

const OfExperiment = ({ lesson, query }: { readonly lesson: ExperimentLesson; readonly query: Query }) => (
  <Open query={query} lesson={lesson} meta={useDeclared(lesson.experiment)} />
)

/** What is wrong with the link, and nothing of what it asks for. */
const Refused = ({ fault }: { readonly fault: Fault | null }) => (
  <>
    <header className="page-head">
      <h1>Assignment</h1>
    </header>
    {fault ? (
      <FaultNotice fault={fault} />
    ) : (
      <p>
        Open the link that your teacher gave you. Teachers make one on{' '}
        <a href={addressOf({ page: 'teachers', id: null })}>a page of its own</a>.
      </p>
    )}
  </>
)

/** Of a link whose lesson there is not. */
const faultOf = (query: Query): Fault | null => {
  const read = readFor(query, null, null)
  return read.ok || Object.keys(query).length === 0 ? null : read.error
}

const Named = ({ id, query }: { readonly id: string; readonly query: Query }) => {
  const lesson = useWords(id)
  if (!lesson) return <Refused fault={faultOf(query)} />
  return lesson.kind === 'experiment' ? (
    <OfExperiment lesson={lesson} query={query} />
  ) : (
    <Open query={query} lesson={lesson} meta={null} />
  )
}

export const AssignmentPage = ({ query }: { readonly query: Query }) => {
  useTitle('Assignment')
  const id = lessonNamed(query)
  return (
    <article className="page page-narrow assignment">
      {id === null ? <Refused fault={faultOf(query)} /> : <Named key={id} id={id} query={query} />}
    </article>
  )
}
