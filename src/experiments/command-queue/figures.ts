/** Figures and conditions of verdict.md. */
import { defineFigures, metric, all, measured, named } from '../../text/define-figures'

const deviceSlowdown = metric('device-slowdown')
const slowdown = metric('slowdown')
const kernel = metric('kernel-us')
const step = metric('step-ms')
const host = metric('host-us')

/**
 * A factor below this is hardly slower. Submits are compared with one pass, and with command
 * buffers of their own, which carry the same timestamps and differ in the submit alone.
 */
const NOTICEABLE = 1.3
/** A kernel this many times as long as the launch hides it. */
const OUT_OF_REACH = 2

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

export const figures = defineFigures({
  hasDeviceSlowdownSubmits: measured(deviceSlowdown('submits')),
  deviceSlowdownSubmits: deviceSlowdown('submits').as('times'),
  slowdownSubmits: slowdown('submits').as('times'),
  hasKernelSubmits: measured(kernel('submits')),
  kernelOrStepOnePass: kernel('one-pass').or(step('one-pass')),
  kernelOrStepPasses: kernel('passes').or(step('passes')),
  kernelOrStepCommandBuffers: kernel('command-buffers').or(step('command-buffers')),
  kernelOrStepSubmits: kernel('submits').or(step('submits')),
  ...named({ kernel }, 'one-pass', 'command-buffers', 'submits'),
  hasKernelSubmitsAndCommandBuffers: all(measured(kernel('submits')), measured(kernel('command-buffers'))),
  ...named({ step }, 'one-pass', 'submits'),
  ...named({ host }, 'submits'),
  submitsCost: all(muchSlower, submitsCost),
  passesCostAsMuch: all(muchSlower, asLong),
  hardlySlower,
  kernelHidesSubmit: kernel('one-pass').over(host('submits')).atLeast(OUT_OF_REACH),
  whichOfThem: all(muchSlower, measured(kernel('command-buffers').or(step('command-buffers')))),
  intervalsOverlap: measured(deviceSlowdown('submits').or(slowdown('submits'))),
  hasStepSubmits: measured(step('submits')),
})
