/** The picture in a sentence or two, for whoever cannot see it. */
import { formatCount, formatDuration, variantsDrawn, type TimelineData } from '../../../timeline'
import { adapterName, dateOf } from '../run-words'

export function describeRun({ placed, gaps, live }: TimelineData): string {
  const { trace, startOfAllNs, endOfAllNs } = placed
  if (trace.spans.length === 0)
    return live ? 'The run has begun; nothing is recorded yet.' : 'Nothing is recorded.'
  const lanes = trace.lanes.map(({ name }) => name).join(', ')
  const variants = variantsDrawn(placed)
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

/** 'recorded on NVIDIA H200, 21 Nov 2026'; null for what was measured here. */
export function provenance({ placed: { trace } }: TimelineData): string | null {
  const { origin } = trace.info
  if (origin === 'live') return null
  const date = dateOf(trace.info)
  const name = adapterName(trace.info)
  return `${origin === 'recorded' ? 'recorded on' : 'imported from'} ${name}${date === '' ? '' : `, ${date}`}`
}
