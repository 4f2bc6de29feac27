/**
 * The timeline with everything round it: what it shows in words, figures of what is selected, sums of an area, legend, table, keys.
 * It draws what it is given; whatever must be worked out from the trace (gaps, sums) comes in as props.
 */
import { useEffect, useId, useMemo, useRef, useState, type CSSProperties } from 'react'
import {
  clockState,
  describeTarget,
  formatCount,
  formatDuration,
  type AreaSelection,
  type DrawnPath,
  type Gap,
  type Target,
  type TimelineData,
  type Timeline,
} from '../../../timeline'
import type { PlacedTrace } from '../../../trace/place'
import { AreaSums, type AreaSum } from './AreaSums'
import { Causality } from './Causality'
import { Details } from './Details'
import { FirstHint } from './FirstHint'
import { LaneActions } from './LaneActions'
import { RulerReadout, RulerVoice } from './RulerReadout'
import { Legend } from './Legend'
import { PathWords, spokenPath } from './PathWords'
import { SearchField } from './SearchField'
import { describeRun, provenance } from './summary'
import { SpanTable } from './SpanTable'
import { Toolbar } from './Toolbar'
import { Tooltip } from './Tooltip'
import { useFrameCost, useTimeline } from './use-timeline'
import { usePath } from './use-path'
import './timeline.css'
import './hands.css'

export type { AreaSum } from './AreaSums'

export interface TimelinePaneProps {
  readonly placed: PlacedTrace
  readonly gaps: readonly Gap[]
  readonly live: boolean
  /** Host time of the newest evidence, ns. */
  readonly nowNs: number
  /** Per lane and kind: the time, count and bytes of an area. */
  readonly sums: (area: AreaSelection) => readonly AreaSum[]
  readonly onSelect?: (target: Target | null) => void
  /** The critical path of what is shown, worked out when it is first asked for. */
  readonly findPath?: () => Promise<DrawnPath>
  /** For tables beside it: selects and zooms from outside. Null again when it goes. */
  readonly onReady?: (timeline: Timeline | null) => void
  /** The picture alone, in fewer pixels: no legend, details or table. */
  readonly compact?: boolean
  /** Of any number of lanes: no higher than most of the window, rows scroll inside. */
  readonly tall?: boolean
}

export const TimelinePane = ({
  placed,
  gaps,
  live,
  nowNs,
  sums,
  onSelect,
  findPath,
  onReady,
  compact = false,
  tall = false,
}: TimelinePaneProps) => {
  const data = useMemo<TimelineData>(() => ({ placed, gaps, live, nowNs }), [placed, gaps, live, nowNs])
  const { mount, timeline, selected, area, following, heightPx, ruler, lanes } = useTimeline(data, compact)
  useEffect(() => (onSelect ? timeline?.on('select', onSelect) : undefined), [timeline, onSelect])
  useEffect(() => {
    onReady?.(timeline)
  }, [timeline, onReady])
  const { path, problem } = usePath(timeline, live ? undefined : findPath)
  /** Kept from one selection to the next. */
  const [isChainWhole, setChainWhole] = useState(false)
  useEffect(() => timeline?.on('chain', setChainWhole), [timeline])
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
        timeline={timeline}
        live={live}
        following={following}
        gapCount={gaps.length}
        helpId={helpId}
        {...(findPath && !compact ? { path: { isShown: path !== null, isReady: !live } } : {})}
        search={!compact && <SearchField timeline={timeline} onLeave={goToCanvas} />}
      >
        {ribbon !== null && <span className="tl-ribbon nowrap">{ribbon}</span>}
        {live && <span className="tl-live nowrap">{following ? 'live' : 'live, not following'}</span>}
        {!compact && ribbon === null && !live && <FirstHint timeline={timeline} />}
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
            // The timeline takes Escape for itself, which would keep the help open: it closes first.
            help.hidePopover()
            event.stopPropagation()
          }}
        />
        {placed.trace.spans.length === 0 && (
          <p className="tl-empty quiet">
            {live ? 'Waiting for the first spans.' : 'Nothing was recorded. Press Run to measure.'}
          </p>
        )}
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
      <RulerVoice reading={ruler} lanes={lanes} />
      {!compact && (
        <figcaption>
          <Legend placed={placed} hasPath={path !== null} />
          <StatusLine timeline={timeline} data={data} />
          <RulerReadout timeline={timeline} reading={ruler} />
          <Details
            description={description}
            invitation={area ? '' : 'Select a bar, a gap or a variant to read its figures.'}
            onZoom={() => {
              if (selected) timeline?.zoomTo(selected)
            }}
            onClear={() => timeline?.select(null)}
            actions={<LaneActions data={data} timeline={timeline} selected={selected} lanes={lanes} />}
          >
            <Causality data={data} timeline={timeline} selected={selected} isWhole={isChainWhole} />
          </Details>
          {path && <PathWords path={path} timeline={timeline} />}
          {problem !== '' && (
            <p className="tl-note" role="status">
              No critical path: {problem}
            </p>
          )}
          {area && (
            <AreaSums
              area={area}
              sums={sums(area)}
              lanes={placed.trace.lanes}
              onZoom={() => timeline?.zoomTo(area)}
              onClear={() => timeline?.selectArea(null)}
            />
          )}
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
        </figcaption>
      )}
    </figure>
  )
}

const StatusLine = ({
  timeline,
  data,
}: {
  readonly timeline: Timeline | null
  readonly data: TimelineData
}) => {
  const costMs = useFrameCost(timeline)
  const clock = clockState(data)
  return (
    <p className="tl-statusline cluster quiet">
      <span data-state={clock.state}>{clock.text}</span>
      {data.placed.omittedSpans > 0 && (
        <span>
          the newest {formatCount(data.placed.trace.spans.length)} spans, while the run goes on; all{' '}
          {formatCount(data.placed.omittedSpans + data.placed.trace.spans.length)} when it ends
        </span>
      )}
      {costMs !== null && (
        <span title="Of the lab’s own script. What the browser adds to show it, a page cannot read.">
          drawing costs {formatDuration(costMs * 1e6)} a frame (median)
        </span>
      )}
    </p>
  )
}
