/** The critical path: whose time it was, and the longest pieces of each, which select their spans in the timeline. */
import type { PathDigest, PathShare } from '../../reading/digest'
import type { Trace } from '../../trace/schema'
import { formatCount, formatNumber, formatQuantity } from '../format'
import { OWNER_WORDS } from './words'

const us = (value: number): string => formatQuantity(value, 'us')

const Pieces = ({
  owner,
  pieces,
  trace: { spans, strings },
  onSpan,
}: Pick<PathShare, 'owner' | 'pieces'> & Pick<PathSectionProps, 'trace' | 'onSpan'>) => (
  <details>
    <summary>
      {pieces.count > pieces.shown.length
        ? `${formatNumber(pieces.shown.length)} of ${formatNumber(pieces.count)}`
        : formatNumber(pieces.count)}{' '}
      {pieces.count === 1 ? 'piece' : 'pieces'}
      <span className="visually-hidden"> of {OWNER_WORDS[owner].name}</span>
    </summary>
    <ol className="trace-pieces">
      {pieces.shown.map(({ beginUs, endUs, span }) => (
        <li key={beginUs}>
          <button
            type="button"
            className="link-button"
            onClick={() => {
              onSpan(span)
            }}
          >
            {us(endUs - beginUs)}, {strings[spans.name[span] ?? -1] ?? 'span'}
          </button>
        </li>
      ))}
    </ol>
  </details>
)

export interface PathSectionProps {
  readonly path: PathDigest
  readonly trace: Trace
  readonly onSpan: (span: number) => void
}

export const PathSection = ({ path, trace, onSpan }: PathSectionProps) => {
  const lengthUs = path.endUs - path.beginUs
  return (
    <section className="trace-path" aria-labelledby="path-title">
      <h2 id="path-title">What the time went to</h2>
      <p className="small quiet">
        The critical path of {us(lengthUs)} in {formatCount(path.pieces, 'piece')}: walked back from the last
        work to end, each moment belongs to what the next had to wait for. Shortening anything else shortens
        nothing.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="The critical path">
        <table className="trace-table" data-testid="critical-path">
          <thead>
            <tr>
              <th scope="col">Whose</th>
              <th scope="col">Total</th>
              <th scope="col">Share of path</th>
              <th scope="col" className="trace-words">
                Longest pieces, in the timeline
              </th>
            </tr>
          </thead>
          <tbody>
            {path.shares.map(({ owner, us: totalUs, pieces }) => (
              <tr key={owner}>
                <th scope="row">
                  <span className={`term ${OWNER_WORDS[owner].term}`}>{OWNER_WORDS[owner].name}</span>
                  <span className="trace-what">{OWNER_WORDS[owner].what}</span>
                </th>
                <td>{us(totalUs)}</td>
                <td>{lengthUs > 0 ? formatQuantity(totalUs / lengthUs, 'ratio') : ''}</td>
                <td className="trace-words">
                  <Pieces owner={owner} pieces={pieces} trace={trace} onSpan={onSpan} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
