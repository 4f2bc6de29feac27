/** What was measured, what was predicted and what a recorded twin did, on one axis, to scale; and the figure above it, short. */
import type { Question, SliderOf } from '../../../lessons/lesson'
import { formatNumber, withUnit } from '../format'
import { axisOf, type Measured } from './compare-prediction'

/** A share is read at a glance in whole per cent, below 10 % in two figures: 1.2 % is not 1 %. Its bound and its digits stand beside it. */
export const shortFigure = (figure: string, { unit }: Pick<Question, 'unit'>): string => {
  const value = Number(figure.replaceAll(',', ''))
  if (unit !== '%' || !(value >= 1)) return figure
  return value < 10 ? value.toPrecision(2) : formatNumber(Math.round(value))
}

/** Half of a label, as a share of the axis of a phone: 358 px, 7 px a letter. */
const halfOf = (label: string): number => 0.01 * label.length

interface MarkerProps {
  readonly at: string
  readonly share: number
  readonly label: string
  readonly className?: string
  readonly side?: 'before' | 'after' | 'above' | 'under' | undefined
}

/** Its label stays within the scale. */
const Marker = ({ at, share, label, className = '', side }: MarkerProps) => (
  <div
    className={`scale-mark ${className}`}
    data-side={side}
    data-end={share < halfOf(label) ? 'start' : share > 1 - halfOf(label) ? 'end' : undefined}
    style={{ insetInlineStart: at }}
  >
    <span>{label}</span>
  </div>
)

interface ScaleProps {
  readonly asked: SliderOf
  readonly measured: Measured
  readonly said: number | null
  readonly twin: number | null
}

export const Scale = ({ asked, measured, said, twin }: ScaleProps) => {
  const [from, to] = axisOf(
    asked,
    twin === null ? measured : { ...measured, high: Math.max(measured.high, twin) },
  )
  const share = (value: number) =>
    asked.doublings
      ? Math.log2(Math.max(from, value) / from) / Math.log2(to / from)
      : (value - from) / (to - from)
  const at = (value: number) => `${String(100 * share(value))}%`
  /** The large figure is PyTorch's where there is one; the bar is as long as that figure. */
  const own = twin === null ? 'measured' : 'browser'
  const marks = [
    { value: measured.value, label: own },
    { value: said, label: 'you' },
    { value: twin, label: 'PyTorch' },
  ]
  // Two labels, each whole on one side of its mark: whatever is further apart has room beside each other.
  const isNear = (one: number, other: number) =>
    Math.abs(share(one) - share(other)) < 2 * (halfOf('measured') + halfOf('PyTorch'))
  const besideSaid = said !== null && isNear(said, measured.value)
  const twinIsNear =
    twin !== null && [measured.value, ...(said === null ? [] : [said])].some((each) => isNear(twin, each))
  // Two labels beside each other have no room before an end of the axis.
  const isCrowded =
    besideSaid &&
    [measured.value, said].some((each) => Math.abs(share(each) - 0.5) > 0.5 - 2 * halfOf('measured'))
  const measuredSide = twinIsNear ? 'under' : 'above'
  const sideOf = (isBefore: boolean) => (!besideSaid || isCrowded ? undefined : isBefore ? 'before' : 'after')
  const ends = [from, to].map((end) =>
    withUnit(Number.isInteger(end) ? formatNumber(end) : String(end), asked.unit),
  )
  // A mark's label would lie on it, of which half is on this side, or all where it is beside its mark.
  const reachOf = (label: string) => (besideSaid && !isCrowded ? 2 : 1) * halfOf(label)
  const endClass = (end: 0 | 1) =>
    marks.some(
      ({ value, label }) =>
        value !== null && Math.abs(share(value) - end) < 2 * halfOf(ends[end] ?? '') + reachOf(label),
    )
      ? 'scale-end-hidden'
      : undefined
  return (
    <div className={`scale forced-keep ${asked.doublings ? 'scale-log' : ''}`} aria-hidden="true">
      <div className="scale-track" />
      <div className="scale-measured" style={{ inlineSize: at(twin ?? measured.value) }} />
      <div
        className="scale-interval"
        style={{
          insetInlineStart: at(measured.low),
          inlineSize: `calc(${at(measured.high)} - ${at(measured.low)})`,
        }}
      />
      <Marker
        at={at(measured.value)}
        share={share(measured.value)}
        label={own}
        className={twin === null ? '' : 'scale-mark-beside'}
        side={isCrowded ? measuredSide : sideOf(measured.value <= (said ?? 0))}
      />
      {said !== null && (
        <Marker at={at(said)} share={share(said)} label="you" side={sideOf(measured.value > said)} />
      )}
      {twin !== null && (
        <Marker at={at(twin)} share={share(twin)} label="PyTorch" side={twinIsNear ? 'above' : undefined} />
      )}
      {asked.doublings ? (
        <div className="scale-ends scale-ends-below small quiet">
          <span>{ends[0]}, on a logarithmic axis</span>
          <span>{ends[1]}</span>
        </div>
      ) : (
        <div className="scale-ends small quiet">
          <span className={endClass(0)}>{ends[0]}</span>
          <span className={endClass(1)}>{ends[1]}</span>
        </div>
      )}
    </div>
  )
}
