/**
 * What is in view as a tree (WAI-ARIA tree view): arrows walk it, what they meet is selected on the canvas, and what is selected there
 * is where the tree goes on. Some dozens of rows round the active one are there at a time, with their places among all.
 * Out of sight it can be reached by Tab or by t on the canvas, and shows itself while it has the focus.
 */
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import {
  formatCount,
  Tree,
  treeKey,
  treePath,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../timeline'
import { useSlowView } from './use-timeline'

/** Rows on either side of the active one. */
const AROUND = 20
const PAGE = 10

export interface SpanTreeProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  /** In sight whether it has the focus or not. */
  readonly shown: boolean
  /** The tree itself: it takes the focus. */
  readonly treeRef: RefObject<HTMLDivElement | null>
  /** Escape leaves for the canvas. */
  readonly onLeave: () => void
}

interface Place {
  readonly open: ReadonlySet<string>
  readonly active: string
}

const firstPlace = (data: TimelineData): Place => ({
  open: new Set(data.placed.trace.lanes.map(({ group }) => `group ${group}`)),
  active: '',
})

/** Spans and gaps are looked up while somebody is there to meet them; until then the tree is its groups and lanes. */
function useTree(data: TimelineData, timeline: Timeline | null, selected: Target | null, wanted: boolean) {
  const view = useSlowView(timeline, 250, wanted)
  const [place, setPlace] = useState(() => firstPlace(data))
  // Groups that come while the run grows are open, as the first ones are.
  const groups = data.placed.trace.lanes.map(({ group }) => group).join('\n')
  const [known, setKnown] = useState(groups)
  if (known !== groups) {
    setKnown(groups)
    setPlace({ ...place, open: new Set([...place.open, ...firstPlace(data).open]) })
  }
  const key = treeKey(selected)
  const [followed, setFollowed] = useState(key)
  if (followed !== key) {
    setFollowed(key)
    if (key !== null) setPlace({ open: new Set([...place.open, ...treePath(data, selected)]), active: key })
  }
  const { open } = place
  const tree = useMemo(
    () =>
      new Tree(
        data,
        view ?? { startNs: 0, endNs: 0 },
        (key) => open.has(key) && (view !== null || key.startsWith('group ')),
      ),
    [data, view, open],
  )
  // What is out of view now is not in the tree: then its lane is the place, else the first row.
  const lane = tree.indexOf(place.active) < 0 ? treePath(data, selected).at(-1) : undefined
  const active = Math.max(0, tree.indexOf(place.active), lane === undefined ? 0 : tree.indexOf(lane))
  return { tree, active, place, setPlace }
}

export const SpanTree = ({ data, timeline, selected, shown, treeRef, onLeave }: SpanTreeProps) => {
  const [focused, setFocused] = useState(false)
  const { tree, active, place, setPlace } = useTree(data, timeline, selected, shown || focused)
  const id = useId()
  const rowId = (key: string): string => `${id}-${key.replaceAll(/[^\w]/g, '-')}`
  const from = Math.max(0, active - AROUND)
  const to = Math.min(tree.rowCount, active + AROUND + 1)
  const rows = Array.from({ length: to - from }, (_, at) => tree.row(from + at)).filter((row) => row !== null)
  const activeKey = tree.row(active)?.key
  const activeRow = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = treeRef.current
    const row = activeRow.current
    if (!box || !row) return
    // Within the box alone: the page stays where it is.
    if (row.offsetTop < box.scrollTop) box.scrollTop = row.offsetTop
    const over = row.offsetTop + row.offsetHeight - box.clientHeight
    if (over > box.scrollTop) box.scrollTop = over
  }, [activeKey, from, treeRef])

  useEffect(() => {
    // It has come into sight under the picture: all of it.
    if (focused) treeRef.current?.scrollIntoView({ block: 'nearest' })
  }, [focused, treeRef])

  const goTo = (index: number): void => {
    const row = tree.row(Math.min(tree.rowCount - 1, Math.max(0, index)))
    if (!row) return
    setPlace({ ...place, active: row.key })
    if (row.target) timeline?.select(row.target)
  }
  const setOpen = (key: string, isOpen: boolean): void => {
    const open = new Set(place.open)
    if (isOpen) open.add(key)
    else open.delete(key)
    setPlace({ open, active: key })
  }
  const act = (index: number): void => {
    const row = tree.row(index)
    if (row?.target) timeline?.zoomTo(row.target)
    else if (row && row.expanded !== null) setOpen(row.key, !row.expanded)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const row = tree.row(active)
    if (!row) return
    const done = (): void => {
      event.preventDefault()
      event.stopPropagation()
    }
    switch (event.key) {
      case 'ArrowDown':
        goTo(active + 1)
        break
      case 'ArrowUp':
        goTo(active - 1)
        break
      case 'PageDown':
        goTo(active + PAGE)
        break
      case 'PageUp':
        goTo(active - PAGE)
        break
      case 'Home':
        goTo(0)
        break
      case 'End':
        goTo(tree.rowCount - 1)
        break
      case 'ArrowRight':
        if (row.expanded === false) setOpen(row.key, true)
        else if (row.expanded === true) goTo(active + 1)
        break
      case 'ArrowLeft':
        if (row.expanded === true) setOpen(row.key, false)
        else if (row.level > 1) goTo(tree.parentOf(active))
        break
      case 'Enter':
      case ' ':
        act(active)
        break
      case 'Escape':
        onLeave()
        break
      default:
        if (!/^\p{L}$/u.test(event.key)) return
        if (tree.find(event.key, active) >= 0) goTo(tree.find(event.key, active))
    }
    done()
  }
  return (
    <div className="tl-span-tree">
      <div className="tl-tree-box" data-shown={shown || undefined}>
        <p className="tl-note" aria-hidden="true">
          {from > 0 ? `${formatCount(from)} rows above` : 'Arrows walk, Enter zooms, Esc goes to the picture'}
        </p>
        <div
          ref={treeRef}
          role="tree"
          tabIndex={0}
          aria-label="The timeline as a tree"
          aria-activedescendant={activeKey === undefined ? undefined : rowId(activeKey)}
          className="tl-tree"
          data-testid="timeline-tree"
          onKeyDown={onKey}
          onFocus={() => {
            setFocused(true)
          }}
          onBlur={() => {
            setFocused(false)
          }}
        >
          {rows.map(({ key, level, label, setSize, position, expanded, target }, at) => (
            // The tree takes the keys for all rows; a row takes what the hand does.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={key}
              ref={key === activeKey ? activeRow : undefined}
              id={rowId(key)}
              role="treeitem"
              className="tl-tree-row"
              aria-level={level}
              aria-setsize={setSize}
              aria-posinset={position}
              aria-expanded={expanded ?? undefined}
              aria-selected={target === null ? undefined : key === treeKey(selected)}
              data-active={key === activeKey || undefined}
              data-level={level}
              onClick={() => {
                if (target === null) act(from + at)
                else goTo(from + at)
              }}
              onDoubleClick={() => {
                if (target !== null) act(from + at)
              }}
            >
              {label}
            </div>
          ))}
        </div>
        <p className="tl-note" aria-hidden="true">
          {to < tree.rowCount && `${formatCount(tree.rowCount - to)} rows below`}
        </p>
      </div>
    </div>
  )
}
