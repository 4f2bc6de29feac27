/**
 * The question in the reader's words, their own code, and a number to commit to: people who predict
 * learn from the surprise.
 */
import { useState, type ReactNode } from 'react'
import type { Asked, ExperimentLesson, Question, SliderOf } from '../../../lessons/lesson'
import type { Prose } from '../../../text/template'
import type { LessonProgress, Prediction } from '../../state/lesson-store'
import { formatNumber, withUnit } from '../format'
import { Inline, PartsOfProse } from '../prose/Inline'
import { CodeView } from '../source/CodeView'
import { plain } from '../source/lines'
import { SCREEN_START } from './use-screen-focus'
import { Button } from '../Button'
import type { DeviceFacts } from '../../../trace/report'

/**
 * Which question is asked on this device: the one that it can answer. Null: it has not said what it
 * is.
 */
export const askedOf = (
  { withoutTimestamps, ...asked }: ExperimentLesson['prediction'],
  device: Pick<DeviceFacts, 'features'> | null,
): Asked =>
  withoutTimestamps && device && !device.features.includes('timestamp-query') ? withoutTimestamps : asked

/** What was predicted or measured in another unit answered another question. */
export const progressOf = (saved: LessonProgress, { unit }: Asked): LessonProgress => ({
  ...saved,
  prediction: saved.prediction?.kind === 'made' && saved.prediction.unit !== unit ? null : saved.prediction,
  outcome: saved.outcome?.unit === unit ? saved.outcome : null,
})

const WHY = {
  'no-gpu': 'This browser gives the page no GPU, so you will see a recorded run.',
  software:
    'This browser offers no GPU. You will see a recorded run first; then you can run it here in software.',
  here: 'It runs on this machine, in your browser. Nothing is measured before you press.',
} as const

/**
 * What a press runs, and on what.
 * @param plays why the recorded run is played and nothing is run here; null: it is run
 */
export const runsOn = (plays: 'no-gpu' | 'software' | null) => ({
  follows: plays ? 'and play the recording' : 'and run',
  why: WHY[plays ?? 'here'],
})

const SLIDER = 'prediction-slider'

export interface PredictFormProps {
  readonly asked: Question
  /** Lines of PyTorch; '' for none. */
  readonly ask: string
  readonly intro: Prose
  /** Below the words, above the keys on a phone. */
  readonly picture?: ReactNode
  /** What was answered before. */
  readonly stored: Prediction | null
  /** What follows the prediction: 'and run'. */
  readonly follows: string
  /** The address asks for what cannot be run. */
  readonly isBlocked?: boolean
  /** What a press does, below the keys. */
  readonly why: string
  readonly onPredict: (prediction: Prediction) => void
  readonly children?: ReactNode
}

export const PredictForm = (props: PredictFormProps) => {
  const { asked, ask, intro, picture, stored, follows, isBlocked = false, why, onPredict, children } = props
  const [draft, setDraft] = useState(stored?.kind === 'made' ? stored.value : asked.start)
  const drafted = withUnit(formatNumber(draft), asked.unit)
  return (
    <section
      className="predict stack top"
      aria-label="The question"
      data-testid="prediction"
      data-state={stored?.kind ?? 'open'}
      {...SCREEN_START}
    >
      {ask !== '' && (
        <div className="predict-code">
          <CodeView title="PyTorch" lines={plain(ask)} />
        </div>
      )}
      <div className="predict-why stack-16">
        <PartsOfProse parts={intro} />
      </div>
      {picture && <div className="predict-picture">{picture}</div>}
      <form
        className="predict-ask stack-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBlocked) onPredict({ kind: 'made', value: draft, unit: asked.unit })
        }}
      >
        <label htmlFor={SLIDER} className="prediction-question bold">
          <Inline text={asked.question} />
        </label>
        <output htmlFor={SLIDER} className="predict-value">
          {formatNumber(draft)}
          {asked.unit !== 'n' && <span>{asked.unit}</span>}
        </output>
        <ValueSlider
          id={SLIDER}
          slider={asked}
          value={draft}
          text={drafted}
          ends={asked.ends}
          onChange={setDraft}
        />
        <div className="button-row no-print">
          <Button type="submit" look="main" label={`Predict ${drafted} ${follows}`} isOff={isBlocked} />
          <Button
            look="plain"
            label="Skip the prediction"
            isOff={isBlocked}
            onClick={() => onPredict({ kind: 'skipped' })}
          />
        </div>
        <p className="small quiet" data-testid="runs-on">
          {why}
        </p>
        {children}
      </form>
    </section>
  )
}

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

/** A value to commit to, on the slider of a question. */
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
