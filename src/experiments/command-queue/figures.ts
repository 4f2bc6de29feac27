/** Figures and conditions of verdict.md. */
import {
  all,
  any,
  defineFigures,
  measured,
  metric,
  not,
  paramIs,
  software,
  us,
} from '../../text/define-figures'

const deviceSlowdown = metric('device-slowdown')
const slowdown = metric('slowdown')
const kernel = metric('kernel-us')
const step = metric('step-ms')
const host = metric('host-us')
const submit = metric('submit-us')
const launchGap = metric('launch-gap-us')
const handover = metric('handover-us')
const queueDepthMax = metric('queue-depth-max')
const passGap = metric('pass-gap-us')
const deviceBusy = metric('device-busy-ratio')

/**
 * What takes less than this many times as long is hardly slower. Submits are compared with one
 * pass, and with command buffers of their own, which carry the same timestamps and differ in the
 * submit alone.
 */
const NOTICEABLE = 1.3
/** A kernel this many times as long as the launch hides it. */
const OUT_OF_REACH = 2
/**
 * Where the start of a pass is stamped early a gap comes out negative, and there is none to report.
 */
const A_NANOSECOND = us(0.001)

const muchSlower = deviceSlowdown('submits').or(slowdown('submits')).surelyAtLeast(NOTICEABLE)
const hardlySlower = deviceSlowdown('submits').or(slowdown('submits')).surelyLessThan(NOTICEABLE)
const submitsCost = kernel('submits')
  .or(step('submits'))
  .over(kernel('command-buffers').or(step('command-buffers')))
  .surelyAtLeast(NOTICEABLE)
const asLong = kernel('submits')
  .or(step('submits'))
  .over(kernel('command-buffers').or(step('command-buffers')))
  .surelyLessThan(NOTICEABLE)
const passesCost = kernel('one-pass')
  .or(step('one-pass'))
  .below(kernel('passes').or(step('passes')))

export const figures = defineFigures({
  hasDeviceSlowdownSubmits: measured(deviceSlowdown('submits')),
  deviceSlowdownSubmits: deviceSlowdown('submits').as('times'),
  slowdownSubmits: slowdown('submits').as('times'),
  hasKernelSubmits: measured(kernel('submits')),
  kernelOrStepOnePass: kernel('one-pass').or(step('one-pass')),
  kernelOrStepPasses: kernel('passes').or(step('passes')),
  kernelOrStepCommandBuffers: kernel('command-buffers').or(step('command-buffers')),
  kernelOrStepSubmits: kernel('submits').or(step('submits')),
  kernelOnePass: kernel('one-pass'),
  kernelPasses: kernel('passes'),
  kernelCommandBuffers: kernel('command-buffers'),
  kernelSubmits: kernel('submits'),
  hasKernelSubmitsAndCommandBuffers: all(measured(kernel('submits')), measured(kernel('command-buffers'))),
  kernelOnePassBelowCommandBuffers: kernel('one-pass').below(kernel('command-buffers')),
  commandBufferCostUs: kernel('command-buffers').minus(kernel('one-pass')).as('us'),
  hasKernelOnePass: measured(kernel('one-pass')),
  stepOnePass: step('one-pass'),
  stepPasses: step('passes'),
  stepCommandBuffers: step('command-buffers'),
  stepSubmits: step('submits'),
  hostSubmits: host('submits'),
  hostOnePass: host('one-pass'),
  hasSubmitSubmits: submit('submits').atLeast(A_NANOSECOND),
  submitSubmits: submit('submits'),
  hasLaunchGapSubmits: all(measured(launchGap('submits')), launchGap('submits').atLeast(A_NANOSECOND)),
  launchGapSubmits: launchGap('submits'),
  hasLaunchGapCommandBuffers: all(
    measured(launchGap('command-buffers')),
    launchGap('command-buffers').atLeast(A_NANOSECOND),
  ),
  launchGapCommandBuffers: launchGap('command-buffers'),
  handoverSubmitsBelowKernelSubmits: handover('submits').below(kernel('submits')),
  handoverSubmits: handover('submits'),
  handoverSubmitsLikeKernelSubmits: handover('submits').overlaps(kernel('submits')),
  queueFilled: queueDepthMax('submits').atLeast(2),
  queueDepthMaxSubmits: queueDepthMax('submits'),
  hasPassGapPassesOrPassesCost: any(passGap('passes').surelyAtLeast(A_NANOSECOND), passesCost),
  hasPassGapPasses: measured(passGap('passes')),
  passesHaveGaps: passGap('passes').surelyAtLeast(A_NANOSECOND),
  passGapPasses: passGap('passes'),
  passesCostMeasured: all(passesCost, measured(kernel('passes')), paramIs('stamps', 'passes')),
  passCostUs: kernel('passes').minus(kernel('one-pass')).as('us'),
  passesCost,
  chainIsIndependent: paramIs('chain', 'independent'),
  softwareStretchesKernels: all(
    software,
    kernel('one-pass').below(kernel('submits')),
    deviceBusy('submits').surelyAtLeast(0.75),
  ),
  deviceBusySubmits: deviceBusy('submits'),
  submitsCost: all(muchSlower, submitsCost),
  passesCostAsMuch: all(muchSlower, asLong),
  hardlySlower,
  kernelHidesSubmit: kernel('one-pass').over(host('submits')).atLeast(OUT_OF_REACH),
  whichOfThem: all(muchSlower, measured(kernel('command-buffers').or(step('command-buffers')))),
  kernelCommandBuffersBelowSubmits: kernel('command-buffers').below(kernel('submits')),
  submitsLongerWithoutStamps: all(
    not(measured(kernel('submits'))),
    step('command-buffers').below(step('submits')),
  ),
  intervalsOverlap: measured(deviceSlowdown('submits').or(slowdown('submits'))),
  kernelOnePassBelowSubmits: kernel('one-pass').below(kernel('submits')),
  hasStepSubmits: measured(step('submits')),
})
