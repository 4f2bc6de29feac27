/**
 * Loops of barriers: how long an iteration takes that waits for its workgroup, alone and among
 * many.
 */
import text from '../../../../shaders/calibrate/barriers.wgsl?raw'
import { unmetRequirement, packUniforms, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface BarriersShape {
  readonly workgroups: number
  readonly iterations: number
}

const FILE = 'shaders/calibrate/barriers.wgsl'
/** WebGPU's default limit of a workgroup. */
export const BARRIERS_INVOCATIONS = 256

export const barriersKernel: Kernel<BarriersShape> = {
  id: 'barriers',
  label: 'calibrate/barriers',
  file: FILE,
  source: joinSource([{ file: FILE, text }]),
  bindings: ['params', 'words'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ iterations }) => packUniforms([['u32', iterations]]),
  workgroups: ({ workgroups }) => [workgroups, 1, 1],
  flops: () => 0,
  bytes: ({ workgroups }) => 4 * BARRIERS_INVOCATIONS * workgroups,
  supports: (device, { workgroups } = { workgroups: 1, iterations: 1 }) =>
    unmetRequirement(device, {
      invocations: BARRIERS_INVOCATIONS,
      storageBytes: 0,
      workgroups: [workgroups, 1, 1],
    }),
}
