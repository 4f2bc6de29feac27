/** What the selected stretch of time was spent on: per lane and kind the union of its spans, so that overlaps count once. */
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  MARKS,
  type AreaSelection,
} from '../../../timeline'
import { sumArea } from '../../../analysis/area'
import type { PlacedTrace } from '../../../trace/place'
import { Swatch } from './Swatch'
import { Button } from '../Button'
import { HeadRow } from '../ScrollTable'

interface AreaSumsProps {
  readonly area: AreaSelection
  readonly placed: PlacedTrace
  readonly onZoom: () => void
  readonly onClear: () => void
}

export const AreaSums = ({ area, placed, onZoom, onClear }: AreaSumsProps) => {
  const lengthNs = area.endNs - area.startNs
  const rows = sumArea(placed, area).filter(({ kind }) => kind !== 'window')
  return (
    <section className="tl-details stack panel" aria-label="Selected area">
      <div>
        <header className="cluster split">
          <h3>
            {formatDuration(lengthNs)} selected
            <span className="tl-note">
              {area.lanes.length === 1 ? '1 lane' : `${area.lanes.length} lanes`}
            </span>
          </h3>
          <div className="tl-details-actions">
            <Button look="timeline" label="Zoom to it" onClick={onZoom} />
            <Button look="timeline" label="Clear" onClick={onClear} />
          </div>
        </header>
        {rows.length === 0 ? (
          <p className="tl-details-empty quiet">Nothing was recorded in this stretch on these lanes.</p>
        ) : (
          // Scrolls sideways on a phone, so it must take focus for the arrow keys.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <div className="tl-scroll" role="region" aria-label="Sums of the selected area" tabIndex={0}>
            <table className="tl-table wide">
              <HeadRow
                columns={['lane', 'what', 'time', 'share', 'count', 'bytes']}
                classAt={{ 2: 'tl-number', 3: 'tl-number', 4: 'tl-number', 5: 'tl-number' }}
              />
              <tbody>
                {rows.map(({ lane, kind, unionNs, share, count, bytes }) => (
                  <tr key={`${lane} ${kind}`}>
                    <td>{placed.trace.lanes[lane]?.name}</td>
                    <td>
                      <Swatch hue={MARKS[kind].hue} mark={MARKS[kind].mark} /> {MARKS[kind].label}
                    </td>
                    <td className="tl-number">{formatDuration(unionNs)}</td>
                    <td className="tl-number">{lengthNs > 0 ? formatShare(share) : ''}</td>
                    <td className="tl-number">{formatCount(count)}</td>
                    <td className="tl-number">{bytes === null ? '' : formatBytes(bytes)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </section>
  )
}
