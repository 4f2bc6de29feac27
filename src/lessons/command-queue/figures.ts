/** Figures and conditions of the words beside it. */
import { all } from '../../text/define-conditions'
import { defineEvidence, pair } from '../../text/define-evidence'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torchSteps = recording('torch-steps')
export const torch = recording('torch-command-queue')
export const asyncSubmission = recording('async-submission')
export const firstRun = recording('command-queue')
export const torchQueue = recording('torch-async-submission')

export const deviceSlowdown = metric('device-slowdown')
export const kernel = metric('kernel-us')
export const step = metric('step-ms')
export const host = metric('host-us')
export const queueDepthMax = metric('queue-depth-max')

export const evidence = defineEvidence({
  graphRemovesLaunches: pair(torch('optimizer.loopMs'), torch('optimizer.graphMs')),
})

export const figures = defineFigures({
  launchesOverGraph: torch('points[n=64].eagerUs').over(torch('points[n=64].graphUs')),
  kernelOnePassBelowSubmits: kernel('one-pass').below(kernel('submits')),
  stepOnePassBelowSubmits: step('one-pass').below(step('submits')),
  longKernelsHideLaunches: all(
    deviceSlowdown('submits').lessThan(1.3),
    kernel('one-pass').over(host('submits')).atLeast(2),
    queueDepthMax('submits').atLeast(2),
  ),
  submitsStillSlow: deviceSlowdown('submits').atLeast(1.3),
  queueFilled: queueDepthMax('submits').atLeast(2),
  kernelCommandBuffersBelowSubmits: kernel('command-buffers').below(kernel('submits')),
  recordedSubmitIsShort: asyncSubmission('submit-us', 'queued')
    .over(asyncSubmission('kernel-ms', 'queued'))
    .lessThan(0.1),
  launchedBeatsAwaited: torchSteps('command-queue.launched.stepMs').below(
    torchSteps('command-queue.awaited.stepMs'),
  ),
  graphBeatsLaunched: torchSteps('command-queue.graph.stepMs').below(
    torchSteps('command-queue.launched.stepMs'),
  ),
  graphBeatsAwaited: torchSteps('command-queue.graph.stepMs').below(
    torchSteps('command-queue.awaited.stepMs'),
  ),
})
