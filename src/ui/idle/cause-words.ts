/** How causes of idle time are named, explained and marked, on every page: as the timeline brackets them, vermilion where the host caused the gap. */
import { causeWords, type GapCause } from '../../state/idle-time'
import { CAUSE_LABEL } from '../../timeline'
import type { SwatchName } from '../timeline/Swatch'

export interface CauseWords {
  readonly label: string
  /** To follow 'The device was idle because'. */
  readonly because: string
  /** To follow 'Without it': what the replay takes away. */
  readonly without: string
  readonly hue: 'wait' | 'text-2'
  readonly mark: SwatchName
}

export const CAUSES: Readonly<Record<GapCause, CauseWords>> = {
  'host-waited': {
    label: CAUSE_LABEL['host-waited'],
    because: causeWords['host-waited'],
    without: 'the host goes on at once where it awaited a result in a gap',
    hue: 'wait',
    mark: 'dots',
  },
  'host-late': {
    label: CAUSE_LABEL['host-late'],
    because: causeWords['host-late'],
    without: 'what the host did during a gap no longer delays the device',
    hue: 'wait',
    mark: 'solid',
  },
  'upload-not-ready': {
    label: CAUSE_LABEL['upload-not-ready'],
    because: causeWords['upload-not-ready'],
    without:
      'the host waits for no staging buffer and no result in a gap, so the next upload is ready when the device is',
    hue: 'text-2',
    mark: 'lines',
  },
  'launch-overhead': {
    label: CAUSE_LABEL['launch-overhead'],
    because: causeWords['launch-overhead'],
    without: 'queued work starts the moment the work before it ends',
    hue: 'text-2',
    mark: 'tint',
  },
  unknown: {
    label: CAUSE_LABEL.unknown,
    because: causeWords.unknown,
    without: 'nothing can be taken away',
    hue: 'text-2',
    mark: 'dashed',
  },
  'rank-waited': {
    label: CAUSE_LABEL['rank-waited'],
    because: causeWords['rank-waited'],
    without: 'nothing can be taken away: when the other rank would have come is not in a replay of this one',
    hue: 'wait',
    mark: 'dots',
  },
}
