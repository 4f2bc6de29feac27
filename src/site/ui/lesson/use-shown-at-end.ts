/** What a run came to is brought into view as it ends: it may stand below a program, or where what was asked stood. */
import { useEffect, useRef, type RefObject } from 'react'

export function useShownAtEnd(isRunning: boolean): RefObject<HTMLDivElement | null> {
  const shown = useRef<HTMLDivElement>(null)
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning) shown.current?.scrollIntoView({ block: 'nearest' })
    wasRunning.current = isRunning
  }, [isRunning])
  return shown
}
