/** What the visitor measured in a lesson, small: a row for each device of a variant, green where it computed. */
import type { SavedThumbnail } from '../../../strips/saved-thumbnail'

/** px; that of the first three rows. */
const SIZE = { width: 120, height: 42 } as const

export const Thumbnail = ({ thumbnail }: { readonly thumbnail: SavedThumbnail }) => {
  const row = SIZE.height / Math.max(3, thumbnail.length)
  const bar = row * 0.7
  const height = row * thumbnail.length
  return (
    <svg
      className="path-thumbnail forced-keep"
      viewBox={`0 0 ${String(SIZE.width)} ${String(height)}`}
      width={SIZE.width}
      height={height}
      aria-hidden="true"
    >
      {thumbnail.map((segments, index) => (
        <g key={index} transform={`translate(0 ${String(index * row + (row - bar) / 2)})`}>
          <rect className="thumb-ground" width={SIZE.width} height={bar} />
          {segments.map(([start, length]) => (
            <rect
              key={start}
              className="thumb-compute"
              x={(start / 1000) * SIZE.width}
              width={Math.max(1, (length / 1000) * SIZE.width)}
              height={bar}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}
