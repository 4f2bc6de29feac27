/** The critical path in words: of each chain, how much of its time was whose. */
import {
  type DrawnPart,
  type DrawnPath,
  formatDuration,
  formatShare,
  type PathOwner,
  type Timeline,
} from '../../../timeline'
import { Button } from '../Button'

const OWNERS: Readonly<Record<PathOwner, string>> = {
  host: 'the thread’s time until it made the call',
  launch: 'from the call to the start of its work',
  device: 'work that everything after it waited for',
  stream: 'from the end of the work before it on its stream',
  notice: 'from the end of the work until the host knew',
  message: 'between two ranks, from the later call until the earlier returned',
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
      const shares = sharesOf(part).map(({ who, ns }) => `${who} ${formatShare(ns / lengthNs)}`)
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
              <span key={who} title={OWNERS[who]}>
                {who} <b>{formatShare(ns / (part.endNs - part.startNs))}</b>
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
