/** While a file is read: when each of its threads was busy, over what has been read of it so far. */
import { memo } from 'react'
import type { Sketch } from '../../../trace/formats/import/sketch'
import './import.css'

/** Areas of time over the time that has been read, in px of the picture's own. */
const ROW = 20
const pathOf = (busy: Float32Array): string =>
  busy.reduce((path, share, at) => {
    const height = (share * (ROW - 2)).toFixed(1)
    return share > 0 ? `${path}M${String(at)} ${String(ROW)}v-${height}h1v${height}z` : path
  }, '')

/** Made anew with the sketch only: progress is said far more often. */
export const ReadSoFar = memo(({ sketch: { rows } }: { readonly sketch: Sketch }) => (
  <figure className="import-sketch stack-4">
    <svg
      viewBox={`0 0 ${String(rows[0]?.busy.length ?? 1)} ${String(ROW * rows.length)}`}
      preserveAspectRatio="none"
      height={ROW * rows.length}
      aria-hidden
    >
      {rows.map(({ isDevice, busy }, row) => (
        <path
          key={row}
          className={isDevice ? 'import-sketch-device' : undefined}
          transform={`translate(0 ${String(ROW * row)})`}
          d={pathOf(busy)}
        />
      ))}
    </svg>
    <figcaption className="small quiet">
      What has been read so far: when each thread was busy, streams of a device below.
    </figcaption>
  </figure>
))
