/** Figures and conditions of the words beside it. */
import {
  all,
  defineFigures,
  metric,
  not,
  ran,
  reason,
  recording,
  software,
  us,
} from '../../text/define-figures'

const torchQueued = recording('torch-async-submission-queued')
const firstRun = recording('async-submission')
const shortKernels = recording('async-submission/short-kernels')
const torchAwaited = recording('torch-async-submission-awaited')
const torchBounded = recording('torch-async-submission-bounded')

const hostFree = metric('host-free-ratio')
const step = metric('step-ms')
const deviceBusy = metric('device-busy-ratio')
const queueDepthMax = metric('queue-depth-max')
const launchGap = metric('launch-gap-us')
const submit = metric('submit-us')
const kernel = metric('kernel-ms')

export const figures = defineFigures({
  torchQueuedLaunch: torchQueued('launch-us'),
  torchQueuedKernel: torchQueued('kernel-ms'),
  hostFreeQueuedAtLeast50Percent: hostFree('queued').surelyAtLeast(0.5),
  hostFreeQueued: hostFree('queued'),
  ranAndNotSoftware: all(ran, not(software)),
  recordedGapGrowsWithShortKernels: all(
    ran,
    firstRun('launch-gap-us', 'await-each').below(shortKernels('launch-gap-us', 'await-each')),
  ),
  shortKernelsLaunchGapAwaitEachMs: shortKernels('launch-gap-us', 'await-each').as('ms'),
  shortKernelsKernelAwaitEach: shortKernels('kernel-ms', 'await-each'),
  recordedLaunchGapAwaitEachMs: firstRun('launch-gap-us', 'await-each').as('ms'),
  recordedKernelAwaitEach: firstRun('kernel-ms', 'await-each'),
  stepQueuedBelowAwaitEach: step('queued').below(step('await-each')),
  stepQueued: step('queued'),
  stepAwaitEach: step('await-each'),
  stepAwaitEachMinusQueued: step('await-each').minus(step('queued')),
  stepQueuedLikeAwaitEach: step('queued').overlaps(step('await-each')),
  deviceBusyAwaitEach: deviceBusy('await-each'),
  torchLaunchIsShort: torchQueued('launch-us').over(torchQueued('kernel-ms')).lessThan(0.1),
  torchBeyondKernel: torchAwaited('step-ms').minus(torchAwaited('kernel-ms')),
  recordedBeyondKernel: firstRun('step-ms', 'await-each').minus(firstRun('kernel-ms', 'await-each')),
  torchBeyondKernelBelowRecorded: torchAwaited('step-ms')
    .minus(torchAwaited('kernel-ms'))
    .below(firstRun('step-ms', 'await-each').minus(firstRun('kernel-ms', 'await-each'))),
  torchBeyondKernelUs: torchAwaited('step-ms').minus(torchAwaited('kernel-ms')).as('us'),
  recordedBeyondKernelUs: firstRun('step-ms', 'await-each')
    .minus(firstRun('kernel-ms', 'await-each'))
    .as('us'),
  asHostRunsAhead: reason('host-runs-ahead'),
  queueFilled: queueDepthMax('queued').atLeast(2),
  queueDepthMaxQueued: queueDepthMax('queued'),
  deviceBusyAwaitEachBelowQueued: deviceBusy('await-each').below(deviceBusy('queued')),
  deviceBusyQueued: deviceBusy('queued'),
  queuedGapBelowAwaited: all(
    launchGap('queued').atLeast(us(0.001)),
    launchGap('queued').below(launchGap('await-each')),
  ),
  launchGapAwaitEachMs: launchGap('await-each').as('ms'),
  launchGapQueuedMs: launchGap('queued').as('ms'),
  torchAwaitedIdlerThanQueued: torchAwaited('kernel-ratio').below(torchQueued('kernel-ratio')),
  torchAwaitedKernelBelowStep: torchAwaited('kernel-ms').below(torchAwaited('step-ms')),
  torchAwaitedIdleBelow10Percent: torchAwaited('idle-ratio').lessThan(0.1),
  torchAwaitedKernel: torchAwaited('kernel-ms'),
  torchBoundedIdleBelowAwaitedIdle: torchBounded('idle-ratio').below(torchAwaited('idle-ratio')),
  torchBoundedIdle: torchBounded('idle-ratio'),
  torchQueuedLaunchBelowKernel: torchQueued('launch-us').below(torchQueued('kernel-ms')),
  submitIsShort: all(
    submit('queued')
      .over(kernel('queued').or(step('queued')))
      .lessThan(0.1),
    submit('queued').atLeast(us(0.5)),
  ),
  submitQueued: submit('queued'),
  kernelOrStepQueued: kernel('queued').or(step('queued')),
  kernelAwaitEachBelowStepAwaitEach: kernel('await-each').below(step('await-each')),
  kernelAwaitEach: kernel('await-each'),
})
