/** What a reader expects of a step's figure, asked beside the key that runs it, and what became of that. */
import type { ReactNode } from 'react'
import type { SliderOf, StepGuess } from '../../../lessons/lesson'
import { amountOf } from '../../state/guess'
import { SAID, type Guessed } from '../../state/lesson-store'
import type { Report } from '../../../trace/report'
import { formatMetric, formatNumber, withUnit } from '../format'
import { Inline, Quantities } from '../prose/Inline'
import { inSliderUnit, NO_WORLDS, scoreInWords, scoreOf, type Scored } from './compare-prediction'
import { ofAnswer } from './expectations'
import { Scale } from './Scale'
import { ValueSlider } from './ValueSlider'

interface GuessProps {
  readonly guess: StepGuess
}

const inUnit = (value: number, { unit }: SliderOf): string => withUnit(formatNumber(value), unit)

/** Running without an answer skips it. */
export const AskGuess = ({
  guess,
  said,
  onSay,
}: GuessProps & { readonly said: Guessed | null; readonly onSay: (said: Guessed) => void }) => {
  const { question, answers, slider } = guess
  const value = slider && typeof said === 'number' ? said : null
  const text = slider && value !== null ? inUnit(value, slider) : 'no answer yet'
  return (
    <fieldset className="guess cluster" data-testid="guess" data-said={said !== null}>
      <legend className="size-3">
        <Inline text={question} />
      </legend>
      {slider && (
        <>
          <ValueSlider
            slider={slider}
            value={value}
            text={text}
            label="What you expect"
            ends={[withUnit(String(slider.min), slider.unit), withUnit(String(slider.max), slider.unit)]}
            onChange={onSay}
          />
          <output className="guess-value size-3 bold">{value === null ? '–' : text}</output>
        </>
      )}
      {answers &&
        SAID.map((each) => (
          <label key={each} className="row">
            <input type="radio" name="guess" checked={each === said} onChange={() => onSay(each)} />
            <span className="guess-word">{answers[each]}</span>
          </label>
        ))}
      <span className="small quiet">Or go on without an answer.</span>
    </fieldset>
  )
}

/** The question has left the place where it was asked. */
const Became = ({
  guess,
  became,
  children,
}: GuessProps & { readonly became: Scored | null; readonly children: ReactNode }) => (
  <div
    className="guess-result size-3 stack-8"
    data-testid="guess-result"
    data-outcome={became ?? 'undecided'}
  >
    <p className="small quiet">
      <Inline text={guess.question} />
    </p>
    {children}
  </div>
)

/** How much was expected, and measured, on one axis. */
const AmountResult = ({
  guess,
  slider,
  said,
  after,
}: GuessProps & { readonly slider: SliderOf; readonly said: number; readonly after: Report }) => {
  const amount = amountOf(guess, after)
  const measured = inSliderUnit(amount, slider)
  return (
    <Became guess={guess} became={measured && scoreOf(said, measured, slider, after)}>
      <p>
        You expected <strong>{inUnit(said, slider)}</strong>.{' '}
        {measured ? (
          <>
            It is{' '}
            <strong>
              <Quantities text={formatMetric(amount)} />
            </strong>
            . {scoreInWords(said, measured, slider, after, NO_WORLDS)}
          </>
        ) : (
          'We can’t tell: it was not measured.'
        )}
      </p>
      {measured && <Scale asked={slider} measured={measured} said={said} twin={null} />}
    </Became>
  )
}

const AnswerResult = ({ expected, was, became, more }: NonNullable<ReturnType<typeof ofAnswer>>) => (
  <p>
    You expected <strong>{expected}</strong>.{' '}
    {became === null ? (
      'We can’t tell'
    ) : became === 'right' ? (
      'Right'
    ) : (
      <>
        It is <strong>{was}</strong>
      </>
    )}
    : <Quantities text={more} />
  </p>
)

export const GuessResult = ({
  guess,
  said,
  before,
  after,
}: GuessProps & { readonly said: Guessed; readonly before: Report | null; readonly after: Report }) => {
  if (guess.slider && typeof said === 'number')
    return <AmountResult {...{ guess, said, after }} slider={guess.slider} />
  const answer = ofAnswer(guess, said, before, after)
  return (
    answer && (
      <Became guess={guess} became={answer.became}>
        <AnswerResult {...answer} />
      </Became>
    )
  )
}
