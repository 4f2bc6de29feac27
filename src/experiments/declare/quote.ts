/** How prose quotes a measurement, and what prose is. */
import type { Metric, Report } from '../../trace/report'

/**
 * Prose: paragraphs of inline markup, one string a paragraph. `code`, *emphasis*, **strong**, [text](https://…) and nothing else.
 * A term in double brackets with a colour key, [[device:the device]], is drawn in that lane's hue
 * (keys: host, wait, queue, staging, transfer, device, idle).
 */
export type Prose = readonly string[]

/** Each returns null-safe text: 'not measured: reason' instead of a made-up number. */
export interface Quote {
  /** '9.1 % ± 0.2', with unit and bound. */
  readonly metric: (name: string, variant?: string) => string
  /** The raw metric, to branch on. */
  readonly get: (name: string, variant?: string) => Metric | undefined
  readonly report: Report
  /** Where the run is from; left out means live. Prose must not call a recorded machine the reader's own. */
  readonly origin?: 'live' | 'recorded' | 'imported'
}
