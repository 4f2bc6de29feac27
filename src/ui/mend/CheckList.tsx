/** What must hold: what each check wants before a grading, what it found after it. */
import type { Check, Outcome } from '../../mend/types'
import type { MendWords } from '../../mend/words'
import { Quantities } from '../prose/Prose'

const MARKS: Readonly<Record<Outcome | 'open', { readonly sign: string; readonly words: string }>> = {
  yes: { sign: '✓', words: 'Holds' },
  no: { sign: '✗', words: 'Does not hold' },
  'cannot-tell': { sign: '?', words: 'Cannot be told here' },
  open: { sign: '○', words: 'Not checked yet' },
}

const Row = ({
  id,
  state,
  text,
}: {
  readonly id: string
  readonly state: Outcome | 'open'
  readonly text: string
}) => (
  <li className={`check check-${state}`} data-check={id} data-outcome={state}>
    <span className="check-sign" aria-hidden="true">
      {MARKS[state].sign}
    </span>
    <span>
      <span className="visually-hidden">{MARKS[state].words}: </span>
      <Quantities text={text} />
    </span>
  </li>
)

/** Checks that every mend has are shown where they found something. */
export const CheckList = ({
  must,
  checks,
}: {
  readonly must: MendWords['must']
  readonly checks: readonly Check[] | null
}) => {
  const found = (wanted: string) => checks?.find(({ id }) => id === wanted)
  const others = (checks ?? []).filter(
    ({ id, outcome }) => outcome !== 'yes' && !must.some((each) => each.id === id),
  )
  return (
    <ul className="checks" aria-label="What must hold">
      {others.map(({ id, outcome, text }) => (
        <Row key={id} id={id} state={outcome} text={text} />
      ))}
      {must.map(({ id, text }) => {
        const check = found(id)
        return <Row key={id} id={id} state={check?.outcome ?? 'open'} text={check?.text ?? text} />
      })}
    </ul>
  )
}
