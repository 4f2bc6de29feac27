/** Passes the timeline's selection on to the owner, whichever callback it has at the moment. */
import { useEffect } from 'react'
import type { Target, Timeline } from '../../../timeline'

export function useNotify(
  timeline: Timeline | null,
  onSelect: ((target: Target | null) => void) | undefined,
): void {
  useEffect(() => (onSelect ? timeline?.on('select', onSelect) : undefined), [timeline, onSelect])
}
