/**
 * Chooses the lit call of a strip's program: that of the playback's moment, else of the bar under
 * the pointer.
 */
import { momentOf, type ExcerptBar, type ExcerptStrip } from '../../../strips/excerpt'

/**
 * `picked` counts where it is one of this strip's own: a line of another variant's program is not a
 * line of this one.
 */
export function lineAt(
  strip: ExcerptStrip,
  atNs: number | null,
  picked: ExcerptBar | null,
): ExcerptBar | null {
  if (atNs !== null) return momentOf(strip, atNs).host
  return picked && strip.rows.some(({ bars }) => bars.includes(picked)) ? picked : null
}
