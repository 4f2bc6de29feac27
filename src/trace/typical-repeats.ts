/**
 * The counted repeats of a variant by how typical they are, by the lengths of their windows on the
 * host's clock.
 */
import { spanKindIndex, type Trace } from './schema'

const WINDOW = spanKindIndex('window')

/** Windows of the counted repeats of a variant. */
export function repeatWindows({ spans }: Trace, variantIndex: number): readonly number[] {
  const found: number[] = []
  for (let span = 0; span < spans.length; span += 1)
    if (
      spans.kind[span] === WINDOW &&
      spans.variant[span] === variantIndex &&
      (spans.repeat[span] ?? -1) >= 0
    )
      found.push(span)
  return found
}

/**
 * The repeat with the median length first, then those that keep it the median of all that are
 * taken.
 */
export function typicalRepeats(trace: Trace, variantIndex: number): readonly number[] {
  const { start, end, repeat } = trace.spans
  const windows = repeatWindows(trace, variantIndex).map((span) => ({
    repeat: repeat[span] ?? -1,
    lengthNs: (end[span] ?? 0) - (start[span] ?? 0),
  }))
  windows.sort((a, b) => a.lengthNs - b.lengthNs)
  const middle = Math.floor((windows.length - 1) / 2)
  // Above, below, above, …: the lower of two middles stays what it is.
  return windows.flatMap((_, taken) => {
    const away = Math.ceil(taken / 2)
    return windows[taken % 2 === 1 ? middle + away : middle - away]?.repeat ?? []
  })
}
