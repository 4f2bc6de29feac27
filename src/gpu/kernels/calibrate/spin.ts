/**
 * Work of a chosen length that needs no memory: its time grows in proportion to `iterations`, on
 * one pipeline.
 */
import text from '../../../../shaders/calibrate/spin.wgsl?raw'
import { unmetRequirement, packUniforms, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface SpinShape {
  readonly iterations: number
}

const FILE = 'shaders/calibrate/spin.wgsl'
const INVOCATIONS = 64
/**
 * value = value · FACTOR + ADDEND tends to ADDEND / (1 − FACTOR) = 1: never infinite, never
 * subnormal, which some devices are slow at.
 */
const FACTOR = 0.75
const ADDEND = 0.25

/** The output needs 256 bytes. */
export const spinKernel: Kernel<SpinShape> = {
  id: 'spin',
  label: 'calibrate/spin',
  file: FILE,
  source: joinSource([{ file: FILE, text }]),
  bindings: ['params', 'results'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ iterations }) =>
    packUniforms([
      ['u32', iterations],
      ['f32', FACTOR],
      ['f32', ADDEND],
    ]),
  workgroups: () => [1, 1, 1],
  flops: ({ iterations }) => 2 * INVOCATIONS * iterations,
  bytes: () => INVOCATIONS * 4,
  supports: (device) =>
    unmetRequirement(device, { invocations: INVOCATIONS, storageBytes: 0, workgroups: [1, 1, 1] }),
}
