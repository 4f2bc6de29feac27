/**
 * The slope of a roofline: bytes read and bytes written, in one stream over buffers larger than the
 * caches.
 */
import text from '../../../../shaders/calibrate/stream-copy.wgsl?raw'
import { ceilDivide, packUniforms, unmetRequirement, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface StreamCopyShape {
  /** Vectors of four f32, 16 bytes each. */
  readonly count4: number
  /** Small and whole, so that f32 counts exactly. */
  readonly addend: number
}

const FILE = 'shaders/calibrate/stream-copy.wgsl'
const SOURCE = joinSource([{ file: FILE, text }])
const INVOCATIONS = 256
/** 1M threads fill any device; each strides over what is left. */
const MAX_WORKGROUPS = 4096

const workgroups = ({ count4 }: StreamCopyShape) =>
  [Math.min(MAX_WORKGROUPS, ceilDivide(count4, INVOCATIONS)), 1, 1] as const

export const streamCopyKernel: Kernel<StreamCopyShape> = {
  id: 'stream-copy',
  label: 'calibrate/stream-copy',
  file: FILE,
  source: () => SOURCE,
  bindings: ['params', 'source', 'target_values'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ count4, addend }) =>
    packUniforms([
      ['u32', count4],
      ['f32', addend],
    ]),
  workgroups,
  flops: ({ count4 }) => 4 * count4,
  bytes: ({ count4 }) => 2 * 16 * count4,
  supports: (device, shape = { count4: 1, addend: 0 }) =>
    unmetRequirement(device, { invocations: INVOCATIONS, storageBytes: 0, workgroups: workgroups(shape) }),
}
