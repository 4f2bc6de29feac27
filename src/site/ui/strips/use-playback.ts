/**
 * The clock of a playback: where in the excerpt it stands, and whether it runs. A thousandth of
 * real speed shows a millisecond in a second. Under reduced motion nothing moves by itself: `step`
 * goes from one change to the next.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { changesIn, type Excerpt } from '../../../strips/excerpt'
import { momentAfter, neighbourOf, slowdownFor, type Slowdown } from './playback-clock'

export type Playback = ReturnType<typeof usePlayback>

const REDUCED = '(prefers-reduced-motion: reduce)'

function useReducedMotion(): boolean {
  const [reduced, setReduced] = useState(() => window.matchMedia(REDUCED).matches)
  useEffect(() => {
    const query = window.matchMedia(REDUCED)
    const follow = () => setReduced(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return reduced
}

export function usePlayback(excerpt: Excerpt) {
  const { lengthNs } = excerpt
  const reducedMotion = useReducedMotion()
  const [standsNs, setAtNs] = useState<number | null>(null)
  // Another step of the same run may tell a shorter excerpt.
  const atNs = standsNs === null ? null : Math.min(standsNs, lengthNs)
  const [wantsToPlay, setPlaying] = useState(false)
  const [chosen, setSlowdown] = useState<Slowdown | null>(null)
  const slowdown = chosen ?? slowdownFor(lengthNs)
  // At its end it stands, complete.
  const playing = wantsToPlay && atNs !== lengthNs
  const changes = useMemo(() => changesIn(excerpt), [excerpt])
  const last = useRef(0)

  useEffect(() => {
    if (!playing) return
    let frame = requestAnimationFrame(function advance(nowMs) {
      const elapsedMs = last.current === 0 ? 0 : nowMs - last.current
      last.current = nowMs
      setAtNs((before) => momentAfter(before ?? 0, elapsedMs, slowdown, lengthNs))
      frame = requestAnimationFrame(advance)
    })
    return () => {
      last.current = 0
      cancelAnimationFrame(frame)
    }
  }, [playing, slowdown, lengthNs])

  const scrub = useCallback(
    (next: number) => {
      setPlaying(false)
      setAtNs(Math.max(0, Math.min(next, lengthNs)))
    },
    [lengthNs],
  )
  const step = useCallback(
    (direction: 1 | -1) => scrub(neighbourOf(changes, atNs, direction, lengthNs)),
    [atNs, changes, lengthNs, scrub],
  )
  return {
    /** ns from the common zero; null: not played, the whole excerpt is in view. */
    atNs,
    playing,
    slowdown,
    lengthNs,
    reducedMotion,
    play: () => {
      if (reducedMotion) {
        step(1)
        return
      }
      if (atNs === lengthNs) setAtNs(0)
      setPlaying(true)
    },
    pause: () => setPlaying(false),
    scrub,
    /** To the next change, or the one before. */
    step,
    setSlowdown,
    /** The whole excerpt again. */
    close: () => {
      setPlaying(false)
      setAtNs(null)
    },
  }
}
