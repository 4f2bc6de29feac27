/** The notes of the flag that the pointer is on, in full. For eyes only: the list below the timeline is what is read out. */
import { useEffect, useState, type CSSProperties } from 'react'
import { formatTime, type Timeline } from '../../timeline'
import type { Annotation } from '../../trace/schema'

/** More than these would cover the lanes; the list below has all. */
const MOST = 5

interface Hover {
  readonly notes: readonly number[]
  readonly cssX: number
  readonly cssY: number
}

export interface NoteTipProps {
  readonly timeline: Timeline | null
  readonly annotations: readonly Annotation[]
}

export const NoteTip = ({ timeline, annotations }: NoteTipProps) => {
  const [hover, setHover] = useState<Hover | null>(null)
  useEffect(
    () =>
      timeline?.on('notes', (notes, at) => {
        setHover(at && notes.length > 0 ? { notes, ...at } : null)
      }),
    [timeline],
  )
  const shown = hover?.notes.flatMap((index) => annotations[index] ?? []) ?? []
  if (!hover || shown.length === 0) return null
  return (
    <div
      className="tl-tooltip tl-note-tip"
      aria-hidden="true"
      data-testid="note-tip"
      style={{ '--tl-x': `${hover.cssX}px`, '--tl-y': `${hover.cssY}px` } as CSSProperties}
    >
      {shown.slice(0, MOST).map((note) => (
        <p key={`${note.createdAt} ${note.text}`}>
          <bdi>{note.text}</bdi>
          <span className="tl-note">{formatTime(note.startNs)}</span>
        </p>
      ))}
      {shown.length > MOST && <p className="tl-note">and {shown.length - MOST} more, listed below</p>}
    </div>
  )
}
