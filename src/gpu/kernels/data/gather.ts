/**
 * Samples of an uploaded batch, taken on the device: 256 words at positions the host knows, to be
 * compared bit by bit. A batch that was skipped, torn or mixed up with another differs in nearly
 * all of them.
 */
import text from '../../../../shaders/data/gather.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'
import { randomWord } from '../pcg'
import { PCG } from './fill'

export interface GatherShape {
  /** Positions are below this. */
  readonly wordCount: number
  readonly seed: number
  /** Place of the first word in the output, in words. */
  readonly outOffset: number
}

/** Words that one dispatch gathers: the workgroup's size. */
export const GATHER_WORDS = 256

export const gatherKernel = kernelOf<GatherShape>('data/gather', text, {
  lib: [PCG],
  uniforms: ({ wordCount, seed, outOffset }) =>
    packUniforms(['u32', wordCount], ['u32', seed], ['u32', outOffset]),
  workgroups: () => [1, 1, 1],
})

/** The position from which the device reads the i-th word. */
export const gatherPosition = (i: number, seed: number, wordCount: number): number =>
  randomWord(i, seed) % wordCount

/** The words of a batch that are read have other places in each step. */
export const gatherSeed = (step: number): number => 11 + step

const bits = new DataView(new ArrayBuffer(4))
/** A float32 as the word that a kernel keeps of it. */
export function bitsOf(value: number): number {
  bits.setFloat32(0, value)
  return bits.getUint32(0)
}
