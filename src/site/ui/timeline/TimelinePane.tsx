/**
 * The timeline with everything round it: what it shows in words, figures of what is selected, sums
 * of an area, legend, table, keys. It draws what it is given; gaps come in as props.
 */
import {
  type CSSProperties,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  type AreaSelection,
  clockText,
  createTimeline,
  describeTarget,
  type DrawnPath,
  formatCount,
  formatDuration,
  type Gap,
  type Target,
  type Timeline,
  type TimelineData,
  variantsDrawn,
} from '../../../timeline'
import type { PlacedTrace } from '../../../trace/place'
import { Details, Tooltip, AreaSums } from './Details'
import { PathWords, spokenPath } from './CriticalPath'
import { Legend } from './Legend'
import { SearchField } from './SearchField'
import { SpanTable } from './SpanTable'
import { Toolbar } from './Toolbar'
import { usePath } from './use-path'
import { adapterName, dateOf } from '../run-words'
import { LONG_RUN_SPANS } from '../../state/run-store'
import './timeline.css'

/**
 * A Timeline in a component's life: made when its element appears, fed with data, disposed when it
 * goes.
 */

function useTimeline(data: TimelineData) {
  const [timeline, setTimeline] = useState<Timeline | null>(null)
  const [selected, setSelected] = useState<Target | null>(null)
  const [area, setArea] = useState<AreaSelection | null>(null)
  const [following, setFollowing] = useState(false)
  /** That all rows need, CSS px; 0 before the first data. */
  const [heightPx, setHeightPx] = useState(0)
  /** What was done to a lane last. */
  const [laneSaid, setLaneSaid] = useState('')

  /** Ref for the element that the canvas fills. */
  const mount = useCallback((element: HTMLDivElement | null) => {
    if (!element) return undefined
    const made = createTimeline(element)
    made.on('select', setSelected)
    made.on('area', setArea)
    made.on('layout', setHeightPx)
    made.on('lanes', setLaneSaid)
    made.on('view', (_, isFollowing) => setFollowing(isFollowing))
    setTimeline(made)
    return () => {
      made.dispose()
      setTimeline(null)
    }
  }, [])
  // Before anything is painted: what stands below the rows would move when their height is known.
  useLayoutEffect(() => {
    timeline?.setData(data)
  }, [timeline, data])
  return { mount, timeline, selected, area, following, heightPx, laneSaid }
}

/** A timeline shows nothing to whoever does not know how to move in it. */
const Invitation = () => (
  <>
    Select a bar, a gap or a variant to read its figures.{' '}
    <span className="tl-for-mouse">
      Drag to pan, <kbd>Ctrl</kbd> + wheel or <kbd>W</kbd> <kbd>S</kbd> to zoom.
    </span>
    <span className="tl-for-touch">Swipe to pan, pinch to zoom.</span>
  </>
)

/** The picture in a sentence or two, for whoever cannot see it. */
function describeRun({ placed, gaps }: TimelineData): string {
  const { trace, startOfAllNs, endOfAllNs } = placed
  if (trace.spans.length === 0) return 'The run has begun; nothing is recorded yet.'
  const lanes = trace.lanes.map(({ name }) => name).join(', ')
  const variants = variantsDrawn(placed)
  return [
    `${formatCount(trace.spans.length)} spans over ${formatDuration(endOfAllNs - startOfAllNs)}, on the lanes ${lanes}.`,
    variants.length === 0 ? '' : `Variants: ${variants.join(', ')}.`,
    gaps.length === 0
      ? ''
      : `The device was idle in ${formatCount(gaps.length)} gaps between passes; g steps through them.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** 'recorded on NVIDIA H200, 21 Nov 2026'; null for what was measured here. */
function provenance({ placed: { trace } }: TimelineData): string | null {
  const { origin } = trace.info
  if (origin === 'live') return null
  const date = dateOf(trace.info)
  const name = adapterName(trace.info)
  return `${origin === 'recorded' ? 'recorded on' : 'imported from'} ${name}${date === '' ? '' : `, ${date}`}`
}

export interface TimelinePaneProps {
  readonly placed: PlacedTrace
  readonly gaps: readonly Gap[]
  readonly live: boolean
  /** Host time of the newest evidence, ns. */
  readonly nowNs: number
  readonly onSelect?: (target: Target | null) => void
  /** The critical path of what is shown, worked out when it is first asked for. */
  readonly findPath?: () => Promise<DrawnPath>
  /** For tables beside it: selects and zooms from outside. Null again when it goes. */
  readonly onReady?: (timeline: Timeline | null) => void
  /** The picture alone: no legend, details or table. */
  readonly compact?: boolean
  /** Of any number of lanes: no higher than most of the window, rows scroll inside. */
  readonly tall?: boolean
}

interface BelowProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  readonly area: AreaSelection | null
  readonly path: DrawnPath | null
  /** Why there is no critical path. */
  readonly problem: string
  readonly children: ReactNode
}

/** Figures of what is selected, measured and summed, and what the marks mean. */
const Below = (props: BelowProps) => {
  const { data, timeline, selected, area, path, problem, children } = props
  return (
    <figcaption>
      <Details
        description={selected && describeTarget(data, selected)}
        invitation={!area && <Invitation />}
        onZoom={() => {
          if (selected) timeline?.zoomTo(selected)
        }}
        onClear={() => timeline?.select(null)}
      />
      {path && <PathWords path={path} timeline={timeline} />}
      {problem !== '' && (
        <p className="tl-note" role="status">
          No critical path: {problem}
        </p>
      )}
      {area && (
        <AreaSums
          area={area}
          placed={data.placed}
          onZoom={() => timeline?.zoomTo(area)}
          onClear={() => timeline?.selectArea(null)}
        />
      )}
      <Legend placed={data.placed} hasPath={path !== null} />
      <p className="tl-statusline cluster quiet">
        <span>{clockText(data)}</span>
        {data.live && data.placed.trace.spans.length > LONG_RUN_SPANS && (
          <span>the run goes on; the rest is drawn when it has ended</span>
        )}
      </p>
      {children}
    </figcaption>
  )
}

export const TimelinePane = (props: TimelinePaneProps) => {
  const { placed, gaps, live, nowNs, onSelect, findPath, onReady, compact, tall } = props
  const data = useMemo<TimelineData>(() => ({ placed, gaps, live, nowNs }), [placed, gaps, live, nowNs])
  const { mount, timeline, selected, area, following, heightPx, laneSaid } = useTimeline(data)
  useEffect(() => (onSelect ? timeline?.on('select', onSelect) : undefined), [timeline, onSelect])
  useEffect(() => {
    onReady?.(timeline)
  }, [timeline, onReady])
  const { path, problem } = usePath(timeline, live ? undefined : findPath)
  const figure = useRef<HTMLElement>(null)
  const helpId = useId()
  const [table, setTable] = useState({ open: false, asked: 0 })
  const summaryId = useId()
  const description = selected && describeTarget(data, selected)
  const ribbon = provenance(data)
  const summary = useMemo(() => describeRun(data), [data])
  const goToCanvas = () => figure.current?.querySelector<HTMLElement>('.tl-canvas')?.focus()
  const style: CSSProperties = { height: heightPx > 0 ? heightPx : undefined }
  return (
    <figure
      ref={figure}
      className="tl-pane shrinks tabular"
      data-compact={compact || undefined}
      data-tall={tall || undefined}
      data-recorded={ribbon !== null || undefined}
    >
      <Toolbar
        {...{ timeline, live, following, helpId }}
        gapCount={gaps.length}
        {...(findPath && !compact ? { path: { isShown: path !== null, isReady: !live } } : {})}
        search={!compact && <SearchField timeline={timeline} onLeave={goToCanvas} />}
      >
        {ribbon !== null && <span className="tl-ribbon nowrap">{ribbon}</span>}
        {live && <span className="tl-live nowrap">{following ? 'live' : 'live, not following'}</span>}
      </Toolbar>
      <div className="tl-frame panel">
        <div
          ref={mount}
          className="tl-canvas"
          style={style}
          role="application"
          aria-roledescription="timeline"
          aria-label="Timeline of host, queue, staging buffers and device"
          aria-describedby={summaryId}
          onKeyDownCapture={(event) => {
            const help = document.getElementById(helpId)
            if (event.key === '?') help?.togglePopover()
            if (event.key === 't' && !event.ctrlKey && !event.metaKey && !event.altKey)
              setTable({ open: true, asked: table.asked + 1 })
            if (event.key !== 'Escape' || !help?.matches(':popover-open')) return
            // The timeline takes Escape for itself, which would keep the help open: it closes
            // first.
            help.hidePopover()
            event.stopPropagation()
          }}
        />
        {placed.trace.spans.length === 0 && <p className="tl-empty quiet">Waiting for the first spans.</p>}
        <Tooltip timeline={timeline} data={data} />
      </div>
      <p id={summaryId} className="visually-hidden">
        {summary}
      </p>
      <p className="visually-hidden" aria-live="polite" data-testid="timeline-announcer">
        {path && !description
          ? spokenPath(path)
          : (description?.spoken ?? (area ? `${formatDuration(area.endNs - area.startNs)} selected` : ''))}
      </p>
      <p className="visually-hidden" aria-live="polite" data-testid="lanes-announcer">
        {laneSaid}
      </p>
      {!compact && (
        <Below {...{ data, timeline, selected, area, path, problem }}>
          <SpanTable
            data={data}
            timeline={timeline}
            selected={selected}
            open={table.open}
            onOpen={(open) => {
              if (open !== table.open) setTable({ open, asked: 0 })
            }}
            asked={table.asked}
            onLeave={goToCanvas}
          />
        </Below>
      )}
    </figure>
  )
}
