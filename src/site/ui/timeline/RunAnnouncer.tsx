/** Says aloud, politely and seldom, how a run goes. A run that was over when the page opened is not announced. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type TimelineData, formatCount, type Gap } from '../../../timeline'

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

export interface RunGlance {
  readonly live: boolean
  readonly spans: number
  readonly gaps: readonly Gap[]
}

export interface Said {
  readonly live: boolean
  readonly gaps: number
  readonly atMs: number
}

/** Begun and done are said as soon as this allows, counts of gaps less often: they are news, not a clock. */
export const SHORTEST_MS = 1000
const GAPS_EVERY_MS = 4000

export interface Announcement {
  readonly text: string
  readonly said: Said
}

const counted = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

/** Null: nothing to say, or not yet. `before` is what was said last. */
export function announce(before: Said, now: RunGlance, atMs: number): Announcement | null {
  const since = atMs - before.atMs
  if (since < SHORTEST_MS) return null
  const gaps = now.gaps.length
  const say = (text: string): Announcement => ({ text, said: { live: now.live, gaps, atMs } })
  if (now.live && !before.live) return say('The run has begun.')
  if (before.live && !now.live) {
    const found = gaps === 0 ? 'no gaps on the device' : `${counted(gaps, 'gap')} on the device`
    return say(`The run is done: ${counted(now.spans, 'span')}, ${found}.`)
  }
  if (now.live && gaps > before.gaps && since >= GAPS_EVERY_MS)
    return say(`${counted(gaps, 'gap')} on the device so far.`)
  return null
}
