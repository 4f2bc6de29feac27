/** Says aloud, politely and seldom, how a run goes. A run that was over when the page opened is not announced. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TimelineData } from '../../../timeline'
import { announce, SHORTEST_MS, type Said } from './run-announcer'

export const RunAnnouncer = ({ data }: { readonly data: TimelineData }) => {
  const { live } = data
  const [text, setText] = useState('')
  const said = useRef<Said>({ live: false, gaps: 0, atMs: -Infinity })
  const look = useEffectEvent(() => {
    const { placed, gaps } = data
    const made = announce(
      said.current,
      { live: data.live, spans: placed.trace.spans.length, gaps },
      Date.now(),
    )
    if (!made) return
    said.current = made.said
    setText(made.text)
  })
  useEffect(() => {
    look()
    // Goes on for a while after the end, so that the end is said too.
    const timer = window.setInterval(look, SHORTEST_MS / 2)
    const stop = window.setTimeout(() => {
      if (!live) window.clearInterval(timer)
    }, 3 * SHORTEST_MS)
    return () => {
      window.clearInterval(timer)
      window.clearTimeout(stop)
    }
  }, [live])
  return (
    <p className="visually-hidden" aria-live="polite" data-testid="run-announcer">
      {text}
    </p>
  )
}
