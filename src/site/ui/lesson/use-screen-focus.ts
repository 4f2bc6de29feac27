/**
 * Where the keyboard stands as a lesson goes on. A screen or a step that opens takes focus on its
 * start, and the page is shown from its top. Where the part that had focus is gone (Cancel, once
 * the run has ended), its screen's start has it; focus elsewhere stays.
 */
import { useEffect, useRef, type RefObject } from 'react'

/**
 * What a run came to is brought into view as it ends: it may stand below a program, or where what
 * was asked stood.
 */
export function useShownAtEnd(isRunning: boolean): RefObject<HTMLDivElement | null> {
  const shown = useRef<HTMLDivElement>(null)
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning) shown.current?.scrollIntoView({ block: 'nearest' })
    wasRunning.current = isRunning
  }, [isRunning])
  return shown
}

/** For the element at which a screen begins; of several, the first. */
export const SCREEN_START = { tabIndex: -1, 'data-screen-start': true } as const

/** False where the screen has not been drawn yet. */
function focusStart(page: HTMLElement): boolean {
  const start = page.querySelector<HTMLElement>('[data-screen-start]')
  start?.focus({ preventScroll: true })
  // An exercise's next rung begins below what its screen begins with.
  if (start && start.getBoundingClientRect().top > innerHeight) start.scrollIntoView()
  return start !== null
}

/** @param place a name for what is open: screen and step */
export function useScreenFocus(place: string): RefObject<HTMLElement | null> {
  const page = useRef<HTMLElement>(null)
  const shown = useRef(place)
  const focused = useRef<EventTarget | null>(null)
  const coming = useRef<MutationObserver | null>(null)
  useEffect(() => {
    const element = page.current
    const follow = ({ target }: FocusEvent) => (focused.current = target)
    element?.addEventListener('focusin', follow)
    return () => element?.removeEventListener('focusin', follow)
  }, [])
  // After every render: what had focus can go in any.
  useEffect(() => {
    const isOpened = shown.current !== place
    shown.current = place
    const { current: last } = focused
    const isLost = last instanceof Node && !last.isConnected && document.activeElement === document.body
    if (!isOpened && !isLost) return
    const element = page.current
    if (isOpened) window.scrollTo(0, 0)
    if (!element) return
    if (focusStart(element)) {
      coming.current?.disconnect()
      return
    }
    // The screen's code is still on its way.
    coming.current ??= new MutationObserver(() => {
      if (focusStart(element)) coming.current?.disconnect()
    })
    coming.current.observe(element, { childList: true, subtree: true })
  })
  useEffect(() => () => coming.current?.disconnect(), [])
  return page
}
