/**
 * Loops whose every iteration waits for memory: how long an iteration takes at worst, alone and
 * among many.
 */
import text from '../../../../shaders/calibrate/scatter.wgsl?raw'
import { unmetRequirement, packUniforms, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface ScatterShape {
  readonly workgroups: number
  readonly iterations: number
  /** Words of the output; a power of two, at most 2^24, since a place uses that many bits. */
  readonly words: number
}

const FILE = 'shaders/calibrate/scatter.wgsl'
export const SCATTER_INVOCATIONS = 64

export const scatterKernel: Kernel<ScatterShape> = {
  id: 'scatter',
  label: 'calibrate/scatter',
  file: FILE,
  source: joinSource([{ file: FILE, text }]),
  bindings: ['params', 'words'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ iterations, words }) =>
    packUniforms([
      ['u32', iterations],
      ['u32', words - 1],
    ]),
  workgroups: ({ workgroups }) => [workgroups, 1, 1],
  flops: () => 0,
  bytes: ({ workgroups, iterations }) => 4 * SCATTER_INVOCATIONS * workgroups * (iterations + 1),
  supports: (device, { workgroups, words } = { workgroups: 1, iterations: 1, words: 1 }) =>
    unmetRequirement(device, {
      invocations: SCATTER_INVOCATIONS,
      storageBytes: 4 * words,
      workgroups: [workgroups, 1, 1],
    }),
}
