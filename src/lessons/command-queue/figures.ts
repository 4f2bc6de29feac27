/** Figures and conditions of the words beside it. */
import {
  all,
  any,
  defineFigures,
  inconclusive,
  measured,
  metric,
  not,
  notShown,
  ran,
  reason,
  recording,
  shown,
  timestamps,
  us,
} from '../../text/define-figures'

const torch = recording('torch-command-queue')
const independent = recording('command-queue/independent')
const firstRun = recording('command-queue')
const asyncSubmission = recording('async-submission')
const longer = recording('command-queue/longer')
const noStamps = recording('command-queue/no-stamps')
const torchLaunched = recording('torch-command-queue-launched')
const torchAwaited = recording('torch-command-queue-awaited')
const torchGraph = recording('torch-command-queue-graph')

const deviceSlowdown = metric('device-slowdown')
const kernel = metric('kernel-us')
const step = metric('step-ms')
const deviceBusy = metric('device-busy-ratio')
const host = metric('host-us')
const queueDepthMax = metric('queue-depth-max')
const launchGap = metric('launch-gap-us')
const passGap = metric('pass-gap-us')

export const figures = defineFigures({
  torchEagerOverGraphAt64: torch('points[n=64].eagerUs').over(torch('points[n=64].graphUs')),
  torchEagerAt64: torch('points[n=64].eagerUs'),
  torchGraphAt64: torch('points[n=64].graphUs'),
  kernelsAreShorterInOneSubmit: all(
    deviceSlowdown('command-buffers').surelyAtLeast(1),
    kernel('command-buffers').below(kernel('submits')),
  ),
  deviceSlowdownCommandBuffers: deviceSlowdown('command-buffers').as('times'),
  kernelSubmitsOverCommandBuffers: kernel('submits').over(kernel('command-buffers')).as('times'),
  kernelCommandBuffersBelowSubmits: kernel('command-buffers').below(kernel('submits')),
  kernelCommandBuffers: kernel('command-buffers'),
  kernelSubmits: kernel('submits'),
  submitsLongerWithoutStamps: all(
    not(measured(kernel('submits'))),
    step('command-buffers').below(step('submits')),
  ),
  stepCommandBuffers: step('command-buffers'),
  stepSubmits: step('submits'),
  deviceBusySubmitsBelow90Percent: deviceBusy('submits').surelyLessThan(0.9),
  deviceBusySubmits: deviceBusy('submits'),
  queueFillsOnLongKernels: all(
    kernel('one-pass').over(host('submits')).atLeast(2),
    queueDepthMax('submits').atLeast(2),
  ),
  kernelOnePass: kernel('one-pass'),
  hostSubmits: host('submits'),
  longKernelsHaveGaps: all(
    kernel('one-pass').over(host('submits')).atLeast(2),
    launchGap('submits').atLeast(us(0.001)),
  ),
  launchGapSubmits: launchGap('submits'),
  independentKernelsAsLong: independent('kernel-us', 'one-pass')
    .over(firstRun('kernel-us', 'one-pass'))
    .atLeast(0.9),
  independentKernelOnePass: independent('kernel-us', 'one-pass'),
  recordedKernelOnePass: firstRun('kernel-us', 'one-pass'),
  independentSubmitsShorter: independent('kernel-us', 'submits').below(firstRun('kernel-us', 'submits')),
  recordedKernelSubmits: firstRun('kernel-us', 'submits'),
  independentKernelSubmits: independent('kernel-us', 'submits'),
  shownOrNotShownOrInconclusive: any(shown, notShown, inconclusive),
  ranAndTimestamps: all(ran, timestamps),
  hasPassGapPasses: passGap('passes').surelyAtLeast(us(0.001)),
  passGapPasses: passGap('passes'),
  measuresPassGap: measured(passGap('passes')),
  kernelOnePassBelowCommandBuffers: kernel('one-pass').below(kernel('command-buffers')),
  commandBufferCostUs: kernel('command-buffers').minus(kernel('one-pass')).as('us'),
  submitsAlikeWithoutStamps: all(
    not(measured(kernel('submits'))),
    step('command-buffers').overlaps(step('submits')),
  ),
  torchEagerBelowRecordedSubmits: torch('points[n=64].eagerUs').below(firstRun('kernel-us', 'submits')),
  torchKernelAt64: torch('points[n=64].kernelUs'),
  torchReplayAt64: torch('points[n=64].replayUs'),
  launchIsMostOfEager: torch('points[n=64].launchUs').over(torch('points[n=64].eagerUs')).atLeast(0.9),
  torchLaunchAt64: torch('points[n=64].launchUs'),
  graphGainsNothingFrom1024: all(
    torch('points[n=1024].eagerUs').over(torch('points[n=1024].graphUs')).lessThan(1.1),
    torch('points[n=2048].eagerUs').over(torch('points[n=2048].graphUs')).lessThan(1.1),
  ),
  torchEagerAt1024: torch('points[n=1024].eagerUs'),
  torchGraphAt1024: torch('points[n=1024].graphUs'),
  asSubmitsCostAndHasKernelSubmits: all(reason('submits-cost'), measured(kernel('submits'))),
  queueFilled: queueDepthMax('submits').atLeast(2),
  queueDepthMaxSubmits: queueDepthMax('submits'),
  recordedSubmitIsShort: asyncSubmission('submit-us', 'queued')
    .over(asyncSubmission('kernel-ms', 'queued'))
    .lessThan(0.1),
  asyncSubmissionSubmitQueued: asyncSubmission('submit-us', 'queued'),
  asyncSubmissionKernelQueued: asyncSubmission('kernel-ms', 'queued'),
  deviceBusySubmitsBelow50Percent: deviceBusy('submits').surelyLessThan(0.5),
  longerKernelsKeepDeviceBusier: firstRun('device-busy-ratio', 'submits').below(
    longer('device-busy-ratio', 'submits'),
  ),
  recordedDeviceBusySubmits: firstRun('device-busy-ratio', 'submits'),
  longerDeviceBusySubmits: longer('device-busy-ratio', 'submits'),
  noStampsStepOnePassBelowSubmits: noStamps('step-ms', 'one-pass').below(noStamps('step-ms', 'submits')),
  noStampsStepSubmits: noStamps('step-ms', 'submits'),
  noStampsStepOnePass: noStamps('step-ms', 'one-pass'),
  torchLaunchedStepBelowAwaitedStep: torchLaunched('step-ms').below(torchAwaited('step-ms')),
  torchAwaitedKernelUs: torchAwaited('kernel-ms').as('us'),
  torchAwaitedIdle: torchAwaited('idle-ratio'),
  torchLaunchedKernelBelowLaunch: torchLaunched('kernel-ms').below(torchLaunched('launch-us')),
  torchLaunchedLaunch: torchLaunched('launch-us'),
  torchLaunchedKernelUs: torchLaunched('kernel-ms').as('us'),
  torchGraphStepBelowLaunchedStep: torchGraph('step-ms').below(torchLaunched('step-ms')),
  torchGraphStep: torchGraph('step-ms'),
  torchLaunchedStep: torchLaunched('step-ms'),
  kernelOnePassBelowSubmits: kernel('one-pass').below(kernel('submits')),
})
