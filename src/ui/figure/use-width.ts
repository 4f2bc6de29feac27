import { useLayoutEffect, useRef, useState } from 'react'

/** Before the first measurement, and where nothing is ever measured (a test's DOM, a page being printed). */
const ASSUMED_WIDTH = 640

/** Width of an element in whole px, followed as it changes. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(ASSUMED_WIDTH)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      const now = Math.floor(element.clientWidth)
      if (now > 0) setWidth(now)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [])
  return { ref, width }
}
