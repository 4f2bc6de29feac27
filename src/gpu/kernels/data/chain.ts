/**
 * One of many small kernels that follow each other, each with numbers of its own: what comes out
 * says which ran, and in which order.
 */
import text from '../../../../shaders/data/chain.wgsl?raw'
import { ceilDivide, kernelOf, packUniforms } from '../kernel'

export interface ChainShape {
  /** Words of the output. */
  readonly wordCount: number
  readonly mask: number
  /** Odd: an even one loses bits, and what came before with them. */
  readonly factor: number
}

const WORKGROUP_SIZE = 64

/** Buffers: the count of kernels run, 4 bytes at least, and the words. */
export const chainKernel = kernelOf<ChainShape>('data/chain', text, {
  uniforms: ({ mask, factor }) => packUniforms(['u32', mask], ['u32', factor]),
  workgroups: ({ wordCount }) => [ceilDivide(wordCount, WORKGROUP_SIZE), 1, 1],
})

/** Applies one kernel to a word, bit for bit as the device does. */
export const chainWord = (word: number, { mask, factor }: Pick<ChainShape, 'mask' | 'factor'>): number =>
  Math.imul(word ^ mask, factor) >>> 0
