/** The rungs of a mend: the first is the least. One that the rung before it leads to is lit. */
import { addressOf, lessonRoute } from '../state/url'

export interface RungPickerProps {
  readonly lesson: string
  readonly rung: number
  readonly rungs: number
  readonly passed: readonly number[]
  /** What is graded stays open. */
  readonly isRunning: boolean
}

export const rungAddress = (lesson: string, rung: number): string =>
  addressOf(lessonRoute(lesson, 'mend', String(rung)))

export const RungPicker = ({ lesson, rung, rungs, passed, isRunning }: RungPickerProps) => (
  <nav className="stepper baseline cluster-4-16 mend-rungs no-print" aria-label="Exercises">
    <ol className="cluster-4">
      {Array.from({ length: rungs }, (_, index) => {
        const number = index + 1
        const isPassed = passed.includes(number)
        const isLit = !isPassed && passed.includes(index)
        return (
          <li key={number} className={isLit ? 'mend-rung-lit' : undefined}>
            <a
              href={isRunning ? undefined : rungAddress(lesson, number)}
              aria-current={number === rung ? 'step' : undefined}
            >
              {`Exercise ${String(number)} of ${String(rungs)}`}
              {isPassed && (
                <>
                  <span aria-hidden="true"> ✓</span>
                  <span className="visually-hidden">, passed</span>
                </>
              )}
              {isLit && <span className="visually-hidden">, next</span>}
            </a>
          </li>
        )
      })}
    </ol>
  </nav>
)
