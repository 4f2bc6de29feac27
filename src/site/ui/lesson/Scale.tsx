/**
 * What was measured, what was predicted and what a recorded twin did: bars below each other on one
 * axis, to scale; and the figure above them, short.
 */
import type { CSSProperties } from 'react'
import type { Question, SliderOf } from '../../../lessons/lesson'
import { formatNumber, withUnit } from '../format'
import { Bar } from '../Bar'
import { axisOf, type Measured } from './compare-prediction'

/**
 * A share is read at a glance in whole per cent, below 10 % in two figures: 1.2 % is not 1 %. Its
 * bound and its digits stand beside it.
 */
export const shortFigure = (figure: string, { unit }: Pick<Question, 'unit'>): string => {
  const value = Number(figure.replaceAll(',', ''))
  if (unit !== '%' || !(value >= 1)) return figure
  return value < 10 ? value.toPrecision(2) : formatNumber(Math.round(value))
}

interface ScaleProps {
  readonly asked: SliderOf
  readonly measured: Measured
  readonly said: number | null
  readonly twin: number | null
}

export const Scale = ({ asked, measured, said, twin }: ScaleProps) => {
  const share = axisOf(asked, { ...measured, high: Math.max(measured.high, twin ?? -Infinity) }).clamp(true)
  const { value, low, high } = measured
  const none = { low: null, high: null }
  const rows = [
    { label: 'PyTorch', value: twin, hue: 'device', ...none },
    { label: 'you', value: said, hue: 'text-2', ...none },
    // In print and in view the larger figure is PyTorch's, where there is one.
    {
      label: twin === null ? 'measured' : 'browser',
      value,
      hue: 'device',
      low: share(low),
      high: share(high),
    },
  ]
  const ends = share
    .domain()
    .map((end) => withUnit(Number.isInteger(end) ? formatNumber(end) : String(end), asked.unit))
  return (
    <div className="scale forced-keep small" aria-hidden="true">
      {rows.map(
        ({ label, hue, ...row }) =>
          row.value !== null && (
            <div key={label} className="scale-row">
              <span>{label}</span>
              <Bar
                {...row}
                value={share(row.value)}
                most={1}
                style={{ '--hue': `var(--${hue})` } as CSSProperties}
              />
            </div>
          ),
      )}
      <div className="scale-ends quiet">
        <span>
          {ends[0]}
          {asked.doublings && ', on a logarithmic axis'}
        </span>
        <span>{ends[1]}</span>
      </div>
    </div>
  )
}
