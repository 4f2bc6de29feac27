/**
 * Which kind of adapter a class's figures are of, coarse on purpose: a code is to say what explains a figure, not which machine it is. WebGPU
 * does not say whether a GPU has memory of its own; where vendor and architecture do not tell, neither does this.
 */
import type { DeviceFacts } from '../trace/report'
import type { AdapterClass } from './completion-code'

/** GPUs of phones, tablets and Macs: all of them share the processor's memory. */
const INTEGRATED = /^(apple|qualcomm|arm|img-?tec|imagination|samsung|broadcom)$/i
/** The discrete ones of Intel, as Chrome names them: xe-hpg, xe-2hpg, gen-12hp. */
const INTEL_DISCRETE = /hp/i

export function adapterClass({
  adapter,
  isSoftware,
}: Pick<DeviceFacts, 'adapter' | 'isSoftware'>): AdapterClass {
  const { vendor, architecture } = adapter
  if (isSoftware) return 'software'
  if (INTEGRATED.test(vendor)) return 'integrated'
  // All that browsers run on but its boards for robots.
  if (/^nvidia$/i.test(vendor)) return 'discrete'
  if (/^intel$/i.test(vendor) && architecture !== '')
    return INTEL_DISCRETE.test(architecture) ? 'discrete' : 'integrated'
  // AMD names both kinds by the same architectures.
  return 'unknown'
}
