/** The critical path in words: of each chain, how much of its time was whose. */
import {
  formatDuration,
  formatShare,
  type DrawnPart,
  type DrawnPath,
  type PathWho,
  type Timeline,
} from '../../timeline'

const WHO: Readonly<Record<PathWho, { readonly name: string; readonly what: string }>> = {
  host: { name: 'host', what: 'until it made the call' },
  launch: { name: 'launch', what: 'called, and not yet begun' },
  device: { name: 'device', what: 'work that all after it waited for' },
  stream: { name: 'stream', what: 'behind the work before' },
  switch: { name: 'switch', what: 'from one piece of work to the next' },
  notice: { name: 'notice', what: 'ended, and the host did not know' },
  message: { name: 'message', what: 'between two ranks' },
}

interface Share {
  readonly who: PathWho
  readonly ns: number
}

/** Most first; worked out once for a part. */
const known = new WeakMap<DrawnPart, readonly Share[]>()
function sharesOf(part: DrawnPart): readonly Share[] {
  const before = known.get(part)
  if (before) return before
  const { length, owners, who, startNs, endNs } = part.stretches
  const sums = new Float64Array(owners.length)
  for (let at = 0; at < length; at += 1) {
    const owner = who[at] ?? 0
    sums[owner] = (sums[owner] ?? 0) + (endNs[at] ?? 0) - (startNs[at] ?? 0)
  }
  const shares = owners
    .map((owner, at) => ({ who: owner, ns: sums[at] ?? 0 }))
    .filter(({ ns }) => ns > 0)
    .sort((a, b) => b.ns - a.ns)
  known.set(part, shares)
  return shares
}

/** One sentence for the screen reader. */
export const spokenPath = ({ parts }: DrawnPath): string =>
  parts
    .map((part) => {
      const lengthNs = part.endNs - part.startNs
      const shares = sharesOf(part).map(({ who, ns }) => `${WHO[who].name} ${formatShare(ns / lengthNs)}`)
      return `Critical path${part.title === '' ? '' : ` of ${part.title}`}, ${formatDuration(lengthNs)}: ${shares.join(', ')}.`
    })
    .join(' ')

export interface PathWordsProps {
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
        <li key={part.title}>
          <span>
            {part.title !== '' && <strong>{part.title} </strong>}
            {formatDuration(part.endNs - part.startNs)}
          </span>
          <span className="tl-path-shares">
            {sharesOf(part).map(({ who, ns }) => (
              <span key={who} title={WHO[who].what}>
                {WHO[who].name} <b>{formatShare(ns / (part.endNs - part.startNs))}</b>
              </span>
            ))}
          </span>
          <button
            type="button"
            className="tl-button"
            aria-label={`Zoom to the path${part.title === '' ? '' : ` of ${part.title}`}`}
            onClick={() => timeline?.zoomTo({ startNs: part.startNs, endNs: part.endNs, lanes: [] })}
          >
            Zoom to it
          </button>
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
