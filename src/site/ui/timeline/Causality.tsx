/** Leads from the selected span along the arrows, to its cause and to its effects. */
import {
  type Direction,
  keyFor,
  type DrawnPart,
  type DrawnPath,
  formatCount,
  formatDuration,
  formatShare,
  neighboursOf,
  type PathOwner,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'
import { Button } from '../Button'

export interface CausalityProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
}

export const Causality = ({ data, timeline, selected }: CausalityProps) => {
  const { trace } = data.placed
  if (selected?.type !== 'span' || selected.span >= trace.spans.length || trace.flows.length === 0)
    return null
  const { causes, effects } = neighboursOf(trace, selected.span)
  return (
    <div className="tl-causality cluster" role="group" aria-label="Causality">
      <Step label="What caused it" way={-1} count={causes.length} timeline={timeline} />
      <Step label="What it caused" way={1} count={effects.length} timeline={timeline} />
    </div>
  )
}

interface StepProps {
  readonly label: string
  readonly way: Direction
  readonly count: number
  readonly timeline: Timeline | null
}

/** Stays where it is at the end of a chain, so that the focus stays too. */
const Step = ({ label, way, count, timeline }: StepProps) => (
  <Button
    look="timeline"
    isOff={count === 0}
    title={count === 0 ? `${label}: nothing that was recorded` : `${label} (${keyFor('flow', way)})`}
    onClick={() => timeline?.run('flow', way)}
  >
    {label}
    {count !== 1 && <span className="tl-note">{count === 0 ? 'none' : formatCount(count)}</span>}
  </Button>
)

/** The critical path in words: of each chain, how much of its time was whose. */
const OWNERS: Readonly<Record<PathOwner, { readonly name: string; readonly what: string }>> = {
  host: { name: 'host', what: 'the thread’s time until it made the call' },
  launch: { name: 'launch', what: 'from the call to the start of its work' },
  device: { name: 'device', what: 'work that everything after it waited for' },
  stream: { name: 'stream', what: 'from the end of the work before it on its stream' },
  notice: { name: 'notice', what: 'from the end of the work until the host knew' },
  message: {
    name: 'message',
    what: 'between two ranks, from the later call until the earlier returned',
  },
}

/** Most first. */
const sharesOf = ({ segments: { owners, ns } }: DrawnPart) =>
  owners
    .map((who, at) => ({ who, ns: ns[at] ?? 0 }))
    .filter((share) => share.ns > 0)
    .sort((a, b) => b.ns - a.ns)

/** One sentence for the screen reader. */
export const spokenPath = ({ parts }: DrawnPath): string =>
  parts
    .map((part) => {
      const lengthNs = part.endNs - part.startNs
      const shares = sharesOf(part).map(({ who, ns }) => `${OWNERS[who].name} ${formatShare(ns / lengthNs)}`)
      return `Critical path${part.title === '' ? '' : ` of ${part.title}`}, ${formatDuration(lengthNs)}: ${shares.join(', ')}.`
    })
    .join(' ')

interface PathWordsProps {
  readonly path: DrawnPath
  readonly timeline: Timeline | null
}

export const PathWords = ({ path, timeline }: PathWordsProps) => (
  <section className="tl-path" aria-label="Critical path">
    <h3>Critical path</h3>
    <p className="tl-note">
      Each moment belongs to what the next one had to wait for. Solid: at work; dashed: on its way, or waiting
      its turn.
    </p>
    <ul>
      {path.parts.map((part) => (
        <li key={part.title} className="cluster">
          <span>
            {part.title !== '' && <strong>{part.title} </strong>}
            {formatDuration(part.endNs - part.startNs)}
          </span>
          <span className="tl-path-shares cluster quiet">
            {sharesOf(part).map(({ who, ns }) => (
              <span key={who} title={OWNERS[who].what}>
                {OWNERS[who].name} <b>{formatShare(ns / (part.endNs - part.startNs))}</b>
              </span>
            ))}
          </span>
          <Button
            look="timeline"
            label="Zoom to it"
            aria-label={`Zoom to the path${part.title === '' ? '' : ` of ${part.title}`}`}
            onClick={() => timeline?.zoomTo({ startNs: part.startNs, endNs: part.endNs, lanes: [] })}
          />
        </li>
      ))}
    </ul>
    {path.problems.map((problem) => (
      <p key={problem} className="tl-note">
        {problem}
      </p>
    ))}
  </section>
)
