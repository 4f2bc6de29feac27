/** What a run was measured on and when, in words. */
import type { Report } from '../../trace/report'
import type { RecordedOrigin } from '../../text/recorded'
import { type RunInfo, adapterNameOf } from '../../trace/schema'

export const adapterName = (info: RunInfo): string => adapterNameOf(info) || 'an unnamed adapter'

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** '21 Nov 2026'; '' where the run does not say. */
export function dateOf({ startedAt }: Pick<RunInfo, 'startedAt'>): string {
  const time = Date.parse(startedAt)
  return Number.isFinite(time) ? DATE.format(time) : ''
}

/** A figure's origin: 'measured on Apple M3', 'recorded on NVIDIA H200, 21 Nov 2026'. */
export const whereMeasured = (
  { environment, startedAt }: Pick<Report, 'environment' | 'startedAt'>,
  origin: RunInfo['origin'],
): string =>
  origin === 'live'
    ? `measured on ${environment.adapterName}`
    : `recorded on ${environment.adapterName}, ${dateOf({ startedAt })}`

/** 'NVIDIA H200, 22 Nov 2026'. */
export const originInWords = ({ device, date }: RecordedOrigin): string =>
  [device, dateOf({ startedAt: date })].filter((part) => part !== '').join(', ')
