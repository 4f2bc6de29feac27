/** The critical path: whose time it was, and the longest pieces of each, which select their spans in the timeline. */
import type { PathDigest, PathShare } from '../../import-worker/digest'
import type { Trace } from '../../../trace/schema'
import { formatCount, formatNumber, formatQuantity } from '../format'
import { OWNER_WORDS } from './words'
import { ScrollTable } from '../ScrollTable'

const time = (ns: number): string => formatQuantity(ns / 1e3, 'us')

const Segments = ({
  owner,
  segments,
  trace: { spans, strings },
  onSpan,
}: Pick<PathShare, 'owner' | 'segments'> & Pick<PathSectionProps, 'trace' | 'onSpan'>) => (
  <details>
    <summary>
      {segments.count > segments.shown.length
        ? `${formatNumber(segments.shown.length)} of ${formatNumber(segments.count)}`
        : formatNumber(segments.count)}{' '}
      {segments.count === 1 ? 'piece' : 'pieces'}
      <span className="visually-hidden"> of {OWNER_WORDS[owner].name}</span>
    </summary>
    <ol className="trace-pieces stack-4">
      {segments.shown.map(({ startNs, endNs, span }) => (
        <li key={startNs}>
          <button
            type="button"
            className="link-button"
            onClick={() => {
              onSpan(span)
            }}
          >
            {time(endNs - startNs)}, {strings[spans.name[span] ?? -1] ?? 'span'}
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

export const PathSection = ({ path, trace, onSpan }: PathSectionProps) => (
  <section className="trace-path stack-16" aria-labelledby="path-title">
    <h2 id="path-title">What the time went to</h2>
    <p className="small quiet">
      The critical path of {time(path.ns)} in {formatCount(path.segments, 'piece')}: walked back from the last
      work to end, each moment belongs to what the next had to wait for. What is not on it did not hold up the
      end, as far as the file’s arrows tell.
    </p>
    <ScrollTable
      label="The critical path"
      className="trace-table"
      data-testid="critical-path"
      columns={['Whose', 'Total', 'Share of path', 'Longest pieces, in the timeline']}
      classAt={{ 3: 'trace-words' }}
    >
      <tbody>
        {path.shares.map(({ owner, ns, segments }) => (
          <tr key={owner}>
            <th scope="row">
              <span className={`term ${OWNER_WORDS[owner].term}`}>{OWNER_WORDS[owner].name}</span>
              <span className="block small quiet">{OWNER_WORDS[owner].what}</span>
            </th>
            <td>{time(ns)}</td>
            <td>{path.ns > 0 ? formatQuantity(ns / path.ns, 'ratio') : ''}</td>
            <td className="trace-words">
              <Segments owner={owner} segments={segments} trace={trace} onSpan={onSpan} />
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </section>
)
