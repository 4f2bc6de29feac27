/**
 * Play, pause, scrub, and how slow: by pointer and by keys alike. Space plays and pauses, `,` and
 * `.` go from change to change.
 */
import { useEffect, useRef } from 'react'
import { momentOf, type ExcerptStrip } from '../../../strips/excerpt'
import { formatQuantity } from '../format'
import { momentWords } from './ExcerptStrips'
import { SLOWDOWNS, type Playback } from './use-playback'
import { Button } from '../Button'

export interface PlaybackBarProps {
  readonly playback: Playback
  /** Whose moment is put into words. */
  readonly strip: ExcerptStrip | undefined
}

const RANGE = 1000

export const PlaybackBar = ({ playback, strip }: PlaybackBarProps) => {
  const { atNs, playing, slowdown, lengthNs, reducedMotion } = playback
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
        <label className="small">
          <span className="visually-hidden">Speed</span>
          <select
            value={slowdown}
            onChange={(event) => {
              const chosen = SLOWDOWNS.find((each) => String(each) === event.target.value)
              if (chosen !== undefined) playback.setSlowdown(chosen)
            }}
          >
            {SLOWDOWNS.map((each) => (
              <option key={each} value={each}>
                1/{each}
              </option>
            ))}
          </select>
        </label>
      )}
      {atNs !== null && <Button look="link" className="small" label="Show all" onClick={playback.close} />}
      <p className="playback-now quiet small" role={playing ? undefined : 'status'}>
        {strip && atNs !== null ? `${strip.variant}: ${momentWords(momentOf(strip, atNs))}` : ''}
      </p>
    </div>
  )
}
