/** What a profile shows of a function, in sentences: how often it ran and for how long, and what of the GPU's time is attributed to it. Pure. */
import type { Attributed, Calls } from '../../../state/profile-answer'
import { formatCount, formatQuantity, formatShare } from '../../format'

export function evidenceWords(calls: Calls | undefined, attributed: readonly Attributed[]): string {
  if (!calls) return 'This profile has no call of it, so it cost nothing.'
  const mean = formatQuantity(calls.ns / calls.count, 'ns')
  const ran = `In this profile it ran ${formatCount(calls.count, 'time')}, for ${mean} on the host${calls.count > 1 ? ' on average' : ''}.`
  if (attributed.length === 0) return `${ran} It cost the GPU no time.`
  const parts = attributed.map(({ share, title, rank }) => {
    const whose = rank === null ? 'the GPU’s' : `rank ${String(rank)}’s`
    return `${formatShare(share)} of ${whose} time (${title.toLowerCase()})`
  })
  return `${ran} It cost ${parts.join(', ')}.`
}
