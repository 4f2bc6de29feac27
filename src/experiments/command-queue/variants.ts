/** Names of the variants: how the kernels of a step are launched. */

export const ONE_PASS = 'one-pass'
export const PASSES = 'passes'
const COMMAND_BUFFERS = 'command-buffers'
export const SUBMITS = 'submits'
export const LAUNCHES = [ONE_PASS, PASSES, COMMAND_BUFFERS, SUBMITS] as const
