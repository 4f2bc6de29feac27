/**
 * Where each variant's time went between its first work on the device and its last: a bar, and a
 * row for each cause of idle time.
 */
import { CAUSES, type Gap } from '../../../timeline'
import type { IdleCause, IdleVariant } from '../../../analysis/idle-totals'
import type { Question } from '../../state/idle-time'
import { formatAs, formatCount, formatNumber, formatQuantity, formatShare } from '../format'
import { Quantities } from '../prose/Inline'
import { Swatch } from '../timeline/Swatch'
import { Button } from '../Button'
import { ScrollTable } from '../ScrollTable'

/** As the timeline brackets them, vermilion where the host caused the gap. */
const hueOf = (cause: Gap['cause']): string => (CAUSES[cause].isHosts ? 'wait' : 'text-2')

/** Work and causes as parts of the whole; narrow parts stay visible. */
const SplitBar = ({ total }: { readonly total: IdleVariant }) => {
  const { extentNs, idleNs, causes } = total
  const part = (timeNs: number) => ({ flexGrow: extentNs > 0 ? timeNs / extentNs : 0 })
  return (
    <div className="idle-bar forced-keep" aria-hidden="true" data-testid="idle-bar">
      <span className="idle-part idle-part-device" style={part(Math.max(0, extentNs - idleNs))} />
      {causes.map(({ cause, totalNs }) => (
        <span
          key={cause}
          className={`idle-part idle-part-${CAUSES[cause].mark}`}
          data-hue={hueOf(cause)}
          style={part(totalNs)}
        />
      ))}
    </div>
  )
}

const Row = ({
  total,
  row,
  onShow,
}: {
  readonly total: IdleVariant
  readonly row: IdleCause
  readonly onShow: (question: Question) => void
}) => {
  const { cause, count, totalNs, share, longestNs, perRepeat } = row
  const { label, means } = CAUSES[cause]
  return (
    <tr data-testid="idle-cause" data-cause={cause} data-variant={total.variant}>
      <th scope="row" className="idle-cause nowrap" title={means}>
        <Swatch hue={hueOf(cause)} mark={CAUSES[cause].mark} /> {label}
      </th>
      <td className="idle-figure">
        <Button
          look="small-plain"
          className="idle-step tabular"
          aria-label={`Show the longest of ${formatCount(count, 'gap')} in ${total.variant}: ${label}`}
          onClick={() => onShow({ variant: total.variant, cause })}
        >
          {formatNumber(count)} <span aria-hidden="true">›</span>
        </Button>
      </td>
      {[
        formatQuantity(totalNs, 'ns'),
        Number.isFinite(share) ? formatShare(share) : '',
        formatQuantity(longestNs, 'ns'),
      ].map((text, at) => (
        <td key={at} className="idle-figure">
          <span className="number">{text}</span>
        </td>
      ))}
      <td className="idle-figure">
        {perRepeat.value !== null && <Quantities text={formatAs(perRepeat, undefined, true)} />}
      </td>
    </tr>
  )
}

export interface IdleTableProps {
  readonly totals: readonly IdleVariant[]
  /** Shows the longest gap of this cause in the timeline. */
  readonly onShow: (question: Question) => void
}

export const IdleTable = ({ totals, onShow }: IdleTableProps) => (
  <ScrollTable
    label="Idle time by cause"
    className="idle-table wide"
    data-testid="idle-table"
    columns={['Cause', 'Gaps', 'Total', 'Share', 'Longest', 'In a repeat']}
    boxClass="idle-scroll"
  >
    {totals.map((total) => (
      <tbody key={total.variant}>
        <tr>
          <th scope="rowgroup" colSpan={6} className="idle-variant">
            <span className="idle-variant-line baseline cluster split">
              <span className="idle-variant-name bold">{total.variant}</span>
              <span className="small quiet">
                <Quantities
                  text={
                    total.extentNs > 0
                      ? `idle ${formatShare(total.idleNs / total.extentNs)} of ${formatQuantity(total.extentNs, 'ns')} in ${formatCount(total.repeats, 'repeat')}`
                      : 'all stamps within one step of the device’s clock'
                  }
                />
              </span>
            </span>
            <SplitBar total={total} />
          </th>
        </tr>
        {total.causes.length === 0 && (
          <tr>
            <td colSpan={6} className="quiet">
              Never idle between its first work and its last.
            </td>
          </tr>
        )}
        {total.causes.map((row) => (
          <Row key={row.cause} total={total} row={row} onShow={onShow} />
        ))}
      </tbody>
    ))}
  </ScrollTable>
)
