/**
 * What a reader expects of a step's figure, asked beside the key that runs it, and what became of
 * that.
 */
import type { SliderOf, StepGuess } from '../../../lessons/lesson'
import { ofGuess, UNDECIDED, amountOf } from './guess-outcome'
import { SAID, type Guessed } from '../../state/lesson-store'
import type { Report } from '../../../trace/report'
import { formatNumber, withUnit } from '../format'
import { Inline, Quantities } from '../prose/Inline'
import { inSliderUnit } from './compare-prediction'
import { Scale } from './Scale'
import { ValueSlider } from './PredictForm'

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

interface GuessResultProps extends GuessProps {
  readonly said: Guessed
  readonly before: Report | null
  readonly after: Report
}

/**
 * The question has left the place where it was asked, so it stands here once more; of an amount the
 * two stand on one axis.
 */
export const GuessResult = ({ guess, said, before, after }: GuessResultProps) => {
  const its = ofGuess(guess, said, before, after)
  if (!its) return null
  const { expected, was, more } = its
  const amount =
    guess.slider && typeof said === 'number'
      ? { said, asked: guess.slider, measured: inSliderUnit(amountOf(guess, after), guess.slider) }
      : null
  const itIs = was !== null && (
    <>
      It is{' '}
      <strong>
        <Quantities text={was} />
      </strong>
    </>
  )
  return (
    <div className="guess-result size-3 stack-8" data-testid="guess-result">
      <p className="small quiet">
        <Inline text={guess.question} />
      </p>
      <p>
        You expected <strong>{expected}</strong>.{' '}
        {amount ? (
          itIs ? (
            <>
              {itIs}. {more}
            </>
          ) : (
            'We can’t tell: it was not measured.'
          )
        ) : (
          <>
            {was === UNDECIDED ? 'We can’t tell' : was === expected ? 'Right' : itIs}:{' '}
            <Quantities text={more} />
          </>
        )}
      </p>
      {amount?.measured && <Scale {...amount} measured={amount.measured} twin={null} />}
    </div>
  )
}
