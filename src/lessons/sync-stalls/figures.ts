/** Figures and conditions of the words beside it. */
import { all, defineFigures, max, metric, recording, share } from '../../text/define-figures'

const torchCurve = recording('torch-sync-stalls-curve')
const torchStalled = recording('torch-sync-stalls-stalled')
const torchMended = recording('torch-sync-stalls-mended')
const torchLate = recording('torch-sync-stalls-late')
const recorded = recording('sync-stalls')

const step = metric('step-ms')
const host = metric('host-ms')
const device = metric('device-ms')
const stall = metric('stall-ms')
const slowdown = metric('slowdown')
const deviceBusy = metric('device-busy-ratio')

const longer = max(host('never'), device('never'))
/** Both go on at once: a step takes little more than the longer of the two. */
const likeTheLonger = step('never').over(longer).lessThan(1.25)
const gained = step('never').below(step('every-step'))

export const figures = defineFigures({
  takesTurns: all(gained, slowdown('every-step').atLeast(1.5), likeTheLonger),
  gainsLittle: all(gained, slowdown('every-step').lessThan(1.5), likeTheLonger),
  slower: gained,
  stepNever: step('never'),
  stepEveryStep: step('every-step'),
  gain: slowdown('every-step').as('times'),
  host: host('every-step'),
  device: device('every-step'),
  late: stall('every-step').minus(device('every-step')),
  gainIsLessThanBefore: slowdown('every-step').below(recorded('slowdown', 'every-step')),
  deviceBusyEveryStep: deviceBusy('every-step'),
  torchShare: share(torchCurve('points[n=960].kernelMs'), torchCurve('points[n=960].idleMs')),
  torchFactor: torchCurve('points[n=960].stepMs').over(torchCurve('points[n=960].kernelMs')),
  torchKernel: torchCurve('points[n=960].kernelMs'),
  torchStalledIdlerThanMended: torchStalled('kernel-ratio').below(torchMended('kernel-ratio')),
  torchStalledIdle: torchStalled('idle-ratio'),
  torchLateIdleBelowStalledIdle: torchLate('idle-ratio').below(torchStalled('idle-ratio')),
  torchLateIdle: torchLate('idle-ratio'),
  torchMendedLaunchBelowKernel: torchMended('launch-us').below(torchMended('kernel-ms')),
  torchMendedLaunch: torchMended('launch-us'),
  torchMendedKernel: torchMended('kernel-ms'),
})
