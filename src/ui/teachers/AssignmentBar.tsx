/** Above the screens of a lesson while an assignment of it is under way: what it is, how far it is, and what the teacher set. */
import type { ExperimentMeta } from '../../experiments/experiment'
import type { Lesson } from '../../lessons/lesson'
import { EMPTY_PROGRESS } from '../../state/lesson-store'
import { addressOf, type Query } from '../../state/url'
import type { Result } from '../../base/result'
import type { Assignment } from '../../teaching/assignment'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { ParamControls } from '../run/ParamControls'
import { useStore } from '../use-store'
import { itemsOf } from './assignment-progress'
import { useAssignments } from './use-assignment'
import './assignment.css'

export interface AssignmentBarProps {
  readonly lesson: Lesson
  readonly meta: ExperimentMeta | null
  readonly query: Query
  readonly read: Result<Assignment>
}

/** The controls of an assignment's settings: there to be seen. */
export const SetByTeacher = ({
  assignment,
  lesson,
  meta,
}: {
  readonly assignment: Assignment
  readonly lesson: Lesson
  readonly meta: ExperimentMeta | null
}) => {
  const names = Object.keys(assignment.values)
  if (!meta || lesson.kind !== 'experiment' || names.length === 0) return null
  return (
    <fieldset className="set-by-teacher" disabled={assignment.isLocked} data-testid="set-by-teacher">
      <legend className="small">Set by your teacher</legend>
      <ParamControls
        params={meta.params.filter(({ name }) => names.includes(name))}
        values={{ ...lesson.values, ...assignment.values }}
        onChange={() => undefined}
      />
    </fieldset>
  )
}

export const AssignmentBar = ({ lesson, meta, query, read }: AssignmentBarProps) => {
  const { lessons, lessonRuns } = useLab()
  const assignments = useAssignments()
  const progress = useStore(lessons.store, (all) => all.lessons[lesson.id]) ?? EMPTY_PROGRESS
  const { runs } = useStore(lessonRuns.store)
  const leave = (
    <button
      type="button"
      className="link-button"
      onClick={() => {
        assignments.leave(lesson.id)
      }}
    >
      Leave it
    </button>
  )
  if (!read.ok) return <FaultNotice fault={read.error}>{leave}</FaultNotice>
  const assignment = read.value
  const items = itemsOf(assignment, lesson, meta, progress, runs)
  const done = items.filter(({ isDone }) => isDone).length
  return (
    <aside className="assignment-bar no-print" aria-label="Assignment" data-testid="assignment-bar">
      <p>
        <strong>{assignment.title === '' ? 'An assignment' : assignment.title}</strong>{' '}
        <span className="quiet">
          {done} of {items.length} done
          {assignment.isLocked && ', settings set by your teacher'}
        </span>
      </p>
      <p className="small">
        <a href={addressOf({ page: 'assignment', query })}>
          {done === items.length ? 'Get your code' : 'What is asked'}
        </a>{' '}
        {leave}
      </p>
    </aside>
  )
}
