/** Parameters that several experiments have in common. */
import type { ChoiceParam, NumberParam } from './experiment'

/** The ids and titles of the ladder of kernels/catalog.ts, said once more since metas import no kernels; a test compares the two. */
export const KERNELS = [
  { value: 'naive', label: 'Naive' },
  { value: 'coalesced', label: 'Coalesced' },
  { value: 'tiled', label: 'Tiled' },
  { value: 'register-blocked', label: 'Register-blocked' },
  { value: 'vectorised', label: 'Vectorised' },
  { value: 'pipelined', label: 'Pipelined' },
] as const

/** What the page shows of them: each kernel's own WGSL, then what is joined to it. */
export const matmulSources: readonly string[] = [
  ...KERNELS.map(({ value }) => `shaders/matmul/${value}.wgsl`),
  'shaders/lib/matmul-fours.wgsl',
  'shaders/lib/matmul-any.wgsl',
]

/** The value of `kernelParam` that leaves the choice to the tuner. */
export const TUNED = 'tuned'

export const kernelParam = {
  type: 'choice',
  name: 'kernel',
  label: 'Matmul kernel',
  help: 'Which WGSL kernel multiplies; the matrix is sized anew for each.',
  place: 'more',
  default: 'vectorised',
  options: [...KERNELS, { value: TUNED, label: 'fastest here, by short trials' }],
} as const satisfies ChoiceParam

/** For experiments that multiply many sizes: one kernel for all of them, since trials are for one size. */
export const namedKernelParam = { ...kernelParam, options: KERNELS } as const satisfies ChoiceParam

export const matrixSizeParam = {
  type: 'number',
  name: 'matrixSize',
  label: 'Matrix size',
  help: 'Rows and columns of each matrix; 0 sizes it from the measured rate. A size too slow for this device is refused.',
  place: 'more',
  default: 0,
  min: 0,
  max: 8192,
  integer: true,
  unit: '',
  scale: 'linear',
} as const satisfies NumberParam

export const repeatsParam = {
  type: 'number',
  name: 'repeats',
  label: 'Repeats',
  help: 'How often each variant is measured; figures are medians over them. One more, first, warms up and is not counted.',
  place: 'more',
  default: 5,
  min: 1,
  max: 15,
  integer: true,
  unit: '',
  scale: 'linear',
} as const satisfies NumberParam

export const secondsParam = {
  type: 'number',
  name: 'seconds',
  label: 'Time to measure in',
  help: 'About the longest that all windows together may take. Where this browser reports completion late, fewer repeats and steps fit.',
  place: 'more',
  default: 5,
  min: 1,
  max: 60,
  integer: true,
  unit: 's',
  scale: 'linear',
} as const satisfies NumberParam
