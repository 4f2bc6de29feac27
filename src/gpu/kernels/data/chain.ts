/**
 * One of many small kernels that follow each other, each with numbers of its own: what comes out
 * says which ran, and in which order.
 */
import text from '../../../../shaders/data/chain.wgsl?raw'
import { ceilDivide, packUniforms, unmetRequirement, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface ChainShape {
  /** Words of the output. */
  readonly wordCount: number
  readonly mask: number
  /** Odd: an even one loses bits, and what came before with them. */
  readonly factor: number
}

const FILE = 'shaders/data/chain.wgsl'
const WORKGROUP_SIZE = 64
const workgroups = ({ wordCount }: Pick<ChainShape, 'wordCount'>) =>
  [ceilDivide(wordCount, WORKGROUP_SIZE), 1, 1] as const

/** Buffers: the count of kernels run, 4 bytes at least, and the words. */
export const chainKernel: Kernel<ChainShape> = {
  id: 'chain',
  label: 'data/chain',
  file: FILE,
  source: joinSource([{ file: FILE, text }]),
  bindings: ['params', 'kernels_run', 'words'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ mask, factor }) =>
    packUniforms([
      ['u32', mask],
      ['u32', factor],
    ]),
  workgroups,
  flops: () => 0,
  bytes: ({ wordCount }) => 8 * wordCount,
  supports: (device, shape = { wordCount: 1, mask: 0, factor: 1 }) =>
    unmetRequirement(device, { invocations: WORKGROUP_SIZE, storageBytes: 0, workgroups: workgroups(shape) }),
}

/** Applies one kernel to a word, bit for bit as the device does. */
export const chainWord = (word: number, { mask, factor }: Pick<ChainShape, 'mask' | 'factor'>): number =>
  Math.imul(word ^ mask, factor) >>> 0
