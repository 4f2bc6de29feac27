/** Which rung of a mend is open, where it has several: the first is the least. */
import { useId } from 'react'

export interface RungPickerProps {
  readonly rung: number
  readonly rungs: number
  /** What is graded stays open. */
  readonly isRunning: boolean
  readonly onChoose: (rung: number) => void
}

export const RungPicker = ({ rung, rungs, isRunning, onChoose }: RungPickerProps) => {
  const id = useId()
  if (rungs < 2) return null
  return (
    <p className="mend-rung no-print">
      <label htmlFor={id}>Rung</label>{' '}
      <select
        id={id}
        value={rung}
        disabled={isRunning}
        onChange={(event) => {
          onChoose(Number(event.target.value))
        }}
      >
        {Array.from({ length: rungs }, (_, index) => (
          <option key={index} value={index + 1}>
            {`${String(index + 1)} of ${String(rungs)}`}
          </option>
        ))}
      </select>
    </p>
  )
}
