/** What the comparisons with CUDA share: whose run it was, and whether it may be compared at all. */
import type { Metric } from '../trace/report'
import type { Quote } from './lesson'

/** 'your GPU', or the machine by name where the run was recorded or imported. */
export const whose = ({ origin, report }: Quote): string =>
  origin === 'live' || origin === undefined ? 'your device' : report.environment.adapterName

/** A run that does not count, or whose results were wrong, is not laid beside anything. */
export const isSound = ({ report }: Quote): boolean =>
  report.validity.valid && report.verification.failed === 0 && report.verification.checked > 0

/** Whether a metric lies wholly below (-1) or above (1) a figure that has no interval; 0 where it cannot be told. */
export function side({ value, low, high }: Metric, figure: number): -1 | 0 | 1 {
  if (value === null) return 0
  if ((high ?? value) < figure) return -1
  return (low ?? value) > figure ? 1 : 0
}

export const NOT_MEASURED =
  'Beside it stands nothing of yours so far: run the experiment above, and the table fills.'
export const UNSOUND = 'The run on this page does not count, so it is not compared here.'
