/**
 * A mark as the canvas draws it, small enough for a line of text. Colours come from the page's
 * custom properties.
 */
import { useId, type ReactNode, type SVGProps } from 'react'
import type { Mark } from '../../../timeline'

const WIDTH = 20
const HEIGHT = 12

/** Ink of text keeps its colour whatever the origin of a run. */
const isInk = (hue: string): boolean => hue.startsWith('text')

export type SwatchName = Mark['mark'] | 'step' | 'bracket' | 'hatch' | 'whisker' | 'path' | 'moment'

const BOX = { width: WIDTH, height: HEIGHT }

const Outline = (stroke: SVGProps<SVGRectElement>) => (
  <rect x="0.75" y="0.75" width={WIDTH - 1.5} height={HEIGHT - 1.5} rx="1.5" fill="none" {...stroke} />
)

const SHAPES: Readonly<Record<SwatchName, (colour: string, id: string) => ReactNode>> = {
  solid: (fill) => <rect {...BOX} rx="2" fill={fill} />,
  dots: (fill, id) => (
    <>
      <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse">
        <circle cx="2" cy="2" r="0.9" fill={fill} />
      </pattern>
      <rect {...BOX} fill={`url(#${id})`} />
      <Outline stroke={fill} strokeWidth="1.25" />
    </>
  ),
  half: (fill) => (
    <>
      <rect y={HEIGHT * 0.6} width={WIDTH} height={HEIGHT * 0.4} fill={fill} />
      <Outline stroke={fill} />
    </>
  ),
  tint: (fill) => (
    <>
      <rect {...BOX} rx="2" fill={fill} fillOpacity="0.3" />
      <Outline stroke={fill} />
    </>
  ),
  outline: (stroke) => <Outline stroke={stroke} />,
  dashed: (stroke) => <Outline stroke={stroke} strokeDasharray="3 2" />,
  lines: (fill) => (
    <>
      <rect {...BOX} fill={fill} fillOpacity="0.3" />
      <path d="M1.5 0v12M4.5 0v12M7.5 0v12M10.5 0v12M13.5 0v12M16.5 0v12" stroke={fill} />
    </>
  ),
  hatch: (stroke) => (
    <>
      <path d="M0 6 6 0M0 12 12 0M6 12 18 0M12 12 20 4M18 12 20 10" stroke={stroke} strokeWidth="1.25" />
      <Outline stroke={stroke} strokeDasharray="3 2" />
    </>
  ),
  step: (fill) => (
    <>
      <path d="M0 12V8h5V4h5V1h4v7h6v4z" fill={fill} fillOpacity="0.28" />
      <path d="M0 8h5V4h5V1h4v7h6" fill="none" stroke={fill} strokeWidth="1.25" />
    </>
  ),
  bracket: (stroke) => <path d="M1 3v5h18V3" fill="none" stroke={stroke} strokeWidth="1.5" />,
  whisker: (stroke) => (
    <path d="M2 6h16M2 3v6M18 3v6" fill="none" stroke={stroke} strokeOpacity="0.5" strokeWidth="1.5" />
  ),
  moment: (fill) => <path d="M6.5 3h7L10 8z" fill={fill} />,
  path: (stroke) => (
    <>
      <path d="M0 3h9" fill="none" stroke={stroke} strokeWidth="2.5" />
      <path d="m9 3 6 6h5" fill="none" stroke={stroke} strokeWidth="1.75" strokeDasharray="3 2" />
    </>
  ),
  band: () => <rect {...BOX} rx="3" fill="var(--surface-3)" />,
}

export const Swatch = ({ hue, mark }: { readonly hue: string; readonly mark: SwatchName }) => (
  <svg
    className="tl-swatch"
    data-hued={isInk(hue) ? undefined : true}
    {...BOX}
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    aria-hidden="true"
  >
    {SHAPES[mark](`var(--${hue})`, useId())}
  </svg>
)
