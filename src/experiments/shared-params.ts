/**
 * Parameters that several experiments have in common; one that differs spreads it: `{
 * ...shared.steps, default: 48 }`.
 */
import { choice, number } from './declare/params'

/**
 * The ladder by its titles; metas import no kernels, so a test compares the ids with those of
 * gpu/kernels/catalog.ts.
 */
export const KERNEL_TITLES = {
  naive: 'Naive',
  coalesced: 'Coalesced',
  tiled: 'Tiled',
  'register-blocked': 'Register-blocked',
  vectorised: 'Vectorised',
  pipelined: 'Pipelined',
} as const

/** The page shows these sources: each kernel's own WGSL, then what is joined to it. */
export const matmulSources: readonly string[] = [
  ...Object.keys(KERNEL_TITLES).map((kernel) => `shaders/matmul/${kernel}.wgsl`),
  'shaders/lib/matmul-fours.wgsl',
  'shaders/lib/matmul-any.wgsl',
]

export const shared = {
  kernel: choice(
    'kernel',
    'Matmul kernel',
    'Which WGSL kernel multiplies; the matrix is sized anew for each.',
    KERNEL_TITLES,
    { default: 'vectorised' },
  ),
  kernelMs: number(
    'kernelMs',
    'Time of one matmul',
    'The matrix is sized from the measured rate of this device so that one matmul takes about this long.',
    { place: 'dial', default: 2, min: 0.1, max: 20, integer: false, unit: 'ms', scale: 'log2' },
  ),
  matrixSize: number(
    'matrixSize',
    'Matrix size',
    'Rows and columns of each matrix; 0 sizes it from the measured rate. A size too slow for this device is refused.',
    { default: 0, min: 0, max: 8192 },
  ),
  steps: number('steps', 'Steps', 'Matmuls in each repeat, each in a submission of its own.', {
    default: 32,
    min: 2,
    max: 512,
    scale: 'log2',
  }),
  repeats: number(
    'repeats',
    'Repeats',
    'How often each variant is measured. Figures are medians over the repeats. One more comes first, warms up, and is not counted.',
    { default: 5, min: 1, max: 15 },
  ),
  seconds: number(
    'seconds',
    'Time to measure in',
    'About how long all measured windows together may take. Where this browser reports completion late, fewer repeats and steps fit.',
    { default: 5, min: 1, max: 60, unit: 's' },
  ),
}

/** The ladder's rungs, in its order. */
export const KERNELS = shared.kernel.options
