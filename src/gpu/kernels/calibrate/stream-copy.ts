/**
 * The slope of a roofline: bytes read and bytes written, in one stream over buffers larger than the
 * caches.
 */
import text from '../../../../shaders/calibrate/stream-copy.wgsl?raw'
import { ceilDivide, kernelOf, packUniforms } from '../kernel'

export interface StreamCopyShape {
  /** Vectors of four f32, 16 bytes each. */
  readonly count4: number
  /** Small and whole, so that f32 counts exactly. */
  readonly addend: number
}

const INVOCATIONS = 256
/** 1M threads fill any device; each strides over what is left. */
const MAX_WORKGROUPS = 4096

export const streamCopyKernel = kernelOf<StreamCopyShape>('calibrate/stream-copy', text, {
  uniforms: ({ count4, addend }) => packUniforms(['u32', count4], ['f32', addend]),
  workgroups: ({ count4 }) => [Math.min(MAX_WORKGROUPS, ceilDivide(count4, INVOCATIONS)), 1, 1],
})

/** Operations of a copy, and the bytes that it moves, both ways. */
export const streamCopyWork = ({ count4 }: StreamCopyShape) => ({ flops: 4 * count4, bytes: 2 * 16 * count4 })
