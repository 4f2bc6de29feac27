import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'

/**
 * Whether the page is being printed. A media query's `change` comes when the sheets are laid out
 * already.
 */
let isPrinting = false

function follow(changed: () => void): () => void {
  const note = ({ type }: Event): void => {
    isPrinting = type === 'beforeprint'
    changed()
  }
  addEventListener('beforeprint', note)
  addEventListener('afterprint', note)
  return () => {
    removeEventListener('beforeprint', note)
    removeEventListener('afterprint', note)
  }
}

export const usePrinting = (): boolean =>
  useSyncExternalStore(
    follow,
    () => isPrinting,
    () => false,
  )

/**
 * Before the first measurement, where nothing is ever measured (a test's DOM), and about the width
 * of a sheet of A4.
 */
const ASSUMED_WIDTH = 640
/** Of the root element, px. */
const USUAL_TYPE = 16

/** What the reader's size of type is, times the usual one. */
const typeScale = (): number =>
  (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL_TYPE) / USUAL_TYPE

/**
 * Width of an element, followed as it changes, in px of the usual type: a picture laid out in them,
 * and drawn as wide as the element, has words that grow with the reader's type, and room for them.
 */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(ASSUMED_WIDTH)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      const now = Math.floor(element.clientWidth / typeScale())
      if (now > 0) setWidth(now)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width: usePrinting() ? ASSUMED_WIDTH : width }
}
