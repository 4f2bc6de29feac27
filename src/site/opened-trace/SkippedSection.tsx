/** What the file held and is not shown, by reason, and what it lets on of its own quality. Nothing is left out unsaid. */
import type { OpenedFacts } from '../import-worker/protocol'
import { formatNumber } from '../ui/format'
import { ScrollTable } from '../ui/ScrollTable'

export const SkippedSection = ({ skipped, notes }: Pick<OpenedFacts, 'skipped' | 'notes'>) => (
  <section className="trace-skipped stack-16" aria-labelledby="skipped-title">
    <h2 id="skipped-title" tabIndex={-1}>
      What is not shown
    </h2>
    {skipped.count === 0 ? (
      <p className="small" data-testid="skipped">
        Nothing was skipped: every event of the file was taken in.
      </p>
    ) : (
      <ScrollTable
        label="Events that were skipped"
        className="trace-table"
        data-testid="skipped"
        columns={['Why it was skipped', 'Events', 'The first of them']}
        classAt={{ 2: 'trace-words' }}
        below={
          skipped.count > skipped.shown.length && (
            <p className="small quiet">
              The first {formatNumber(skipped.shown.length)} of {formatNumber(skipped.count)} reasons.
            </p>
          )
        }
      >
        <tbody>
          {skipped.shown.map(({ reason, count, firstEvent, firstByte }) => (
            <tr key={reason}>
              <th scope="row">{reason}</th>
              <td>{count === null ? 'not countable' : formatNumber(count)}</td>
              <td className="trace-words">
                event {formatNumber(firstEvent)}, byte {formatNumber(firstByte)}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    )}
    {notes.shown.length > 0 && (
      <ul className="stack-4 small">
        {notes.shown.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {notes.count > notes.shown.length && (
          <li>and {formatNumber(notes.count - notes.shown.length)} remarks more.</li>
        )}
      </ul>
    )}
  </section>
)
