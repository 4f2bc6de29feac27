/** Names of collectives: of kernels, of Gloo's ranges, and of the operator that says more of one. */

/**
 * 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)', 'ncclKernel_…',
 * 'ncclAllReduceRingLLKernel_sum_f32(…)'; of RCCL too, and of vLLM's own all-reduce.
 */
export const KERNEL_NAME = /^(?:void )?(?:nccl\w*Kernel|\w*::cross_device_reduce_)/i
export const GLOO_NAME = /^gloo:(\w+)/
export const PARAMETERS = 'record_param_comms'

/** Whether its `External id` is asked for, if it says nothing of a collective itself. */
export const mayBeCollective = (name: string): boolean =>
  name === PARAMETERS || KERNEL_NAME.test(name) || GLOO_NAME.test(name)
