/**
 * Notes of the run, as a list below the timeline: written on the span, gap or area that is selected, changed, taken away, gone to.
 * A note's text is from whoever wrote the file: React shows it as text, and a direction mark in it ends with it (bdi).
 */
import { useEffect, useId, useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import type { Result } from '../../base/result'
import {
  describeTarget,
  formatDuration,
  formatTime,
  type AreaSelection,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../timeline'
import type { AnnotationDraft } from '../../trace/annotations'
import { MAX_ANNOTATION_CHARACTERS, type Annotation } from '../../trace/schema'
import './annotations.css'

/** Left out where notes can only be read: while a run is under way, and of recordings shown beside a text. */
export interface NoteActions {
  /** A sentence where it cannot be. */
  readonly add: (draft: AnnotationDraft) => Result<void, string>
  /** Null takes it away. */
  readonly revise: (index: number, text: string | null) => void
}

export interface AnnotationsProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  readonly area: AreaSelection | null
  readonly actions?: NoteActions | undefined
}

type Place = Omit<AnnotationDraft, 'text'>

function placeOf({ placed, gaps }: TimelineData, target: Target): Place | null {
  const { spans, counters } = placed.trace
  switch (target.type) {
    case 'span': {
      const [startNs = Number.NaN, endNs = Number.NaN] = [
        placed.startNs[target.span],
        placed.endNs[target.span],
      ]
      return { startNs, endNs, lane: spans.lane[target.span] ?? null }
    }
    case 'gap': {
      const gap = gaps[target.gap]
      return gap ? { startNs: gap.startNs, endNs: gap.endNs, lane: gap.lane } : null
    }
    case 'counter':
      return {
        startNs: target.timeNs,
        endNs: target.timeNs,
        lane: counters[target.counter]?.lane ?? null,
      }
  }
}

/** What a new note would be about, in words, and where that is. */
function subject(
  data: TimelineData,
  selected: Target | null,
  area: AreaSelection | null,
): { readonly words: string; readonly place: Place } | null {
  if (area) {
    const { startNs, endNs, lanes } = area
    const [only] = lanes
    const place = { startNs, endNs, lane: lanes.length === 1 ? (only ?? null) : null }
    return { words: `the selected ${formatDuration(endNs - startNs)}`, place }
  }
  const place = selected && placeOf(data, selected)
  const words = selected && describeTarget(data, selected)?.title
  return place && words ? { words, place } : null
}

/** A moment has no width to zoom to: it is shown with a hundredth of the run on either side. */
function zoomToNote(
  timeline: Timeline,
  { placed }: TimelineData,
  { startNs, endNs, lane }: Annotation,
): void {
  const pad = endNs > startNs ? 0 : (placed.endOfAllNs - placed.startOfAllNs) / 100
  timeline.zoomTo({ startNs: startNs - pad, endNs: endNs + pad, lanes: lane === null ? [] : [lane] })
}

const where = ({ startNs, endNs, lane }: Annotation, { placed }: TimelineData): string =>
  [
    formatTime(startNs),
    endNs > startNs ? `for ${formatDuration(endNs - startNs)}` : '',
    lane === null ? '' : (placed.trace.lanes[lane]?.name ?? ''),
  ]
    .filter((part) => part !== '')
    .join(' · ')

interface FormProps {
  readonly label: string
  readonly button: string
  readonly initial?: string
  /** A sentence where it was refused. */
  readonly onSave: (text: string) => string | null
  readonly onCancel?: () => void
  readonly field?: RefObject<HTMLInputElement | null>
  /** The Escape key, where there is nothing to cancel. */
  readonly onLeave?: () => void
}

const NoteForm = ({ label, button, initial = '', onSave, onCancel, field, onLeave }: FormProps) => {
  const id = useId()
  const [text, setText] = useState(initial)
  const [refused, setRefused] = useState<string | null>(null)
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    const reason = onSave(text)
    setRefused(reason)
    if (reason === null) setText('')
  }
  return (
    <form className="tl-note-form no-print" onSubmit={save}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={field}
        type="text"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_ANNOTATION_CHARACTERS}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') (onCancel ?? onLeave)?.()
        }}
      />
      <button type="submit" className="tl-button" disabled={text.trim() === ''}>
        {button}
      </button>
      {onCancel && (
        <button type="button" className="tl-button" onClick={onCancel}>
          Cancel
        </button>
      )}
      {refused !== null && (
        <p role="alert" className="tl-note-refused">
          {refused}
        </p>
      )}
    </form>
  )
}

interface NoteKey {
  readonly ref: RefObject<HTMLInputElement | null>
  /** After a note that the key began, the keyboard goes back to the timeline. */
  readonly wrote: () => void
}

/** The timeline's key N: to the field of a new note; with nothing selected the note is on what is in view. */
function useNoteKey({
  data,
  timeline,
  hasSubject,
  canWrite,
}: {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly hasSubject: boolean
  readonly canWrite: boolean
}): NoteKey {
  const ref = useRef<HTMLInputElement>(null)
  const byKey = useRef(false)
  const [asked, setAsked] = useState(0)
  const { lanes } = data.placed.trace
  useEffect(
    () =>
      timeline?.on('write-note', () => {
        if (!canWrite) return
        if (!hasSubject) timeline.selectArea({ ...timeline.getView(), lanes: lanes.map(({ id }) => id) })
        byKey.current = true
        setAsked((times) => times + 1)
      }),
    [timeline, canWrite, hasSubject, lanes],
  )
  useEffect(() => {
    if (asked > 0) ref.current?.focus()
  }, [asked])
  const wrote = (): void => {
    if (byKey.current) timeline?.focus()
    byKey.current = false
  }
  return { ref, wrote }
}

export const Annotations = ({ data, timeline, selected, area, actions }: AnnotationsProps) => {
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [editing, setEditing] = useState<number | null>(null)
  const [deleted, setDeleted] = useState<Annotation | null>(null)
  const { annotations } = data.placed.trace
  const about = subject(data, selected, area)
  const field = useNoteKey({ data, timeline, hasSubject: about !== null, canWrite: actions !== undefined })
  if (annotations.length === 0 && deleted === null && !(actions && about)) return null
  return (
    <section className="tl-notes" aria-labelledby={headingId} data-testid="notes">
      <h3 id={headingId} ref={heading} tabIndex={-1}>
        Notes
      </h3>
      {annotations.length > 0 && (
        <ul>
          {annotations.map((note, index) => (
            <li key={`${note.createdAt} ${String(index)}`}>
              {editing === index && actions ? (
                <NoteForm
                  label="Change the note"
                  button="Save"
                  initial={note.text}
                  onSave={(text) => {
                    actions.revise(index, text)
                    setEditing(null)
                    heading.current?.focus()
                    return null
                  }}
                  onCancel={() => {
                    setEditing(null)
                    heading.current?.focus()
                  }}
                />
              ) : (
                <>
                  <p className="tl-note-text">
                    <bdi>{note.text}</bdi>
                  </p>
                  <div className="tl-note-foot">
                    <button
                      type="button"
                      className="tl-button"
                      onClick={() => {
                        if (timeline) zoomToNote(timeline, data, note)
                      }}
                    >
                      {where(note, data)}
                    </button>
                    {actions && (
                      <span className="tl-note-actions no-print">
                        <button
                          type="button"
                          className="tl-button"
                          aria-label={`Change the note ‘${note.text}’`}
                          onClick={() => {
                            setEditing(index)
                          }}
                        >
                          Change
                        </button>
                        <button
                          type="button"
                          className="tl-button"
                          aria-label={`Delete the note ‘${note.text}’`}
                          onClick={() => {
                            actions.revise(index, null)
                            setDeleted(note)
                            setEditing(null)
                            heading.current?.focus()
                          }}
                        >
                          Delete
                        </button>
                      </span>
                    )}
                  </div>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {deleted && actions && (
        <p role="status" className="tl-note-foot">
          Note deleted.{' '}
          <button
            type="button"
            className="tl-button"
            onClick={() => {
              actions.add(deleted)
              setDeleted(null)
              heading.current?.focus()
            }}
          >
            Undo
          </button>
        </p>
      )}
      {actions && about && (
        <NoteForm
          key={about.words}
          label={`Write a note on ${about.words}`}
          button="Add"
          field={field.ref}
          onLeave={() => timeline?.focus()}
          onSave={(text) => {
            const added = actions.add({ ...about.place, text })
            if (added.ok) {
              setDeleted(null)
              field.wrote()
            }
            return added.ok ? null : added.error
          }}
        />
      )}
    </section>
  )
}
