/** What the causes of idle time are called, what each means and how it is marked: the only table of it, for every page, the timeline and the terminal. */
import { GAP_CAUSES, type GapCause } from './gaps'

export interface CauseWords {
  /** Its name. */
  readonly label: string
  /** To follow 'The device was idle because'. */
  readonly because: string
  /** What it means in any file, by whatever API: a sentence. */
  readonly means: string
  /** To follow 'Without it': what the replay takes away (analysis/what-if.ts). */
  readonly without: string
  /** Of a rank that the others wait for, what made it late: to follow 'the others wait for it:'. */
  readonly delays: string
  /** Drawn in the colour of waiting. */
  readonly isHosts: boolean
  /** How its swatches and the parts of its bars are filled. */
  readonly mark: 'dots' | 'solid' | 'lines' | 'tint' | 'dashed'
}

export const CAUSES: Readonly<Record<GapCause, CauseWords>> = {
  'host-waited': {
    label: 'host waited',
    because: 'the host waited for a result before it submitted more',
    means: 'The host was waiting for a result before it submitted more.',
    without: 'the host goes on at once where it awaited a result in a gap',
    delays: 'its host waits for results before it launches more',
    isHosts: true,
    mark: 'dots',
  },
  'host-late': {
    label: 'host was late',
    because: 'the host was still at work and had submitted nothing',
    means: 'The host was at work and had submitted nothing.',
    without: 'what the host did during a gap no longer delays the device',
    delays: 'its host launches its work late',
    isHosts: true,
    mark: 'solid',
  },
  'upload-not-ready': {
    label: 'upload not ready',
    because: 'the next work waited for its data',
    means: 'What came next waited for its bytes.',
    without:
      'the host waits for no staging buffer and no result in a gap, so the next upload is ready when the device is',
    delays: 'its data is copied late',
    isHosts: false,
    mark: 'lines',
  },
  'launch-overhead': {
    label: 'launch overhead',
    because: 'the next pass was queued and had yet to start',
    means: 'The next work was queued and had yet to start.',
    without: 'queued work starts the moment the work before it ends',
    delays: 'its queued work starts late',
    isHosts: false,
    mark: 'tint',
  },
  unknown: {
    label: 'cause unknown',
    because: 'the evidence does not decide why',
    means: 'The evidence in the file does not decide why.',
    without: 'nothing can be taken away',
    delays: 'its file does not show why',
    isHosts: false,
    mark: 'dashed',
  },
  'rank-waited': {
    label: 'waited for a rank',
    because: 'the host waited for another rank before it submitted more',
    means: 'The host was waiting for another rank, in send() or recv() or another collective.',
    without: 'nothing can be taken away: when the other rank would have come is not in a replay of this one',
    delays: 'its host waits for another rank',
    isHosts: true,
    mark: 'dots',
  },
}

/** Of each of GAP_CAUSES something. */
export const byCause = <Value>(of: (cause: GapCause) => Value): Record<GapCause, Value> =>
  Object.fromEntries(GAP_CAUSES.map((cause) => [cause, of(cause)])) as Record<GapCause, Value> // one for each
