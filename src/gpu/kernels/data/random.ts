/** Pseudo-random 32-bit integers, made on the device and known to the host (`randomWord`). */
import pcgText from '../../../../shaders/lib/pcg.wgsl?raw'
import text from '../../../../shaders/data/random.wgsl?raw'
import { ceilDivide, packUniforms, unmetRequirement, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface RandomShape {
  /** Words to make, from the buffer's first on. */
  readonly count: number
  /** The first word of the uniforms, so that a program can write another there. */
  readonly seed: number
}

const FILE = 'shaders/data/random.wgsl'
const WORKGROUP_SIZE = 256
/** A quarter of a million threads fill any device; each strides over what is left. */
const MAX_WORKGROUPS = 1024

const workgroups = ({ count }: RandomShape) =>
  [Math.min(MAX_WORKGROUPS, ceilDivide(count, WORKGROUP_SIZE)), 1, 1] as const

export const randomKernel: Kernel<RandomShape> = {
  id: 'random',
  label: 'data/random',
  file: FILE,
  source: joinSource([
    { file: 'shaders/lib/pcg.wgsl', text: pcgText },
    { file: FILE, text },
  ]),
  bindings: ['params', 'words'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ seed, count }) =>
    packUniforms([
      ['u32', seed],
      ['u32', count],
    ]),
  workgroups,
  flops: () => 0,
  bytes: ({ count }) => count * 4,
  supports: (device, shape = { count: 1, seed: 0 }) =>
    unmetRequirement(device, { invocations: WORKGROUP_SIZE, storageBytes: 0, workgroups: workgroups(shape) }),
}
