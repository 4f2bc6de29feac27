/** Figures and conditions of the words beside it. */
import { all, defineFigures, measured, metric, param, recording } from '../../text/define-figures'

const torch = recording('torch-streams-and-events')
const torchEventBefore = recording('torch-streams-and-events-event-before')
const torchAllWork = recording('torch-streams-and-events-all-work')
const torchOwnEvent = recording('torch-streams-and-events-own-event')

const completionLag = metric('completion-lag-ms')
const firstResult = metric('first-result-ms')
const allOf = metric('all-ms')
const kernel = metric('kernel-ms')
const firstShare = metric('first-share')
const letThrough = metric('let-through')
const waited = metric('waited')
const refused = metric('refused')
const slowdown = metric('slowdown')

export const figures = defineFigures({
  torchFirstFirstOverAll: torch('first.firstMs').over(torch('first.allMs')),
  torchFirstFirst: torch('first.firstMs'),
  torchFirstAll: torch('first.allMs'),
  hasCompletionLagWaitOne: measured(completionLag('wait-one')),
  completionLagWaitOne: completionLag('wait-one'),
  firstResultWaitOneBelowWaitAll: firstResult('wait-one').below(firstResult('wait-all')),
  firstResultWaitOne: firstResult('wait-one'),
  firstResultWaitAll: firstResult('wait-all'),
  firstResultWaitOneLikeWaitAll: firstResult('wait-one').overlaps(firstResult('wait-all')),
  allWaitOneBelowTwoDevices: allOf('wait-one').below(allOf('two-devices')),
  allTwoDevices: allOf('two-devices'),
  allWaitOne: allOf('wait-one'),
  allTwoDevicesBelowWaitOne: allOf('two-devices').below(allOf('wait-one')),
  allTwoDevicesLikeWaitOne: allOf('two-devices').overlaps(allOf('wait-one')),
  kernelWaitOneBelowTwoDevices: kernel('wait-one').below(kernel('two-devices')),
  kernelTwoDevices: kernel('two-devices'),
  kernelWaitOne: kernel('wait-one'),
  productsBelowFirstResult: kernel('wait-one').times(param('steps')).below(firstResult('wait-one')),
  steps: param('steps'),
  kernelWaitOneTimesSteps: kernel('wait-one').times(param('steps')),
  twoKernelsBelowFirstResult: kernel('wait-one').times(2).below(firstResult('wait-one')),
  firstShareWaitOneAtLeast75Percent: firstShare('wait-one').surelyAtLeast(0.75),
  firstShareWaitOneBelowWaitAll: firstShare('wait-one').below(firstShare('wait-all')),
  firstShareWaitOneLikeWaitAll: firstShare('wait-one').overlaps(firstShare('wait-all')),
  hasFirstResultWaitOneAndAllWaitOne: measured(firstResult('wait-one'), allOf('wait-one')),
  firstResultShareWaitOne: firstResult('wait-one').over(allOf('wait-one')),
  firstResultIsSoon: firstResult('wait-one').over(kernel('wait-one')).lessThan(2),
  torchForgottenWrongShare: torch('race.forgottenWrong').over(torch('race.checked')),
  letThroughRaceAtLeast1: letThrough('race').atLeast(1),
  letThroughRace: letThrough('race'),
  waitedRaceAtLeast1: waited('race').atLeast(1),
  refusedRace: refused('race'),
  waitedRace: waited('race'),
  torchRaceEventWrong: torch('race.eventWrong'),
  torchRaceOneStreamWrong: torch('race.oneStreamWrong'),
  torchOneAt4096: torch('points[n=4096].oneMs'),
  torchTwoAt4096: torch('points[n=4096].twoMs'),
  torchOneAt1024: torch('points[n=1024].oneMs'),
  torchTwoAt1024: torch('points[n=1024].twoMs'),
  torchTwoAt960BelowOneAt960: torch('points[n=960].twoMs').below(torch('points[n=960].oneMs')),
  torchOneAt960: torch('points[n=960].oneMs'),
  torchTwoAt960: torch('points[n=960].twoMs'),
  oneStreamBeatsTwoWhenSmall: all(
    torch('points[n=128].oneMs').below(torch('points[n=128].twoMs')),
    torch('points[n=512].oneMs').below(torch('points[n=512].twoMs')),
  ),
  torchTwoAt512: torch('points[n=512].twoMs'),
  torchOneAt512: torch('points[n=512].oneMs'),
  torchTwoAt128: torch('points[n=128].twoMs'),
  torchOneAt128: torch('points[n=128].oneMs'),
  torchTwoOverOneAt128: torch('points[n=128].twoMs').over(torch('points[n=128].oneMs')).as('times'),
  recordStreamWrongShare: torch('recordStream.withoutWrong').over(torch('recordStream.checked')),
  torchRecordStreamWithWrong: torch('recordStream.withWrong'),
  slowdownTwoDevicesAtLeast80Percent: slowdown('two-devices').surelyAtLeast(0.8),
  fourKernelsBelowFirstResult: kernel('wait-one').times(4).below(firstResult('wait-one')),
  torchEventBeforeStepBelowAllWorkStep: torchEventBefore('step-ms').below(torchAllWork('step-ms')),
  torchAllWorkIdle: torchAllWork('idle-ratio'),
  torchEventBeforeIdleBelowOwnEventIdle: torchEventBefore('idle-ratio').below(torchOwnEvent('idle-ratio')),
  torchOwnEventIdle: torchOwnEvent('idle-ratio'),
  torchEventBeforeIdle: torchEventBefore('idle-ratio'),
})
