/** A mark as the canvas draws it, small enough for a line of text. Colours come from the page's custom properties. */
import { useId } from 'react'
import type { Mark } from '../../../timeline'

const WIDTH = 20
const HEIGHT = 12

/** Ink of text keeps its colour whatever the origin of a run. */
const isInk = (hue: string): boolean => hue.startsWith('text')

export type SwatchName = Mark['mark'] | 'step' | 'bracket' | 'hatch' | 'whisker' | 'path' | 'moment'

export const Swatch = ({ hue, mark }: { readonly hue: string; readonly mark: SwatchName }) => {
  const id = useId()
  const colour = `var(--${hue})`
  const outline = {
    x: 0.75,
    y: 0.75,
    width: WIDTH - 1.5,
    height: HEIGHT - 1.5,
    rx: 1.5,
    fill: 'none',
    stroke: colour,
  }
  return (
    <svg
      className="tl-swatch"
      data-hued={isInk(hue) ? undefined : true}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      {mark === 'solid' && <rect width={WIDTH} height={HEIGHT} rx="2" fill={colour} />}
      {mark === 'dots' && (
        <>
          <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse">
            <circle cx="2" cy="2" r="0.9" fill={colour} />
          </pattern>
          <rect width={WIDTH} height={HEIGHT} fill={`url(#${id})`} />
          <rect {...outline} strokeWidth="1.25" />
        </>
      )}
      {mark === 'half' && (
        <>
          <rect y={HEIGHT * 0.6} width={WIDTH} height={HEIGHT * 0.4} fill={colour} />
          <rect {...outline} />
        </>
      )}
      {mark === 'tint' && (
        <>
          <rect width={WIDTH} height={HEIGHT} rx="2" fill={colour} fillOpacity="0.3" />
          <rect {...outline} />
        </>
      )}
      {mark === 'outline' && <rect {...outline} />}
      {mark === 'dashed' && <rect {...outline} strokeDasharray="3 2" />}
      {mark === 'lines' && (
        <>
          <rect width={WIDTH} height={HEIGHT} fill={colour} fillOpacity="0.3" />
          <path d="M1.5 0v12M4.5 0v12M7.5 0v12M10.5 0v12M13.5 0v12M16.5 0v12" stroke={colour} />
        </>
      )}
      {mark === 'hatch' && (
        <>
          <path d="M0 6 6 0M0 12 12 0M6 12 18 0M12 12 20 4M18 12 20 10" stroke={colour} strokeWidth="1.25" />
          <rect {...outline} strokeDasharray="3 2" />
        </>
      )}
      {mark === 'step' && (
        <>
          <path d="M0 12V8h5V4h5V1h4v7h6v4z" fill={colour} fillOpacity="0.28" />
          <path d="M0 8h5V4h5V1h4v7h6" fill="none" stroke={colour} strokeWidth="1.25" />
        </>
      )}
      {mark === 'bracket' && <path d="M1 3v5h18V3" fill="none" stroke={colour} strokeWidth="1.5" />}
      {mark === 'whisker' && (
        <path d="M2 6h16M2 3v6M18 3v6" fill="none" stroke={colour} strokeOpacity="0.5" strokeWidth="1.5" />
      )}
      {mark === 'moment' && <path d="M6.5 3h7L10 8z" fill={colour} />}
      {mark === 'path' && (
        <>
          <path d="M0 3h9" fill="none" stroke={colour} strokeWidth="2.5" />
          <path d="m9 3 6 6h5" fill="none" stroke={colour} strokeWidth="1.75" strokeDasharray="3 2" />
        </>
      )}
      {mark === 'band' && <rect width={WIDTH} height={HEIGHT} rx="3" fill="var(--surface-3)" />}
    </svg>
  )
}
