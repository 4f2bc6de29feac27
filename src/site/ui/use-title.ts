/**
 * Names the tab after what it shows, and takes the focus to the heading of a page that was opened
 * from another.
 */
import { useEffect } from 'react'

/** The first page leaves the focus where the browser puts it. */
let isFirst = true

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Host/Device Lab' : `${title} · Host/Device Lab`
    if (isFirst) {
      isFirst = false
      return undefined
    }
    // Focusing lays the whole page out: not in the task that has just made it.
    const timer = setTimeout(() => {
      const heading = document.querySelector<HTMLElement>('main h1')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }, 0)
    return () => clearTimeout(timer)
  }, [title])
}
