/**
 * Painter of marks inside an SVG of the page: colours are the theme's variables, and marks answer
 * the pointer.
 */
import type { Ink, Mark, MarkOf, KeyEntry } from './marks'

/** A colour of CSS. */
const colourOf = ({ hue, share }: Ink): string =>
  share === 1 ? `var(--${hue})` : `color-mix(in srgb, var(--${hue}) ${String(100 * share)}%, var(--surface))`

interface MarksProps {
  readonly marks: readonly Mark[]
  /** For a tooltip; null for none. */
  readonly titleOf?: (of: MarkOf) => string
  /** The mark under the pointer; null when the pointer has left it. */
  readonly onPoint?: (of: MarkOf | null) => void
}

export const Marks = ({ marks, titleOf, onPoint }: MarksProps) =>
  marks.map((mark, at) => <MarkShape key={at} {...{ mark, titleOf, onPoint }} />)

const MarkShape = ({
  mark,
  titleOf,
  onPoint,
}: { readonly mark: Mark } & { readonly [Key in 'titleOf' | 'onPoint']: MarksProps[Key] | undefined }) => {
  const { part, fill, edge, opacity, term, of } = mark
  const look = {
    className: `strips-${part}`,
    fill: fill ? colourOf(fill) : 'none',
    'data-hue': (fill ?? edge)?.hue,
    'data-term': term,
    ...(of && 'message' in of ? { 'data-from': of.message.from, 'data-to': of.message.to } : {}),
    ...(opacity === undefined ? {} : { opacity }),
    ...(edge
      ? {
          stroke: `var(--${edge.hue})`,
          strokeWidth: edge.width,
          ...(edge.dash.length > 0 ? { strokeDasharray: edge.dash.join(' ') } : {}),
        }
      : {}),
    ...(of && onPoint && part === 'bar'
      ? {
          onPointerEnter: () => onPoint(of),
          onPointerLeave: () => onPoint(null),
        }
      : {}),
  }
  const title = of && titleOf && <title>{titleOf(of)}</title>
  switch (mark.shape) {
    case 'box': {
      const { x, y, width, height } = mark
      return (
        <rect {...look} {...{ x, y, width, height }}>
          {title}
        </rect>
      )
    }
    case 'path':
      return (
        <path {...look} d={mark.d} transform={`translate(${String(mark.x)} ${String(mark.y)})`}>
          {title}
        </path>
      )
    case 'text': {
      const { x, y, face, anchor, text } = mark
      return (
        <text
          {...look}
          {...{ x, y }}
          fontSize={face.size}
          fontWeight={face.isBold ? 600 : undefined}
          textAnchor={anchor}
          paintOrder={edge ? 'stroke' : undefined}
        >
          {text}
        </text>
      )
    }
  }
}

/** Draws the look that a word of the key stands for. */
export const KeySwatch = (look: KeyEntry) => (
  <svg className="key-swatch" viewBox="0 0 10 10" aria-hidden="true">
    <Marks marks={[{ ...look, shape: 'box', part: 'bar', x: 0.5, y: 0.5, width: 9, height: 9 }]} />
  </svg>
)
