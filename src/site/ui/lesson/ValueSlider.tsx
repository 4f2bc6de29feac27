/** A value to commit to, on the slider of a question. */
import type { SliderOf } from '../../../lessons/lesson'

interface ValueSliderProps {
  readonly slider: SliderOf
  /** Null: nothing was said yet. It stands in the middle then. */
  readonly value: number | null
  /** The value with its unit. */
  readonly text: string
  /** Left out where a label names it. */
  readonly label?: string
  readonly id?: string
  readonly ends: readonly [string, string]
  readonly onChange: (value: number) => void
}

export const ValueSlider = (props: ValueSliderProps) => {
  const {
    slider: { min, max, step, doublings = false },
    value,
    text,
    label,
    id,
    ends,
    onChange,
  } = props
  const positionOf = (at: number) => (doublings ? Math.log2(at) : at)
  return (
    <div className="prediction-slider">
      <input
        id={id}
        type="range"
        min={positionOf(min)}
        max={positionOf(max)}
        step={step}
        value={value === null ? (positionOf(min) + positionOf(max)) / 2 : positionOf(value)}
        aria-label={label}
        aria-valuetext={text}
        onChange={(event) => {
          const position = event.target.valueAsNumber
          onChange(doublings ? 2 ** position : position)
        }}
        // Firefox submits a form by Enter from text fields, not from a slider.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <div className="prediction-ends small quiet" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  )
}
