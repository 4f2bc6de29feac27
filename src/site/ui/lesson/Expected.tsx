/** What was expected before each run of a lesson, beside what was measured. */
import type { ReactNode } from 'react'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { addressOf, lessonRoute } from '../../state/url'
import { Inline, Quantities } from '../prose/Inline'
import type { Expectation } from './expectations'
import './expected.css'

const BECAME = { right: 'As expected.', near: 'Close.', surprise: 'A surprise.' } as const

export const ExpectedTable = ({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}) => (
  <div className="expected container">
    <table className="two-under" aria-labelledby={label} data-testid="expected">
      <thead>
        <tr>
          <th scope="col">what was asked</th>
          <th scope="col">you expected</th>
          <th scope="col">it was</th>
        </tr>
      </thead>
      {children}
    </table>
  </div>
)

export const ExpectedRows = ({
  lesson,
  rows,
}: {
  readonly lesson: Pick<ExperimentLesson, 'id' | 'steps'>
  readonly rows: readonly Expectation[]
}) =>
  rows.map(({ at, asked, expected, was, became, more }) => (
    <tr key={`${at} ${asked}`} data-became={became ?? (was === null ? 'not-kept' : 'undecided')}>
      <th scope="row">
        <a
          href={addressOf(
            at === FIRST_RUN ? lessonRoute(lesson.id, 'see') : lessonRoute(lesson.id, 'change', at),
          )}
        >
          {lesson.steps.find(({ id }) => id === at)?.heading ?? 'The first question'}
        </a>
        <span className="small quiet">
          <Inline text={asked} />
        </span>
      </th>
      <td className="bold">
        <Quantities text={expected} />
      </td>
      <td className="bold">
        {was === null ? (
          <span className="quiet regular">No run that answers it is kept.</span>
        ) : (
          <Quantities text={was} />
        )}
        {(became !== null || more !== '') && (
          <span className="small quiet regular">
            {became && <strong>{BECAME[became]}</strong>} <Quantities text={more} />
          </span>
        )}
      </td>
    </tr>
  ))
