/**
 * The sum of many numbers, times a factor: of each workgroup's part, or, dispatched again over
 * those, of all.
 */
import text from '../../../../shaders/data/sum.wgsl?raw'
import { ceilDivide, kernelOf, packUniforms } from '../kernel'

export interface SumShape {
  /** Numbers to add, from the buffer's first on. */
  readonly count: number
  readonly factor: number
  /** Sums that it writes; 1: the sum of all. */
  readonly parts: number
}

/** 64k threads keep enough reads on their way; one workgroup adds up so many sums at once. */
const MAX_PARTS = 1024
/** For fewer, one workgroup is as fast as two dispatches. */
const NUMBERS_A_PART = 4096

/** 1: a single dispatch will do. */
export const partsFor = (count: number): number => Math.min(MAX_PARTS, ceilDivide(count, NUMBERS_A_PART))

export const sumKernel = kernelOf<SumShape>('data/sum', text, {
  uniforms: ({ count, factor }) => packUniforms(['u32', count], ['f32', factor]),
  workgroups: ({ parts }) => [parts, 1, 1],
})
