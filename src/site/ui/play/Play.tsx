/**
 * Handles over a picture that a model draws anew while one is dragged: before the run, so that a
 * prediction rests on something. Never a measurement.
 */
import { useEffect, useRef, useState } from 'react'
import type { PlayAnswer, PlayRequest } from '../../../lessons/play-worker'
import { startOf, type Handle, type Play } from '../../../model/play/play'
import { playOf } from '../../../lessons/plays'
import { NARROW } from '../format'
import { ModelledMark } from '../ModelledMark'
import { SaidAtRest } from '../SaidAtRest'
import './play.css'
import { gutterOf } from '../../../strips/scene'
import { useWidth } from '../figure/use-width'
import { StripPicture, TimeAxis } from '../strips/ExcerptStrips'
import { excerptOfPlay } from './play-excerpt'

/**
 * Draws the model's result, a lane for each place or rank: one hue and one texture for all, which
 * nothing measured has.
 */
const HEIGHTS = { host: 34, queue: 34, staging: 34, device: 34, gap: 8 } as const

const PlayPicture = ({ seen }: { readonly seen: PlayAnswer['seen'] | null }) => {
  const { ref, width } = useWidth()
  const excerpt = excerptOfPlay(seen)
  const [strip] = excerpt.strips
  const gutter = gutterOf(excerpt, width)
  return (
    <div ref={ref} className="shrinks forced-keep" data-testid="play-picture">
      {strip && width > gutter && (
        <StripPicture
          {...{ strip, excerpt, gutter }}
          cut={{ width: width - gutter, lanes: 'all', heights: HEIGHTS, labels: [] }}
          atNs={null}
          onPick={() => undefined}
        />
      )}
      {seen && <TimeAxis lengthNs={seen.windowNs} {...{ gutter, width }} />}
    </div>
  )
}

/** A screen reader announces a drag once, when it rests. */
const RESTS_MS = 500

const wordsOf = ({ unit, word }: Handle, value: number): string =>
  word ? word(value) : `${String(value)}${NARROW}${unit}`

/** Nothing where a lesson has none. */
export const LessonPlay = ({ lesson }: { readonly lesson: string }) => {
  const play = playOf(lesson)
  return play && <PlayPanel key={lesson} {...{ lesson, play }} />
}

const PlayPanel = ({ lesson, play }: { readonly lesson: string; readonly play: Play }) => {
  const [start] = useState(() => startOf(play))
  const [values, setValues] = useState(start)
  const [answer, setAnswer] = useState<PlayAnswer | null>(null)
  /** It answers each place of the handles with what the model does there. */
  const worker = useRef<Worker | null>(null)
  useEffect(() => {
    const opened = new Worker(new URL('../../../lessons/play-worker.ts', import.meta.url), {
      type: 'module',
      name: 'lab play',
    })
    opened.addEventListener('message', ({ data }: MessageEvent<PlayAnswer>) => setAnswer(data))
    worker.current = opened
    return () => opened.terminate()
  }, [])
  useEffect(() => {
    const request: PlayRequest = { lesson, values }
    worker.current?.postMessage(request)
  }, [lesson, values])
  const said = answer ? play.says(answer.values, answer.seen) : ''
  const isDragged = values !== start
  return (
    <details className="play modelled no-print" aria-labelledby="play-title" data-testid="play" open>
      <summary>
        <h2 id="play-title">
          Play first <ModelledMark />
        </h2>
      </summary>
      <div className="stack-16">
        <p>{play.asks}</p>
        <div className="play-handles stack">
          {Object.entries(play.handles).map(([id, handle]) => (
            <PlayHandle
              key={id}
              handle={handle}
              value={values[id] ?? handle.start}
              onChange={(value) => setValues((before) => ({ ...before, [id]: value }))}
            />
          ))}
        </div>
        <PlayPicture seen={answer?.seen ?? null} />
        <p className="play-says" aria-hidden={isDragged}>
          <strong>Modelled:</strong> <span data-testid="play-says">{said}</span>
        </p>
        <SaidAtRest text={isDragged && said !== '' ? `Modelled: ${said}` : ''} restMs={RESTS_MS} />
        <p className="small quiet">
          The lab’s own program on an imaginary machine, in round numbers. Nothing here was measured, and your
          machine has different numbers.
        </p>
      </div>
    </details>
  )
}

interface PlayHandleProps {
  readonly handle: Handle
  readonly value: number
  readonly onChange: (value: number) => void
}

const PlayHandle = ({ handle, value, onChange }: PlayHandleProps) => {
  const { label, stops } = handle
  const words = wordsOf(handle, value)
  return (
    <label className="play-handle baseline stack small">
      <span>{label}</span>
      <output className="bold">{words}</output>
      <input
        type="range"
        min={0}
        max={stops.length - 1}
        step={1}
        value={stops.indexOf(value)}
        aria-label={label}
        aria-valuetext={words}
        onChange={(event) => onChange(stops[event.target.valueAsNumber] ?? value)}
      />
    </label>
  )
}
