/** Words for why the device was idle, and whether the host is to blame: the gap is then drawn in the colour of waiting. */
import type { GapCause } from '../analysis/types'

export const CAUSE_LABEL: Readonly<Record<GapCause, string>> = {
  'host-waited': 'host waited',
  'host-late': 'host was late',
  'upload-not-ready': 'upload not ready',
  'launch-overhead': 'launch overhead',
  unknown: 'cause unknown',
  'rank-waited': 'waited for a rank',
}

export { isHostCaused } from '../trace/gap-rows'
