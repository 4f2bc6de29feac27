/**
 * The clock of a playback: where in the excerpt it stands, and whether it runs. Under reduced
 * motion nothing moves by itself: `step` goes from one change to the next.
 */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import {
  momentOf,
  type ExcerptStrip,
  changesIn,
  type Excerpt,
  type ExcerptBar,
} from '../../../strips/excerpt'
import { formatFigures, formatQuantity } from '../format'
import { momentWords } from './ExcerptStrips'
import { Button } from '../Button'

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

/** A playback takes this long, unless the excerpt took longer. */
const WANTED_MS = 8000
/** @internal Slower than it happened by this factor. */
export const slowdownFor = (lengthNs: number): number => Math.max(1, (WANTED_MS * 1e6) / lengthNs)

/** No frame is longer than this: a tab that was hidden goes on where it stood. */
const LONGEST_FRAME_MS = 250

/**
 * @internal Time of the playback `elapsedMs` later; never beyond its end, which it meets exactly.
 */
export const momentAfter = (atNs: number, elapsedMs: number, lengthNs: number): number =>
  Math.min(atNs + (Math.min(elapsedMs, LONGEST_FRAME_MS) * 1e6) / slowdownFor(lengthNs), lengthNs)

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

type Playback = ReturnType<typeof usePlayback>

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)')

const useReducedMotion = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const query = reducedMotion()
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => reducedMotion().matches,
  )

export function usePlayback(excerpt: Excerpt) {
  const { lengthNs } = excerpt
  const reducedMotion = useReducedMotion()
  const [standsNs, setAtNs] = useState<number | null>(null)
  // Another step of the same run may tell a shorter excerpt.
  const atNs = standsNs === null ? null : Math.min(standsNs, lengthNs)
  const [wantsToPlay, setPlaying] = useState(false)
  // At its end it stands, complete.
  const playing = wantsToPlay && atNs !== lengthNs
  const changes = useMemo(() => changesIn(excerpt), [excerpt])
  const last = useRef(0)

  useEffect(() => {
    if (!playing) return
    let frame = requestAnimationFrame(function advance(nowMs) {
      const elapsedMs = last.current === 0 ? 0 : nowMs - last.current
      last.current = nowMs
      setAtNs((before) => momentAfter(before ?? 0, elapsedMs, lengthNs))
      frame = requestAnimationFrame(advance)
    })
    return () => {
      last.current = 0
      cancelAnimationFrame(frame)
    }
  }, [playing, lengthNs])

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
    /** The whole excerpt again. */
    close: () => {
      setPlaying(false)
      setAtNs(null)
    },
  }
}

export interface PlaybackBarProps {
  readonly playback: Playback
  /** Whose moment is put into words. */
  readonly strip: ExcerptStrip | undefined
}

const RANGE = 1000

/**
 * Play, pause and scrub: by pointer and by keys alike. Space plays and pauses, `,` and
 * `.` go from change to change.
 */
export const PlaybackBar = ({ playback, strip }: PlaybackBarProps) => {
  const { atNs, playing, lengthNs, reducedMotion } = playback
  const shownNs = atNs ?? lengthNs
  const time = formatQuantity(shownNs / 1e6, 'ms')

  const latest = useRef(playback)
  useEffect(() => {
    latest.current = playback
  })
  // Once, and not with every frame: of two playbacks on a page the second must not be between two
  // listeners while a key is handled.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { current: now } = latest
      const target = event.target instanceof HTMLElement ? event.target : null
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        target?.closest('input:not([type=range]), textarea, [contenteditable]')
      )
        return
      if (event.key === '.' || event.key === ',') now.step(event.key === '.' ? 1 : -1)
      // A button in focus takes Space for itself.
      else if (event.key === ' ' && !target?.closest('button, a, input, select, summary')) {
        if (now.playing) now.pause()
        else now.play()
      } else return
      event.preventDefault()
    }
    // Of the page, not of a part: whoever has pressed nothing yet has focus on none.
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div className="playback cluster-8-12 no-print" role="group" aria-label="Replay">
      {reducedMotion ? (
        <>
          <Button look="small" label="Step back" onClick={() => playback.step(-1)} />
          <Button look="small" label="Step" onClick={() => playback.step(1)} />
        </>
      ) : (
        <Button
          look="small"
          label={playing ? 'Pause' : atNs === null || atNs === lengthNs ? 'Replay slowly' : 'Play'}
          onClick={() => {
            if (playing) playback.pause()
            else playback.play()
          }}
        />
      )}
      <input
        className="playback-scrub"
        type="range"
        min={0}
        max={RANGE}
        value={Math.round((shownNs / lengthNs) * RANGE)}
        aria-label="Moment"
        aria-valuetext={`${time}${strip && atNs !== null ? `: ${momentWords(momentOf(strip, atNs))}` : ''}`}
        onChange={(event) => playback.scrub((event.target.valueAsNumber / RANGE) * lengthNs)}
      />
      <span className="number small">{time}</span>
      {!reducedMotion && (
        <span className="small quiet">at 1/{formatFigures(slowdownFor(lengthNs), 2)} of its speed</span>
      )}
      {atNs !== null && <Button look="link" className="small" label="Show all" onClick={playback.close} />}
      <p className="playback-now quiet small" role={playing ? undefined : 'status'}>
        {strip && atNs !== null ? `${strip.variant}: ${momentWords(momentOf(strip, atNs))}` : ''}
      </p>
    </div>
  )
}
