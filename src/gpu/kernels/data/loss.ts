/**
 * The loss of a training step whose model is a matmul: an entry of C, by a plan that the host makes
 * and the device follows.
 */
import text from '../../../../shaders/data/loss.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'

export interface LossShape {
  /** Words of the plan; later steps follow its last. */
  readonly steps: number
}

/** In a plan: this step's loss is not a number. */
export const LOSS_NOT_A_NUMBER = 0xffffffff

/**
 * Buffers: C, the plan (a word of C a step), the count of steps run, and the loss, each of the
 * latter two 4 bytes at least.
 */
export const lossKernel = kernelOf<LossShape>('data/loss', text, {
  uniforms: ({ steps }) => packUniforms(['u32', steps]),
  workgroups: () => [1, 1, 1],
})
