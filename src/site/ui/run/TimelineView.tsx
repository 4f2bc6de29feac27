/**
 * The timeline, loaded when first wanted, with what it needs worked out; before a run, what will be
 * seen there.
 */
import { lazy, Suspense, useCallback } from 'react'
import type { DrawnPath } from '../../../analysis/types'
import type { Target, Timeline } from '../../../timeline/types'
import type { RunState } from '../../state/run-store'
import { isUnderWay } from '../../state/run-store'

const loadPane = async () => ({ default: (await import('../timeline/TimelinePane')).TimelinePane })
const TimelinePane = lazy(loadPane)

/**
 * For a page that is about to need it: its code is there when the first spans are. Where it does
 * not come, who needs it will say so.
 */
export const preloadTimeline = (): void => {
  loadPane().catch(() => null)
}

/** Lanes of a run that has not happened, named: nothing is drawn in them that was not measured. */
const EmptyLanes = ({ tall, children }: { readonly tall: boolean; readonly children: string }) => (
  <div className="timeline-empty panel stack-2" data-tall={tall || undefined}>
    {(['host', 'queue', 'staging', 'device'] as const).map((lane) => (
      <div key={lane} className="timeline-empty-lane stack">
        <span className={`term term-${lane}`}>{lane}</span>
        <span className="timeline-empty-line" />
      </div>
    ))}
    <p className="timeline-empty-text">
      <span>{children}</span>
    </p>
  </div>
)

export interface TimelineViewProps {
  /** Null: this page has no run yet. */
  readonly run: RunState | null
  readonly empty: string
  readonly compact?: boolean
  /** Of any number of lanes: no higher than most of the window. */
  readonly tall?: boolean
  readonly onSelect?: (target: Target | null) => void
  /** To be given a function that stays the same. */
  readonly onReady?: (timeline: Timeline | null) => void
  /**
   * Where it was followed elsewhere; else it is worked out from what is drawn. To be given a
   * function that stays the same.
   */
  readonly findPath?: () => Promise<DrawnPath>
}

export const TimelineView = (props: TimelineViewProps) => {
  const { run, empty, compact = false, tall = false, onSelect, onReady, findPath } = props
  // A run that ended before anything was recorded has nothing to draw.
  const drawn = run?.placed && (isUnderWay(run.phase) || run.placed.trace.spans.length > 0)
  const placed = drawn ? run.placed : null
  const ownPath = useCallback(
    async (): Promise<DrawnPath> =>
      placed
        ? (await import('../../../analysis/drawn-path')).drawnPathOf(placed)
        : { parts: [], problems: [] },
    [placed],
  )
  return (
    <div data-testid="timeline">
      {run && placed ? (
        <Suspense fallback={<EmptyLanes tall={tall}>Loading the timeline.</EmptyLanes>}>
          <TimelinePane
            placed={placed}
            gaps={run.gaps}
            live={isUnderWay(run.phase)}
            nowNs={run.nowNs}
            compact={compact}
            tall={tall}
            findPath={findPath ?? ownPath}
            {...(onSelect ? { onSelect } : {})}
            {...(onReady ? { onReady } : {})}
          />
        </Suspense>
      ) : (
        <EmptyLanes tall={false}>{empty}</EmptyLanes>
      )}
    </div>
  )
}
