/**
 * The clock of a playback: where in the excerpt it stands, and whether it runs. A thousandth of
 * real speed shows a millisecond in a second. Under reduced motion nothing moves by itself: `step`
 * goes from one change to the next.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  changesIn,
  type Excerpt,
  type ExcerptStrip,
  momentOf,
  type ExcerptBar,
} from '../../../strips/excerpt'

/**
 * `picked` counts where it is one of this strip's own: a line of another variant's program is not a
 * line of this one.
 */
export function lineAt(
  strip: ExcerptStrip,
  atNs: number | null,
  picked: ExcerptBar | null,
): ExcerptBar | null {
  if (atNs !== null) return momentOf(strip, atNs).host
  return picked && strip.rows.some(({ bars }) => bars.includes(picked)) ? picked : null
}

/** Slower than it happened by this factor. */
export const SLOWDOWNS = [10, 100, 1000] as const
export type Slowdown = (typeof SLOWDOWNS)[number]

/** About so long does a playback take unless the viewer chooses another speed. */
const WANTED_MS = 8000

/** @internal The speed at which a playback of this length comes nearest to WANTED_MS. */
export function slowdownFor(lengthNs: number): Slowdown {
  const away = (factor: Slowdown): number =>
    Math.abs(Math.log((lengthNs / 1e6) * factor) - Math.log(WANTED_MS))
  return SLOWDOWNS.reduce<Slowdown>((best, each) => (away(each) < away(best) ? each : best), SLOWDOWNS[0])
}

/** No frame is longer than this: a tab that was hidden goes on where it stood. */
const LONGEST_FRAME_MS = 250

/** @internal Time of the playback `elapsedMs` later; never beyond its end, which it meets exactly. */
export const momentAfter = (atNs: number, elapsedMs: number, slowdown: Slowdown, lengthNs: number): number =>
  Math.min(atNs + (Math.min(elapsedMs, LONGEST_FRAME_MS) * 1e6) / slowdown, lengthNs)

/** @internal
 * The change after or before a moment (null: the whole excerpt is in view), else the excerpt's end
 * or start. `changes` ascend.
 */
export function neighbourOf(
  changes: readonly number[],
  atNs: number | null,
  direction: 1 | -1,
  lengthNs: number,
): number {
  if (direction === 1) return changes.find((time) => time > (atNs ?? -1)) ?? lengthNs
  return changes.findLast((time) => time < (atNs ?? lengthNs)) ?? 0
}

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
