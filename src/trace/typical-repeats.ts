/**
 * The counted repeats of a variant by how typical they are, by the lengths of their windows on the
 * host's clock.
 */
import { spanKindIndex, type Trace } from './schema'

const WINDOW = spanKindIndex('window')

/**
 * The repeat with the median length first, then those that keep it the median of all that are
 * taken.
 */
export function typicalRepeats({ spans }: Trace, variantIndex: number): readonly number[] {
  const windows: { readonly repeat: number; readonly lengthNs: number }[] = []
  for (let span = 0; span < spans.length; span += 1) {
    const repeat = spans.repeat[span] ?? -1
    if (spans.kind[span] !== WINDOW || spans.variant[span] !== variantIndex || repeat < 0) continue
    windows.push({ repeat, lengthNs: (spans.end[span] ?? 0) - (spans.start[span] ?? 0) })
  }
  windows.sort((a, b) => a.lengthNs - b.lengthNs)
  const middle = Math.floor((windows.length - 1) / 2)
  // Above, below, above, …: the lower of two middles stays what it is.
  return windows.flatMap((_, taken) => {
    const away = Math.ceil(taken / 2)
    return windows[taken % 2 === 1 ? middle + away : middle - away]?.repeat ?? []
  })
}
