/** The causes of idle time, in the order in which tables show them, and in words. Links hold their numbers: append, never reorder. */
import type { GapCause } from './types'

export const GAP_CAUSES: readonly GapCause[] = [
  'host-waited',
  'host-late',
  'upload-not-ready',
  'launch-overhead',
  'unknown',
  'rank-waited',
]

/** In a sentence: 'the device was idle because …'. The pages' only words for it (ui/idle/cause-words.ts). */
export const causeWords: Readonly<Record<GapCause, string>> = {
  'host-waited': 'the host waited for a result before it submitted more',
  'host-late': 'the host was still at work and had submitted nothing',
  'upload-not-ready': 'the next work waited for its data',
  'launch-overhead': 'the next pass was queued and had yet to start',
  unknown: 'the evidence does not decide why',
  'rank-waited': 'the host waited for another rank before it submitted more',
}
