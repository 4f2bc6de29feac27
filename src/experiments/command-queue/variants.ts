/** Names of the variants: how the kernels of a step are launched; and with '@', how many of them there are, as a multiple. */

export const ONE_PASS = 'one-pass'
export const PASSES = 'passes'
const COMMAND_BUFFERS = 'command-buffers'
export const SUBMITS = 'submits'
export const LAUNCHES = [ONE_PASS, PASSES, COMMAND_BUFFERS, SUBMITS] as const

/** Counts are compared where a pass of its own is all that differs. */
export const COUNTED = [ONE_PASS, PASSES] as const
export const countVariant = (launch: string, multiple: string): string => `${launch}@${multiple}`
/** The multiple of the smallest count; null where the variant is one of the four. */
export const countOf = (variant: string): number | null =>
  variant.includes('@') ? Number(variant.split('@')[1]) : null
export const launchOf = (variant: string): string => variant.split('@')[0] ?? variant
export const isLaunch = (variant: string): boolean => countOf(variant) === null
