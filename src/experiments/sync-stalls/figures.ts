/** Figures and conditions of verdict.md. */
import { defineFigures, max, metric, all, any, measured, named, words } from '../../text/define-figures'

const step = metric('step-ms')
const slowdown = metric('slowdown')
const host = metric('host-ms')
const device = metric('device-ms')
const stall = metric('stall-ms')
const deviceBusy = metric('device-busy-ratio')

/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/** A step without reads takes as long as the longer of the two, and so much more for launches. */
const LIKE_THE_LONGER = 1.25
/** Host work and wait are at least so much of a step that reads, else something else is in it. */
const MOST_OF_IT = 0.75

const slower = all(step('never').below(step('$often')), slowdown('$often').atLeast(WORTH_REPORTING))
const longer = max(host('never'), device('never'))

export const figures = defineFigures({
  ...named({ step, deviceBusy }, 'never', '$often', '$seldom'),
  timesAsLong: slowdown('$often').as('times'),
  ...words('oftenWords', 'seldomWords', 'often', 'seldom'),
  ...named({ host }, 'never', '$often'),
  deviceNever: device('never'),
  stallOften: stall('$often'),
  hasBusyShares: measured(deviceBusy('never'), deviceBusy('$often')),
  readsEveryStep: measured(step('every-step')),
  seldomHelps: step('$seldom').below(step('$often')),
  hasSeldom: measured(step('$seldom')),
  hostIsLonger: device('never').below(host('never')),
  deviceIsLonger: host('never').below(device('never')),
  somethingElse: step('never').over(longer).atLeast(LIKE_THE_LONGER),
  readsExposeTheHost: all(
    slower,
    host('$often').plus(stall('$often')).over(step('$often')).atLeast(MOST_OF_IT),
  ),
  gainIsSmall: all(step('never').below(step('$often')), slowdown('$often').lessThan(WORTH_REPORTING)),
  notTheReads: all(slower, measured(stall('$often'))),
  intervalsOverlap: any(step('never').overlaps(step('$often')), step('$often').below(step('never'))),
  stepOftenBelowNever: step('$often').below(step('never')),
})
