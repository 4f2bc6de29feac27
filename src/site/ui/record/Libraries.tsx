/** What the command recorded of programs that nobody here wrote: a paragraph each, of the recording itself. */
import { libraries, pair } from 'virtual:library-recordings'
import { addressOf } from '../../state/url'
import { formatDate } from '../format'
import { Quantities } from '../prose/Inline'
import { ScrollTable } from '../ScrollTable'

const Pair = () => (
  <figure className="stack-8">
    <figcaption className="small quiet">
      The same boxes in two engines: medians over the frames of each recording.
    </figcaption>
    <ScrollTable
      label="Two engines, of each frame"
      className="teachers-table"
      columns={['of a frame', ...pair.engines]}
      data-testid="library-pair"
    >
      <tbody>
        {pair.rows.map(({ label, values }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {values.map((value, at) => (
              <td key={pair.engines[at]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </figure>
)

export const Libraries = () =>
  libraries.length === 0 ? null : (
    <section aria-labelledby="record-libraries" className="stack-16" data-testid="record-libraries">
      <h2 id="record-libraries">What it found in other libraries</h2>
      <div className="record-parts stack">
        {libraries.map(({ id, title, licence, adapter, day, does, paragraph, lines }) => (
          <article key={id} aria-labelledby={id} className="stack-8">
            <h3 id={id}>{title}</h3>
            <p className="small quiet">
              {licence} licence. {does} Recorded on {adapter}, {formatDate(day)}.
            </p>
            <p>
              <Quantities text={paragraph} />
            </p>
            {lines.map((line) => (
              <p key={line} className="small record-printed breaks">
                <code>{line}</code>
              </p>
            ))}
            <p>
              <a href={addressOf({ page: 'trace', query: { recording: id } })}>
                Open the recording of {title}
              </a>
            </p>
          </article>
        ))}
      </div>
      {pair.rows.length > 0 && <Pair />}
    </section>
  )
