/** Figures and conditions of verdict.md. */
import { all, any, defineFigures, measured, metric, not, paramIs, word } from '../../text/define-figures'

const step = metric('step-ms')
const slowdown = metric('slowdown')
const hostFree = metric('host-free-ratio')
const kernel = metric('kernel-ms')
const deviceBusy = metric('device-busy-ratio')
const stall = metric('stall-ms')
const idlePerStall = metric('idle-per-stall-ms')
const read = metric('read-ms')

/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/** 'never' itself must keep the device busy, or something else starves it. */
const BUSY_ENOUGH = 0.5
/** A host that is free for less than this without a single read is itself what takes the time. */
const HOST_FREE_ENOUGH = 0.25
/**
 * Waiting for one read and copying it out must be at least so much of a step, else the reads are
 * not what makes the step long.
 */
const WAITS_ENOUGH = 0.5
/** Most of it. */
const HALF = 0.5
/** A kernel that takes so little longer takes as long. */
const NOTHING = 1.02

const slower = all(step('never').below(step('$often')), slowdown('$often').atLeast(WORTH_REPORTING))
const ofShape = paramIs('read', 'shape')
const hostTakesIt = hostFree('never').surelyLessThan(HOST_FREE_ENOUGH)
const sameKernel = any(
  kernel('never').overlaps(kernel('$often')),
  all(
    kernel('$often').over(kernel('never')).lessThan(NOTHING),
    kernel('never').over(kernel('$often')).lessThan(NOTHING),
  ),
)

export const figures = defineFigures({
  stepNever: step('never'),
  stepOften: step('$often'),
  often: word('often'),
  deviceBusyOftenBelowNever: deviceBusy('$often').below(deviceBusy('never')),
  deviceBusyNever: deviceBusy('never'),
  readWords: word('readWords'),
  oftenWords: word('oftenWords'),
  deviceBusyOften: deviceBusy('$often'),
  deviceBusyOftenIdle: deviceBusy('$often').as('idle'),
  hasBusyShares: measured(deviceBusy('never'), deviceBusy('$often')),
  timesAsLong: step('$often').over(step('never')).as('times'),
  stallOften: stall('$often'),
  idlePerStallOften: idlePerStall('$often'),
  kernelOften: kernel('$often'),
  sameKernel,
  kernelNever: kernel('never'),
  kernelNeverBelowOften: kernel('never').below(kernel('$often')),
  kernelOftenBelowNever: kernel('$often').below(kernel('never')),
  readIsMatrix: paramIs('read', 'matrix'),
  readOften: read('$often'),
  readIsBranch: paramIs('read', 'branch'),
  stepSeldomBelowOften: step('$seldom').below(step('$often')),
  seldomWords: word('seldomWords'),
  stepSeldom: step('$seldom'),
  deviceBusySeldom: deviceBusy('$seldom'),
  hasStepSeldom: measured(step('$seldom')),
  seldom: word('seldom'),
  hasLevelStretch: measured(stall('$short'), stall('$long')),
  kernelShort: kernel('$short'),
  stallShort: stall('$short'),
  kernelLong: kernel('$long'),
  stallLong: stall('$long'),
  idlePerStallShort: idlePerStall('$short'),
  idlePerStallLong: idlePerStall('$long'),
  kernelNext: kernel('$next'),
  stallNext: stall('$next'),
  metadataIsFree: all(ofShape, slowdown('$often').surelyLessThan(WORTH_REPORTING)),
  stepNeverBelowOften: step('never').below(step('$often')),
  stepNeverLikeOften: step('never').overlaps(step('$often')),
  busyWithShapes: deviceBusy('$often').surelyAtLeast(BUSY_ENOUGH),
  metadataNotFree: all(ofShape, step('never').below(step('$often'))),
  hostBound: all(
    not(ofShape),
    measured(slowdown('$often')),
    any(deviceBusy('never').lessThan(BUSY_ENOUGH), hostTakesIt),
  ),
  hostTakesIt,
  hostFreeNever: hostFree('never'),
  idleWithoutReads: deviceBusy('never').lessThan(BUSY_ENOUGH),
  stallHiddenByLongKernel: all(
    step('never').below(step('$often')),
    slowdown('$often').lessThan(WORTH_REPORTING),
  ),
  waitIsMostlyKernel: kernel('$often').over(stall('$often')).surelyAtLeast(HALF),
  stallDominates: all(
    slower,
    stall('$often').plus(read('$often').or(0)).over(step('$often')).atLeast(WAITS_ENOUGH),
  ),
  notTheReads: all(slower, measured(stall('$often'))),
  intervalsOverlap: any(step('never').overlaps(step('$often')), step('$often').below(step('never'))),
  stepOftenBelowNever: step('$often').below(step('never')),
})
