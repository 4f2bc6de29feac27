/** Whether the timeline draws the whole chain of the selected span: kept from one selection to the next. */
import { useEffect, useState } from 'react'
import type { Timeline } from '../../../timeline'

export function useWholeChain(timeline: Timeline | null): boolean {
  const [isWhole, setWhole] = useState(false)
  useEffect(() => timeline?.on('chain', setWhole), [timeline])
  return isWhole
}
