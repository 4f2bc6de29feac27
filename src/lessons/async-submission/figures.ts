/** Figures and conditions of the words beside it. */
import { defineFigures, metric, recording, us, reason, named } from '../../text/define-figures'

const torch = recording('torch-async-submission')
const torchSteps = recording('torch-steps')

const step = metric('step-ms')
const deviceBusy = metric('device-busy-ratio')
const queueDepthMax = metric('queue-depth-max')
const launchGap = metric('launch-gap-us')
const submit = metric('submit-us')

const kernelOrStep = metric('kernel-ms')('queued').or(step('queued'))
const torchAwaitedStep = torchSteps('async-submission.awaited.stepMs')
const torchQueuedStep = torchSteps('async-submission.queued.stepMs')

export const figures = defineFigures({
  torchCall: torch('queued.callsMs').over(torch('queued.count')).as('us'),
  /** 140 products with eight times the arithmetic of those recorded. */
  torchSecondsOfYours: torch('kernelMs')
    .times((8 * 140) / 1000)
    .as('about'),
  torchKernel: torch('kernelMs'),
  torchCount: torch('queued.count'),
  torchCalls: torch('queued.callsMs'),
  torchRead: torch('queued.readMs'),
  torchReadAfterSync: torch('queued.readAfterSyncUs'),
  torchQueueDepth: torch('launchQueue.depth'),
  torchWaitPrice: torchAwaitedStep.minus(torchQueuedStep).as('us'),
  torchWaitShare: torchAwaitedStep.minus(torchQueuedStep).over(torchQueuedStep),
  torchWaitShareOfTenth: torchAwaitedStep.minus(torchQueuedStep).over(torchQueuedStep.times(0.1)),
  torchAwaitedStep,
  torchBoundedStep: torchSteps('async-submission.bounded.stepMs'),
  torchQueuedStep,
  asHostRunsAhead: reason('host-runs-ahead'),
  ...named({ submit, queueDepthMax }, 'queued'),
  kernelOrStepQueued: kernelOrStep,
  submitIsShort: submit('queued').over(kernelOrStep).lessThan(0.1),
  stepQueuedBelowAwaitEach: step('queued').below(step('await-each')),
  ...named({ step, deviceBusy }, 'queued', 'await-each'),
  waitIsSmallBesideStep: step('await-each').minus(step('queued')).over(step('queued')).lessThan(0.25),
  stepAwaitEachMinusQueued: step('await-each').minus(step('queued')),
  queueFilled: queueDepthMax('queued').atLeast(2),
  deviceBusyAwaitEachBelowQueued: deviceBusy('await-each').below(deviceBusy('queued')),
  queuedGapBelowAwaited: launchGap('queued').atLeast(us(0.001)),
  launchGapAwaitEachMs: launchGap('await-each').as('ms'),
  launchGapQueuedMs: launchGap('queued').as('ms'),
})
