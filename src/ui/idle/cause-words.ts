/** How causes of idle time are named, explained and marked: as the timeline brackets them, vermilion where the host caused the gap. */
import type { GapCause } from '../../state/idle-time'
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
    because: 'the host awaited a result before it submitted more',
    without: 'the host goes on at once where it awaited a result in a gap',
    hue: 'wait',
    mark: 'dots',
  },
  'host-late': {
    label: CAUSE_LABEL['host-late'],
    because: 'the host was still at work and had submitted nothing',
    without: 'what the host did during a gap no longer delays the device',
    hue: 'wait',
    mark: 'solid',
  },
  'upload-not-ready': {
    label: CAUSE_LABEL['upload-not-ready'],
    because: 'the next work waited for its data: a staging buffer to be free, filled or handed over',
    without:
      'the host waits for no staging buffer and no result in a gap, so the next upload is ready when the device is',
    hue: 'text-2',
    mark: 'lines',
  },
  'launch-overhead': {
    label: CAUSE_LABEL['launch-overhead'],
    because: 'the next pass was queued and had yet to start',
    without: 'queued work starts the moment the work before it ends',
    hue: 'text-2',
    mark: 'tint',
  },
  unknown: {
    label: CAUSE_LABEL.unknown,
    because: 'the evidence does not decide why',
    without: 'nothing can be taken away',
    hue: 'text-2',
    mark: 'dashed',
  },
}
