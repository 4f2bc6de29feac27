/** What a reader expects of a step's figure, asked beside the key that runs it, and what became of that. */
import type { Meta } from '../../experiments/catalog-of'
import type { StepGuess } from '../../lessons/lesson'
import { outcomeOf } from '../../state/guess'
import { SAID, type Said } from '../../state/lesson-store'
import type { Report } from '../../trace/report'
import { Quantities } from '../prose/Prose'
import { SAID_WORDS } from './expectations'

type FigureOf = Pick<StepGuess, 'name' | 'variant'>

export const GuessedFigure = ({ meta, figure }: { readonly meta: Meta; readonly figure: FigureOf }) => (
  <>
    {meta.metrics.find(({ name }) => name === figure.name)?.label ?? figure.name}
    {figure.variant !== '' && (
      <>
        {' '}
        <code>{figure.variant}</code>
      </>
    )}
  </>
)

interface GuessProps {
  readonly meta: Meta
  readonly guess: StepGuess
}

/** Running without an answer skips it. */
export const AskGuess = ({
  meta,
  guess,
  said,
  onSay,
}: GuessProps & { readonly said: Said | null; readonly onSay: (said: Said) => void }) => {
  const { than } = guess
  return (
    <fieldset className="guess" data-testid="guess">
      <legend>
        <GuessedFigure meta={meta} figure={guess} />: what do you expect, against{' '}
        {!than ? (
          'the first run'
        ) : than.name === guess.name ? (
          <code>{than.variant}</code>
        ) : (
          <GuessedFigure meta={meta} figure={than} />
        )}
        ?
      </legend>
      {SAID.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="guess"
            checked={each === said}
            onChange={() => {
              onSay(each)
            }}
          />
          <span className="guess-word">{SAID_WORDS[each]}</span>
        </label>
      ))}
      <span className="small quiet">Or go on without an answer.</span>
    </fieldset>
  )
}

export const GuessResult = ({
  meta,
  guess,
  said,
  before,
  after,
}: GuessProps & { readonly said: Said; readonly before: Report | null; readonly after: Report }) => {
  const outcome = outcomeOf(guess, before, after)
  const isRight = outcome.was === said
  return (
    <p
      className="guess-result"
      data-testid="guess-result"
      data-outcome={outcome.was === null ? 'undecided' : isRight ? 'right' : 'surprise'}
    >
      <GuessedFigure meta={meta} figure={guess} />: you expected <strong>{SAID_WORDS[said]}</strong>
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
