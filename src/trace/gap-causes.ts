/** What the causes of idle time are called, and what each means: the only words for them, on every page and in the timeline. */
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
  /** Drawn in the colour of waiting. */
  readonly isHosts: boolean
}

export const CAUSES: Readonly<Record<GapCause, CauseWords>> = {
  'host-waited': {
    label: 'host waited',
    because: 'the host waited for a result before it submitted more',
    means: 'The host was waiting for a result before it submitted more.',
    without: 'the host goes on at once where it awaited a result in a gap',
    isHosts: true,
  },
  'host-late': {
    label: 'host was late',
    because: 'the host was still at work and had submitted nothing',
    means: 'The host was at work and had submitted nothing.',
    without: 'what the host did during a gap no longer delays the device',
    isHosts: true,
  },
  'upload-not-ready': {
    label: 'upload not ready',
    because: 'the next work waited for its data',
    means: 'What came next waited for its bytes.',
    without:
      'the host waits for no staging buffer and no result in a gap, so the next upload is ready when the device is',
    isHosts: false,
  },
  'launch-overhead': {
    label: 'launch overhead',
    because: 'the next pass was queued and had yet to start',
    means: 'The next work was queued and had yet to start.',
    without: 'queued work starts the moment the work before it ends',
    isHosts: false,
  },
  unknown: {
    label: 'cause unknown',
    because: 'the evidence does not decide why',
    means: 'The evidence in the file does not decide why.',
    without: 'nothing can be taken away',
    isHosts: false,
  },
  'rank-waited': {
    label: 'waited for a rank',
    because: 'the host waited for another rank before it submitted more',
    means: 'The host was waiting for another rank, in send() or recv() or another collective.',
    without: 'nothing can be taken away: when the other rank would have come is not in a replay of this one',
    isHosts: true,
  },
}

/** Of each of GAP_CAUSES something. */
export const byCause = <Value>(of: (cause: GapCause) => Value): Record<GapCause, Value> =>
  Object.fromEntries(GAP_CAUSES.map((cause) => [cause, of(cause)])) as Record<GapCause, Value> // one for each
