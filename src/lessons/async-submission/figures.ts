/** Figures and conditions of the words beside it. */
import { reason } from '../../text/define-conditions'
import { defineFigures, metric, recording, us } from '../../text/define-figures'

export const torch = recording('torch-async-submission')
export const torchSteps = recording('torch-steps')

export const step = metric('step-ms')
export const deviceBusy = metric('device-busy-ratio')
export const queueDepthMax = metric('queue-depth-max')
export const launchGap = metric('launch-gap-us')
export const submit = metric('submit-us')

const kernelOrStep = metric('kernel-ms')('queued').or(step('queued'))
const torchAwaitedStep = torchSteps('async-submission.awaited.stepMs')
const torchQueuedStep = torchSteps('async-submission.queued.stepMs')

export const figures = defineFigures({
  torchCall: torch('queued.callsMs').over(torch('queued.count')).as('us'),
  /** 140 products with eight times the arithmetic of those recorded. */
  torchOfYours: torch('kernelMs').times(8 * 140),
  torchWaitPrice: torchAwaitedStep.minus(torchQueuedStep).as('us'),
  torchWaitShare: torchAwaitedStep.minus(torchQueuedStep).over(torchQueuedStep),
  torchWaitShareOfTenth: torchAwaitedStep.minus(torchQueuedStep).over(torchQueuedStep.times(0.1)),
  asHostRunsAhead: reason('host-runs-ahead'),
  kernelOrStepQueued: kernelOrStep,
  submitIsShort: submit('queued').over(kernelOrStep).lessThan(0.1),
  stepQueuedBelowAwaitEach: step('queued').below(step('await-each')),
  waitIsSmallBesideStep: step('await-each').minus(step('queued')).over(step('queued')).lessThan(0.25),
  stepAwaitEachMinusQueued: step('await-each').minus(step('queued')),
  queueFilled: queueDepthMax('queued').atLeast(2),
  deviceBusyAwaitEachBelowQueued: deviceBusy('await-each').below(deviceBusy('queued')),
  queuedGapBelowAwaited: launchGap('queued').atLeast(us(0.001)),
})
