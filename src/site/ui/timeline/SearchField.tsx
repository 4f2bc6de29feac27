/**
 * Finding spans by what they are called. The timeline marks what is found; Enter and F3 go from one
 * to the next.
 */
import { useEffect, useId, useRef, useState } from 'react'
import { formatCount, type SearchState, type Timeline } from '../../../timeline'

export interface SearchFieldProps {
  readonly timeline: Timeline | null
  /** Back to the canvas, whose keys go on from what was found. */
  readonly onLeave: () => void
}

const said = ({ count, at }: SearchState): string =>
  count === 0
    ? 'none found'
    : at === 0
      ? `${formatCount(count)} found`
      : `${formatCount(at)} of ${formatCount(count)}`

export const SearchField = ({ timeline, onLeave }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null)
  const hintId = useId()
  const [text, setText] = useState('')
  const [state, setState] = useState<SearchState | null>(null)
  useEffect(() => {
    if (!timeline) return undefined
    const offs = [
      timeline.on('search', (next) => {
        setState(next)
        // Ended by Escape on the canvas.
        if (!next) setText('')
      }),
      timeline.on('ask', (what) => {
        if (what !== 'search') return
        field.current?.select()
        field.current?.focus()
      }),
    ]
    return () => offs.forEach((off) => off())
  }, [timeline])
  return (
    <search className="tl-search" data-open={text !== '' || undefined}>
      <input
        ref={field}
        type="search"
        className="tl-search-field"
        aria-label="Find spans"
        aria-describedby={hintId}
        placeholder="Find spans"
        title="Find by name, kind, lane or #submission (/). Enter: next"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          // What was found is not of this text.
          setState(null)
          timeline?.search(target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'F3') timeline?.run('found', event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape') {
            timeline?.search('')
            setText('')
            onLeave()
          } else return
          event.preventDefault()
        }}
      />
      <span id={hintId} className="visually-hidden">
        By name, kind, lane or #submission. Enter: next, Shift and Enter: previous, Escape: clear.
      </span>
      <span className="tl-search-count quiet nowrap" role="status">
        {text.trim() !== '' && state ? said(state) : ''}
      </span>
    </search>
  )
}
