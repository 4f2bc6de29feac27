/** Figures and conditions of the words beside it. */
import { defineFigures, metric, recording, all, defineEvidence, pair, named } from '../../text/define-figures'

const torchSteps = recording('torch-steps')
const torch = recording('torch-command-queue')
const asyncSubmission = recording('async-submission')
const firstRun = recording('command-queue')
const torchQueue = recording('torch-async-submission')

const deviceSlowdown = metric('device-slowdown')
const kernel = metric('kernel-us')
const step = metric('step-ms')
const host = metric('host-us')
const queueDepthMax = metric('queue-depth-max')

export const evidence = defineEvidence({
  graphRemovesLaunches: pair(torch('optimizer.loopMs'), torch('optimizer.graphMs')),
})

export const figures = defineFigures({
  launchesOverGraph: torch('points[n=64].eagerUs').over(torch('points[n=64].graphUs')),
  launchedEach: torch('points[n=64].eagerUs'),
  inGraph: torch('points[n=64].graphUs'),
  longLaunchedEach: torch('points[n=1024].eagerUs'),
  longInGraph: torch('points[n=1024].graphUs'),
  updateByLoop: torch('optimizer.loopMs'),
  updateInGraph: torch('optimizer.graphMs'),
  updateByForeach: torch('optimizer.foreachMs'),
  queueHolds: torchQueue('launchQueue.depth').as('about'),
  callOnFullQueue: torchQueue('launchQueue.blockedUs').as('ms'),
  kernelOfFullQueue: torchQueue('launchQueue.kernelUs').as('ms'),
  callOnQueueWithRoom: torchQueue('launchQueue.launchUs'),
  kernelOnePassBelowSubmits: kernel('one-pass').below(kernel('submits')),
  ...named({ kernel }, 'one-pass', 'submits', 'command-buffers'),
  stepOnePassBelowSubmits: step('one-pass').below(step('submits')),
  ...named({ step }, 'one-pass', 'submits'),
  longKernelsHideLaunches: all(
    deviceSlowdown('submits').lessThan(1.3),
    kernel('one-pass').over(host('submits')).atLeast(2),
    queueDepthMax('submits').atLeast(2),
  ),
  submitsStillSlow: deviceSlowdown('submits').atLeast(1.3),
  deviceSlowdownSubmits: deviceSlowdown('submits').as('times'),
  recordedSlowdownSubmits: firstRun('device-slowdown', 'submits').as('times'),
  ...named({ host, queueDepthMax }, 'submits'),
  queueFilled: queueDepthMax('submits').atLeast(2),
  kernelCommandBuffersBelowSubmits: kernel('command-buffers').below(kernel('submits')),
  recordedSubmitIsShort: asyncSubmission('submit-us', 'queued')
    .over(asyncSubmission('kernel-ms', 'queued'))
    .lessThan(0.1),
  recordedSubmit: asyncSubmission('submit-us', 'queued'),
  recordedKernel: asyncSubmission('kernel-ms', 'queued'),
  launchedBeatsAwaited: torchSteps('command-queue.launched.stepMs').below(
    torchSteps('command-queue.awaited.stepMs'),
  ),
  graphBeatsLaunched: torchSteps('command-queue.graph.stepMs').below(
    torchSteps('command-queue.launched.stepMs'),
  ),
  graphBeatsAwaited: torchSteps('command-queue.graph.stepMs').below(
    torchSteps('command-queue.awaited.stepMs'),
  ),
  awaitedStep: torchSteps('command-queue.awaited.stepMs'),
  launchedStep: torchSteps('command-queue.launched.stepMs'),
  graphStep: torchSteps('command-queue.graph.stepMs'),
})
