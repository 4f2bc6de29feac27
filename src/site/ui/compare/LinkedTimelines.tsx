/**
 * Two timelines under each other on one axis: whatever moves one moves the other, and a step that is selected in one is selected in the
 * other. Their traces come aligned, with one extent, so the view of one is a view of the other as it stands.
 */
import { useEffect, useId, useMemo, useState, type CSSProperties } from 'react'
import { stepPair, type ShownComparison } from '../../state/comparison'
import {
  describeTarget,
  formatDuration,
  type Target,
  type Timeline,
  type TimelineData,
  type View,
} from '../../../timeline'
import { Legend } from '../timeline/Legend'
import { Tooltip } from '../timeline/Tooltip'
import { useTimeline, type TimelineState } from '../timeline/use-timeline'
import { Button } from '../Button'
import '../timeline/timeline.css'

/** Each view is handed on once: what comes back from the other is its own echo. */
function useLinkedViews(a: Timeline | null, b: Timeline | null): void {
  useEffect(() => {
    if (!a || !b) return undefined
    let isHandingOn = false
    const handOnTo = (other: Timeline) => (view: View) => {
      if (isHandingOn) return
      isHandingOn = true
      other.setView(view)
      isHandingOn = false
    }
    const offs = [a.on('view', handOnTo(b)), b.on('view', handOnTo(a))]
    return () => {
      for (const off of offs) off()
    }
  }, [a, b])
}

/** Selecting a step selects its counterpart, if it has one. */
function useLinkedSelection(a: Timeline | null, b: Timeline | null, { steps }: ShownComparison): void {
  useEffect(() => {
    if (!a || !b) return undefined
    let isHandingOn = false
    const handOnTo =
      (other: Timeline, counterparts: ReadonlyMap<number, number>) => (target: Target | null) => {
        if (isHandingOn) return
        const span = target?.type === 'span' ? counterparts.get(target.span) : undefined
        isHandingOn = true
        other.select(span === undefined ? null : { type: 'span', span })
        isHandingOn = false
      }
    const offs = [a.on('select', handOnTo(b, steps.inB)), b.on('select', handOnTo(a, steps.inA))]
    return () => {
      for (const off of offs) off()
    }
  }, [a, b, steps])
}

interface PaneProps {
  readonly side: 'A' | 'B'
  readonly caption: string
  readonly data: TimelineData
  readonly mount: TimelineState['mount']
  readonly timeline: Timeline | null
  readonly heightPx: number
  /** Where the two are drawn in different colours each has its own. */
  readonly withLegend: boolean
}

/** What was not measured here is drawn with less chroma, and its legend too. */
const isLive = ({ trace }: TimelineData['placed']): boolean => trace.info.origin === 'live'

const Pane = ({ side, caption, data, mount, timeline, heightPx, withLegend }: PaneProps) => {
  const style: CSSProperties = { height: heightPx > 0 ? heightPx : undefined }
  return (
    <figure
      className="tl-pane shrinks tabular compare-pane"
      data-compact
      data-recorded={isLive(data.placed) ? undefined : true}
    >
      <figcaption>
        <strong>{side}</strong> {caption}
      </figcaption>
      <div className="tl-frame panel">
        {/* createTimeline makes it focusable, and it takes keys as an application does: */}
        <div
          ref={mount}
          className="tl-canvas"
          style={style}
          role="application"
          aria-roledescription="timeline"
          aria-label={`Timeline of run ${side}`}
        />
        <Tooltip timeline={timeline} data={data} />
      </div>
      {withLegend && <Legend placed={data.placed} />}
    </figure>
  )
}

const asData = (placed: TimelineData['placed'], gaps: TimelineData['gaps']): TimelineData => ({
  placed,
  gaps,
  live: false,
  nowNs: placed.endOfAllNs,
})

function pairSentence(comparison: ShownComparison, spanA: number, spanB: number): string {
  const { aNs, bNs, changeNs, boundNs } = stepPair(comparison, spanA, spanB)
  const sign = changeNs > 0 ? '+' : ''
  const name = comparison.a.trace.strings[comparison.a.trace.spans.name[spanA] ?? -1] ?? ''
  const step = `${name === '' ? 'the step' : name}, repeat ${String(comparison.a.trace.spans.repeat[spanA])}, step ${String(comparison.a.trace.spans.step[spanA])}`
  return `The same step in both (${step}): A ${formatDuration(aNs)}, B ${formatDuration(bNs)}, difference ${sign}${formatDuration(changeNs)} ± ${formatDuration(boundNs)} (the steps of their clocks). One pair of steps is no verdict.`
}

export interface LinkedTimelinesProps {
  readonly comparison: ShownComparison
  readonly captionA: string
  readonly captionB: string
}

export const LinkedTimelines = ({ comparison, captionA, captionB }: LinkedTimelinesProps) => {
  const { opening, steps } = comparison
  const dataA = useMemo(() => asData(comparison.a, comparison.gapsA), [comparison])
  const dataB = useMemo(() => asData(comparison.b, comparison.gapsB), [comparison])
  const a = useTimeline(dataA, true)
  const b = useTimeline(dataB, true)
  useLinkedViews(a.timeline, b.timeline)
  useLinkedSelection(a.timeline, b.timeline, comparison)
  const helpId = useId()
  const isAlike = isLive(comparison.a) === isLive(comparison.b)
  const [last, setLast] = useState<'A' | 'B'>('A')

  // Begins with one repeat of each, from its first submit: what the table below speaks of.
  useEffect(() => {
    if (a.timeline && b.timeline) a.timeline.setView({ startNs: opening.start, endNs: opening.end })
  }, [a.timeline, b.timeline, opening])
  useEffect(() => {
    const offs = [
      a.timeline?.on('select', (target) => {
        if (target) setLast('A')
      }),
      b.timeline?.on('select', (target) => {
        if (target) setLast('B')
      }),
    ]
    return () => {
      for (const off of offs) off?.()
    }
  }, [a.timeline, b.timeline])

  const spanA = a.selected?.type === 'span' ? a.selected.span : undefined
  const spanB = spanA === undefined ? undefined : steps.inB.get(spanA)
  const own =
    last === 'A' || !b.selected ? { data: dataA, target: a.selected } : { data: dataB, target: b.selected }
  const said =
    spanA !== undefined && spanB !== undefined
      ? pairSentence(comparison, spanA, spanB)
      : own.target
        ? `${describeTarget(own.data, own.target)?.spoken ?? 'Selected'}. It has no counterpart in the other run.`
        : ''
  const actions = [
    { label: 'Zoom out', text: '−', act: () => a.timeline?.run('zoom', -1) },
    { label: 'Zoom in', text: '+', act: () => a.timeline?.run('zoom') },
    { label: 'Both runs whole', text: 'Whole runs', act: () => a.timeline?.run('whole') },
    {
      label: 'The first repeat of each',
      text: 'First repeat',
      act: () => a.timeline?.setView({ startNs: opening.start, endNs: opening.end }),
    },
  ]
  return (
    <section className="stack-8" aria-label="Both runs on one axis" aria-describedby={helpId}>
      <div className="tl-toolbar cluster-8-16 split tl-pane shrinks tabular">
        <p id={helpId} className="small quiet">
          0 is the first submit of each. Both move together: drag, Ctrl + wheel, or W A S D while one has
          focus.
        </p>
        <div className="tl-buttons cluster" role="toolbar" aria-label="View of both">
          {actions.map(({ label, text, act }) => (
            <Button key={label} look="timeline" label={text} aria-label={label} onClick={act} />
          ))}
        </div>
      </div>
      <Pane
        side="A"
        caption={captionA}
        data={dataA}
        mount={a.mount}
        timeline={a.timeline}
        heightPx={a.heightPx}
        withLegend={!isAlike}
      />
      <Pane
        side="B"
        caption={captionB}
        data={dataB}
        mount={b.mount}
        timeline={b.timeline}
        heightPx={b.heightPx}
        withLegend={!isAlike}
      />
      <p className="compare-said small" role="status" data-testid="compare-said">
        {said === '' ? 'Select a step in one: its counterpart in the other is selected too.' : said}
      </p>
      {isAlike && (
        <div className="tl-pane shrinks tabular" data-recorded={isLive(comparison.a) ? undefined : true}>
          <Legend
            placed={
              comparison.a.trace.lanes.length >= comparison.b.trace.lanes.length ? comparison.a : comparison.b
            }
          />
        </div>
      )}
    </section>
  )
}
