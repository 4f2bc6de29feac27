/**
 * The clock of a playback: where in the excerpt it stands, and whether it runs. A thousandth of
 * real speed shows a millisecond in a second. Under reduced motion nothing moves by itself: `step`
 * goes from one change to the next.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { changesIn, type Excerpt } from '../../../strips/excerpt'
import { momentAfter, neighbourOf, slowdownFor, type Slowdown } from './playback-clock'

export interface Playback {
  /** ns from the common zero; null: not played, the whole excerpt is in view. */
  readonly atNs: number | null
  readonly playing: boolean
  readonly slowdown: Slowdown
  readonly lengthNs: number
  readonly reducedMotion: boolean
  readonly play: () => void
  readonly pause: () => void
  readonly scrub: (atNs: number) => void
  /** To the next change, or the one before. */
  readonly step: (direction: 1 | -1) => void
  readonly setSlowdown: (slowdown: Slowdown) => void
  /** The whole excerpt again. */
  readonly close: () => void
}

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

export function usePlayback(excerpt: Excerpt): Playback {
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
    step,
    setSlowdown,
    close: () => {
      setPlaying(false)
      setAtNs(null)
    },
  }
}
