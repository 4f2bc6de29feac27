/** The picture in a sentence or two, for whoever cannot see it. */
import { pictureOf } from '../../trace/picture'
import type { PlacedTrace } from '../../trace/place'
import { formatCount, formatDuration, type TimelineData } from '../../timeline'
import { adapterName, dateOf } from '../run-words'

export function describeRun({ placed, gaps, live }: TimelineData): string {
  const { trace, startOfAllNs, endOfAllNs } = placed
  if (trace.spans.length === 0)
    return live ? 'The run has begun; nothing is recorded yet.' : 'Nothing is recorded.'
  const lanes = trace.lanes.map(({ name }) => name).join(', ')
  const variants = variantsOf(placed)
  return [
    `${formatCount(trace.spans.length)} spans over ${formatDuration(endOfAllNs - startOfAllNs)}, on the lanes ${lanes}.`,
    variants.length === 0 ? '' : `Variants: ${variants.join(', ')}.`,
    gaps.length === 0
      ? ''
      : `The device was idle in ${formatCount(gaps.length)} gaps between passes; g steps through them.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** In the order they came: by the windows of the repeats, which are few, else by the spans. */
function variantsOf(placed: PlacedTrace): readonly string[] {
  const { bands } = pictureOf(placed)
  if (bands.length > 0) return [...new Set(bands.map(({ variant }) => variant))].filter((name) => name !== '')
  const { spans, strings } = placed.trace
  const found = new Set(spans.variant.subarray(0, spans.length))
  return [...found].map((index) => strings[index] ?? '').filter((name) => name !== '')
}

/** 'recorded on NVIDIA H200, 21 Nov 2026'; null for what was measured here. */
export function provenance({ placed: { trace } }: TimelineData): string | null {
  const { origin } = trace.info
  if (origin === 'live') return null
  const date = dateOf(trace.info)
  const name = adapterName(trace.info)
  return `${origin === 'recorded' ? 'recorded on' : 'imported from'} ${name}${date === '' ? '' : `, ${date}`}`
}
