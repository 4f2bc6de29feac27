/** What the keys M, P and H do to the selection and its lane, for hands without a keyboard. */
import type { LanesState, Target, Timeline, TimelineData } from '../../../timeline'
import { laneOfTarget } from '../../../timeline'

export interface LaneActionsProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  readonly lanes: LanesState
}

export const LaneActions = ({ data, timeline, selected, lanes }: LaneActionsProps) => {
  const lane = selected && laneOfTarget(data, selected)
  if (lane === null || lane === undefined || !timeline) return null
  const isPinned = lanes.pinned.includes(lane)
  const isFolded = lanes.folded.includes(lane)
  return (
    <>
      <button
        type="button"
        className="tl-button"
        title="Measure from its begin; pressed again, from its end (m)"
        onClick={() => timeline.run('mark')}
      >
        Measure
      </button>
      <button
        type="button"
        className="tl-button"
        title={`${isPinned ? 'Its lane no longer stays on top' : 'Its lane stays on top'} (P)`}
        onClick={() => timeline.pinLane(lane, !isPinned)}
      >
        {isPinned ? 'Unpin lane' : 'Pin lane'}
      </button>
      {lanes.foldable.includes(lane) && (
        <button
          type="button"
          className="tl-button"
          title={`${isFolded ? 'All rows of its lane' : 'One row for its lane'} (H)`}
          onClick={() => timeline.foldLane(lane, !isFolded)}
        >
          {isFolded ? 'Unfold lane' : 'Fold lane'}
        </button>
      )}
    </>
  )
}
