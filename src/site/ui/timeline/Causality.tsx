/** From the selected span along the arrows: to what caused it, to what it caused, or all of the chain at once. */
import {
  chainOf,
  formatCount,
  neighboursOf,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'

export interface CausalityProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  readonly isWhole: boolean
}

export const Causality = ({ data, timeline, selected, isWhole }: CausalityProps) => {
  const { trace } = data.placed
  if (selected?.type !== 'span' || selected.span >= trace.spans.length || trace.flows.length === 0)
    return null
  const { causes, effects } = neighboursOf(trace, selected.span)
  const chain = isWhole ? chainOf(trace, selected.span) : null
  return (
    <div className="tl-causality cluster" role="group" aria-label="Causality">
      <Step
        label="What caused it"
        keyName="E"
        count={causes.length}
        onPress={() => timeline?.run('flow', -1)}
      />
      <Step label="What it caused" keyName="e" count={effects.length} onPress={() => timeline?.run('flow')} />
      <button
        type="button"
        className="tl-button"
        aria-pressed={isWhole}
        title="All that led to it and followed from it (C)"
        onClick={() => timeline?.run('chain')}
      >
        Whole chain
      </button>
      <span className="tl-note" role="status">
        {chain && chainWords(chain.flows.length, chain.isCut)}
      </span>
    </div>
  )
}

const chainWords = (count: number, isCut: boolean): string =>
  count === 0
    ? 'no arrow leads to it or from it'
    : `${formatCount(count)} ${count === 1 ? 'arrow' : 'arrows'}${isCut ? '; the chain goes on, only the nearest are drawn' : ''}`

interface StepProps {
  readonly label: string
  readonly keyName: string
  readonly count: number
  readonly onPress: () => void
}

/** Stays where it is at the end of a chain, so that the focus stays too. */
const Step = ({ label, keyName, count, onPress }: StepProps) => (
  <button
    type="button"
    className="tl-button"
    aria-disabled={count === 0}
    title={count === 0 ? `${label}: nothing that was recorded` : `${label} (${keyName})`}
    onClick={onPress}
  >
    {label}
    {count !== 1 && <span className="tl-note">{count === 0 ? 'none' : formatCount(count)}</span>}
  </button>
)
