/**
 * What must hold, every rule: what each check wants before a grading, what it found after it. Those of every mend are folded, unless one
 * found something.
 */
import type { Check, Outcome } from '../../exercises/types'
import type { ExerciseWords } from '../../exercises/words'
import { Quantities } from '../ui/prose/Inline'

const MARKS: Readonly<Record<Outcome | 'open', { readonly sign: string; readonly words: string }>> = {
  yes: { sign: '✓', words: 'Holds' },
  no: { sign: '✗', words: 'Does not hold' },
  'cannot-tell': { sign: '?', words: 'Cannot be determined here' },
  open: { sign: '○', words: 'Not checked yet' },
}

interface RowProps {
  readonly id: string
  readonly state: Outcome | 'open'
  readonly text: string
}

const Row = ({ id, state, text }: RowProps) => (
  <li className={`check stack small check-${state}`} data-check={id} data-outcome={state}>
    <span className="check-sign" aria-hidden="true">
      {MARKS[state].sign}
    </span>
    <span>
      <span className="visually-hidden">{MARKS[state].words}: </span>
      <Quantities text={text} />
    </span>
  </li>
)

interface CheckListProps {
  readonly must: ExerciseWords['must']
  readonly checks: readonly Check[] | null
  /** The check whose sentence stands in the grade: its row keeps the rule. */
  readonly told: string | null
}

export const CheckList = ({ must, checks, told }: CheckListProps) => {
  const rows = must.map(({ id, text, isCommon = false }) => {
    const { outcome = 'open', text: found = text } = checks?.find((each) => each.id === id) ?? {}
    const isFolded = isCommon && (outcome === 'open' || outcome === 'yes')
    return { isFolded, row: <Row key={id} id={id} state={outcome} text={id === told ? text : found} /> }
  })
  const rowsOf = (folded: boolean) => rows.flatMap(({ isFolded, row }) => (isFolded === folded ? [row] : []))
  const common = rowsOf(true)
  return (
    <>
      <ul className="checks stack-8" aria-label="What must hold">
        {rowsOf(false)}
      </ul>
      {common.length > 0 && (
        <details className="checks-common">
          <summary>As in every exercise: {common.length} more</summary>
          <ul className="checks stack-8" aria-label="As in every exercise">
            {common}
          </ul>
        </details>
      )}
    </>
  )
}
