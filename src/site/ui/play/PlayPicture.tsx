/**
 * Draws the model's result, a lane for each place or rank: one hue and one texture for all, which
 * nothing measured has.
 */
import type { Seen } from '../../../model/play/play'
import { gutterOf } from '../../../strips/scene'
import { useWidth } from '../figure/use-width'
import { StripPicture, TimeAxis } from '../strips/StripPicture'
import { excerptOfPlay } from './play-excerpt'

const HEIGHTS = { host: 34, queue: 34, staging: 34, device: 34, gap: 8 } as const

export const PlayPicture = ({ seen }: { readonly seen: Seen | null }) => {
  const { ref, width } = useWidth()
  const excerpt = excerptOfPlay(seen)
  const [strip] = excerpt.strips
  const gutter = gutterOf(excerpt, width)
  return (
    <div ref={ref} className="shrinks forced-keep" data-testid="play-picture">
      {strip && width > gutter && (
        <StripPicture
          {...{ strip, excerpt, gutter }}
          cut={{ width: width - gutter, lanes: 'all', heights: HEIGHTS, labels: [] }}
          atNs={null}
          onPick={() => undefined}
        />
      )}
      {seen && <TimeAxis lengthNs={seen.windowNs} {...{ gutter, width }} />}
    </div>
  )
}
