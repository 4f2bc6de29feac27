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

/** By the device's clock where it has one. */
const each = (variant: string) => kernel(variant).or(step(variant))
const overOnePass = deviceSlowdown('submits').or(slowdown('submits'))
const overCommandBuffers = each('submits').over(each('command-buffers'))
const muchSlower = overOnePass.surelyAtLeast(NOTICEABLE)

export const figures = defineFigures({
  hasDeviceSlowdownSubmits: measured(deviceSlowdown('submits')),
  deviceSlowdownSubmits: deviceSlowdown('submits').as('times'),
  slowdownSubmits: slowdown('submits').as('times'),
  hasKernelSubmits: measured(kernel('submits')),
  kernelOrStepOnePass: each('one-pass'),
  kernelOrStepPasses: each('passes'),
  kernelOrStepCommandBuffers: each('command-buffers'),
  kernelOrStepSubmits: each('submits'),
  ...named({ kernel }, 'one-pass', 'command-buffers', 'submits'),
  hasKernelSubmitsAndCommandBuffers: all(measured(kernel('submits')), measured(kernel('command-buffers'))),
  ...named({ step }, 'one-pass', 'submits'),
  ...named({ host }, 'submits'),
  submitsCost: all(muchSlower, overCommandBuffers.surelyAtLeast(NOTICEABLE)),
  passesCostAsMuch: all(muchSlower, overCommandBuffers.surelyLessThan(NOTICEABLE)),
  hardlySlower: overOnePass.surelyLessThan(NOTICEABLE),
  kernelHidesSubmit: kernel('one-pass').over(host('submits')).atLeast(OUT_OF_REACH),
  whichOfThem: all(muchSlower, measured(each('command-buffers'))),
  intervalsOverlap: measured(overOnePass),
  hasStepSubmits: measured(step('submits')),
})
