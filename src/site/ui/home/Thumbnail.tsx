/** What the visitor measured in a lesson, small: a row a variant, green where the device computed. */
import type { Thumbnail as Rows } from '../../state/thumbnail'

const ROW = 14
const WIDTH = 120

export const Thumbnail = ({ thumbnail }: { readonly thumbnail: Rows }) => {
  const height = thumbnail.length * ROW
  return (
    <svg
      className="path-thumbnail forced-keep"
      viewBox={`0 0 ${String(WIDTH)} ${String(height)}`}
      width={WIDTH}
      height={height}
      aria-hidden="true"
    >
      {thumbnail.map((row, index) => (
        <g key={index} transform={`translate(0 ${String(index * ROW + 2)})`}>
          <rect className="thumb-ground" width={WIDTH} height={ROW - 4} />
          {row.map(([start, length]) => (
            <rect
              key={start}
              className="thumb-compute"
              x={(start / 1000) * WIDTH}
              width={Math.max(1, (length / 1000) * WIDTH)}
              height={ROW - 4}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}
