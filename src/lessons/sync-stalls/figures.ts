/** Figures and conditions of the words beside it. */
import {
  all,
  defineFigures,
  measured,
  metric,
  not,
  ran,
  reason,
  recording,
  share,
  software,
  timestamps,
} from '../../text/define-figures'

const torchCurve = recording('torch-sync-stalls-curve')
const firstRun = recording('sync-stalls')
const longer = recording('sync-stalls/longer')
const torchStalled = recording('torch-sync-stalls-stalled')
const torchMended = recording('torch-sync-stalls-mended')
const torchLate = recording('torch-sync-stalls-late')

const stall = metric('stall-ms')
const kernel = metric('kernel-ms')
const idlePerStall = metric('idle-per-stall-ms')
const deviceBusy = metric('device-busy-ratio')
const read = metric('read-ms')
const step = metric('step-ms')

export const figures = defineFigures({
  torchCurveKernelAt960Share: share(torchCurve('points[n=960].kernelMs'), torchCurve('points[n=960].idleMs')),
  torchCurveKernelAt960: torchCurve('points[n=960].kernelMs'),
  torchCurveStepOverKernelAt960: torchCurve('points[n=960].stepMs').over(
    torchCurve('points[n=960].kernelMs'),
  ),
  torchCurveStepAt960: torchCurve('points[n=960].stepMs'),
  torchCurveFirstKernelShare: share(torchCurve('points[first].kernelMs'), torchCurve('points[first].idleMs')),
  torchCurveFirstKernel: torchCurve('points[first].kernelMs'),
  torchCurveKernelFromIdle: torchCurve('points.kernelMs@idleMs<=kernelMs'),
  torchCurveKernelFrom9Idle: torchCurve('points.kernelMs@9*idleMs<=kernelMs'),
  ranAndNotSoftware: all(ran, not(software)),
  recordedWaitIsLevel: all(
    ran,
    firstRun('stall-ms', 'every-step').overlaps(longer('stall-ms', 'every-step')),
  ),
  recordedKernelEveryStep: firstRun('kernel-ms', 'every-step'),
  longerKernelEveryStep: longer('kernel-ms', 'every-step'),
  longerStallEveryStep: longer('stall-ms', 'every-step'),
  recordedStallEveryStep: firstRun('stall-ms', 'every-step'),
  ranAndSoftware: all(ran, software),
  waitIsLevelHere: all(ran, not(software), measured(stall('$short'), stall('$long'))),
  kernelShort: kernel('$short'),
  kernelLong: kernel('$long'),
  stallShort: stall('$short'),
  stallLong: stall('$long'),
  idlePerStallLong: idlePerStall('$long'),
  idlePerStallShort: idlePerStall('$short'),
  curveIsDrawnHere: all(ran, not(software), measured(stall('every-step@0.05'))),
  hasKernelHalfAndMost: measured(kernel('$half'), kernel('$most')),
  kernelHalf: kernel('$half'),
  kernelMost: kernel('$most'),
  hasKernelHalf: measured(kernel('$half')),
  kernelEveryStepAt8p6: kernel('every-step@8.6'),
  deviceBusyEveryStepAt8p6: deviceBusy('every-step@8.6'),
  longestKernelsBelowHalf: deviceBusy('every-step@8.6').lessThan(0.5),
  ranAndTimestamps: all(ran, timestamps),
  torchCurveFirstIdle: torchCurve('points[first].idleMs'),
  torchCurveFirstIdleShare: torchCurve('points[first].idleMs').over(
    torchCurve('points[first].kernelMs').plus(torchCurve('points[first].idleMs')),
  ),
  torchCurveKernelAt5280: torchCurve('points[n=5280].kernelMs'),
  torchCurveIdleAt5280: torchCurve('points[n=5280].idleMs'),
  torchCurveIdleShareAt5280: torchCurve('points[n=5280].idleMs').over(
    torchCurve('points[n=5280].kernelMs').plus(torchCurve('points[n=5280].idleMs')),
  ),
  stallEveryStepBelowReadEveryStep: stall('every-step').below(read('every-step')),
  readEveryStep: read('every-step'),
  stallEveryStep: stall('every-step'),
  readEveryStepBelowStallEveryStep: read('every-step').below(stall('every-step')),
  hasReadEveryStepAndStallEveryStep: measured(read('every-step'), stall('every-step')),
  asMetadataIsFree: reason('metadata-is-free'),
  stepEveryStep: step('every-step'),
  stepNever: step('never'),
  deviceBusyEveryStep: deviceBusy('every-step'),
  torchIdleBelowRecorded: torchCurve('points[n=960].idleMs').below(
    firstRun('idle-per-stall-ms', 'every-step'),
  ),
  recordedIdlePerStallEveryStep: firstRun('idle-per-stall-ms', 'every-step'),
  torchCurveIdleAt960: torchCurve('points[n=960].idleMs'),
  deviceBusyEveryStepBelow50Percent: deviceBusy('every-step').surelyLessThan(0.5),
  kernelNeverLikeEveryStep: kernel('never').overlaps(kernel('every-step')),
  kernelEveryStep: kernel('every-step'),
  kernelNever: kernel('never'),
  kernelNeverBelowEveryStep: kernel('never').below(kernel('every-step')),
  waitLevelOverKernels: all(
    kernel('$short').below(kernel('$long')),
    stall('$short').overlaps(stall('$long')),
  ),
  kernelLongMinusShort: kernel('$long').minus(kernel('$short')),
  stallLongBelowNext: stall('$long').below(stall('$next')),
  kernelNext: kernel('$next'),
  stallNext: stall('$next'),
  torchStalledIdlerThanMended: torchStalled('kernel-ratio').below(torchMended('kernel-ratio')),
  torchStalledIdle: torchStalled('idle-ratio'),
  torchLateIdleBelowStalledIdle: torchLate('idle-ratio').below(torchStalled('idle-ratio')),
  torchLateIdle: torchLate('idle-ratio'),
  torchMendedLaunchBelowKernel: torchMended('launch-us').below(torchMended('kernel-ms')),
  torchMendedLaunch: torchMended('launch-us'),
  torchMendedKernel: torchMended('kernel-ms'),
})
