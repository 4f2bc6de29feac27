/**
 * Work of a chosen length that needs no memory: its time grows in proportion to `iterations`, on
 * one pipeline.
 */
import text from '../../../../shaders/calibrate/spin.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'

/**
 * value = value · FACTOR + ADDEND tends to ADDEND / (1 − FACTOR) = 1: never infinite, never
 * subnormal, which some devices are slow at.
 */
const FACTOR = 0.75
const ADDEND = 0.25

/** The output needs 256 bytes. */
export const spinKernel = kernelOf<{ readonly iterations: number }>('calibrate/spin', text, {
  uniforms: ({ iterations }) => packUniforms(['u32', iterations], ['f32', FACTOR], ['f32', ADDEND]),
  workgroups: () => [1, 1, 1],
})
