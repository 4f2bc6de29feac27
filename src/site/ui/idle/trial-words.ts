/** What is said of a prediction and of how it fared. One sentence each, with the figures; every branch has its own heading. */
import type { Outcome, Prediction, Trial } from '../../state/idle-time'
import { formatMetric, formatQuantity, formatTimes } from '../format'
import { threeFigures } from './figures'

/** Whose machine the figures are of. */
type Machine = 'here' | 'recorded'

const HEADINGS: Readonly<Record<Outcome, string>> = {
  'as-predicted': 'As predicted',
  faster: 'Faster than predicted',
  slower: 'Slower than predicted',
  'not-decided': 'Not decided',
  'no-gain': 'Not on your machine',
}

export const trialHeading = (outcome: Outcome, machine: Machine): string =>
  outcome === 'no-gain' && machine === 'recorded' ? 'Not on the recorded machine' : HEADINGS[outcome]

export function trialText({ remedy, tested }: Trial, { now, predicted, variant }: Prediction): string {
  const { measured, outcome, ratio, why } = tested
  const { figure, range } = threeFigures(predicted)
  const took = `a repeat of ${remedy.by} took ${formatMetric(measured)}, and ${figure} (${range}) was predicted`
  const of = ratio === null ? '' : ` (${formatTimes(ratio)} the prediction)`
  switch (outcome) {
    case 'as-predicted':
      return `Measured: ${took}${of}. The interval measured lies within the one predicted, and clear of the ${formatMetric(now)} of ${variant}.`
    case 'faster':
      return `Measured: ${took}${of}; the intervals do not meet. ${remedy.by} does without more than this one cause.`
    case 'slower':
      return `Measured: ${took}${of}; the intervals do not meet. Something that the replay does not know became the limit, such as work that slows what runs beside it.`
    case 'no-gain':
      return `Measured: ${took}, but ${variant} takes no longer: ${formatMetric(now)}. Taking this cause away brought nothing.`
    case 'not-decided':
      return `Measured: ${took}${of}, but ${why}.`
  }
}

/** What would set the pace then: the largest of what cannot be taken away. */
export function limitText({ limits, predicted, waits }: Prediction): string {
  const { deviceMs, hostMs } = limits
  const device = `the device’s own work takes ${formatQuantity(deviceMs, 'ms')}`
  const host = `the host’s own ${formatQuantity(hostMs, 'ms')}`
  const most = Math.max(deviceMs, hostMs)
  const pace =
    predicted.value === null || most < predicted.value / 2
      ? 'Round trips would still set the pace'
      : deviceMs >= hostMs
        ? 'The device would then set the pace'
        : 'The host would then set the pace'
  const taken = waits > 0 ? ` In the median repeat ${String(waits)} of its waits are taken away.` : ''
  return `${pace}: ${device}, ${host}.${taken}`
}
