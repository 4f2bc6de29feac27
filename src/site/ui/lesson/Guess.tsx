/** What a reader expects of a step's figure, asked beside the key that runs it, and what became of that. */
import type { Meta } from '../../../experiments/catalog'
import type { SliderOf, StepGuess } from '../../../lessons/lesson'
import { amountOf, outcomeOf } from '../../state/guess'
import { SAID, type Guessed } from '../../state/lesson-store'
import type { Report } from '../../../trace/report'
import { formatMetric, formatNumber, withUnit } from '../format'
import { Quantities } from '../prose/Inline'
import { inSliderUnit, NO_WORLDS, scoreInWords, scoreOf } from './compare-prediction'
import { SAID_WORDS } from './expectations'
import { Scale } from './Scale'
import { ValueSlider } from './ValueSlider'

type FigureOf = Pick<StepGuess, 'name' | 'variant'>

const VariantName = ({ meta, variant }: { readonly meta: Meta; readonly variant: string }) => {
  const words = meta.inWords?.(variant)
  return words ? <Quantities text={words} /> : <code>{variant}</code>
}

export const GuessedFigure = ({ meta, figure }: { readonly meta: Meta; readonly figure: FigureOf }) => (
  <>
    {meta.metrics.find(({ name }) => name === figure.name)?.label ?? figure.name}
    {figure.variant !== '' && (
      <>
        {meta.inWords?.(figure.variant) ? ', ' : ' '}
        <VariantName meta={meta} variant={figure.variant} />
      </>
    )}
  </>
)

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
  const { than, slider } = guess
  const value = slider && typeof said === 'number' ? said : null
  const text = slider && value !== null ? inUnit(value, slider) : 'no answer yet'
  return (
    <fieldset className="guess cluster" data-testid="guess" data-said={said !== null}>
      <legend>
        {guess.words}: {slider ? 'how much' : 'what'} do you expect
        {!slider && !than && ', against the first run'}?
      </legend>
      {slider ? (
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
      ) : (
        SAID.map((each) => (
          <label key={each} className="row">
            <input type="radio" name="guess" checked={each === said} onChange={() => onSay(each)} />
            <span className="guess-word">{SAID_WORDS[each]}</span>
          </label>
        ))
      )}
      <span className="small quiet">Or go on without an answer.</span>
    </fieldset>
  )
}

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
    <div
      className="guess-result size-3 stack-8"
      data-testid="guess-result"
      data-outcome={(measured && scoreOf(said, measured, slider, after)) ?? 'undecided'}
    >
      <p>
        {guess.words}: you expected <strong>{inUnit(said, slider)}</strong>.{' '}
        {measured ? (
          <>
            It is{' '}
            <strong>
              <Quantities text={formatMetric(amount)} />
            </strong>
            . {scoreInWords(said, measured, slider, after, NO_WORLDS)}
          </>
        ) : (
          'Not decided: it was not measured.'
        )}
      </p>
      {measured && <Scale asked={slider} measured={measured} said={said} twin={null} />}
    </div>
  )
}

export const GuessResult = ({
  guess,
  said,
  before,
  after,
}: GuessProps & { readonly said: Guessed; readonly before: Report | null; readonly after: Report }) => {
  if (guess.slider && typeof said === 'number')
    return <AmountResult {...{ guess, said, after }} slider={guess.slider} />
  // What was said when the step asked something else.
  if (guess.slider || typeof said === 'number') return null
  const outcome = outcomeOf(guess, before, after)
  const isRight = outcome.was === said
  return (
    <p
      className="guess-result size-3"
      data-testid="guess-result"
      data-outcome={outcome.was === null ? 'undecided' : isRight ? 'right' : 'surprise'}
    >
      {guess.words}: you expected <strong>{SAID_WORDS[said]}</strong>
      {outcome.was === null ? (
        <>
          . Not decided: <Quantities text={outcome.why} />
        </>
      ) : isRight ? (
        ', and so it is.'
      ) : (
        <>
          . It is <strong>{SAID_WORDS[outcome.was]}</strong>.
        </>
      )}
    </p>
  )
}
