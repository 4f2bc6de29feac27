/**
 * Numbers of the lab's operands (lab/operands.ts): any of them can be worked out where there is no
 * memory of it.
 */
import { fillOf } from './fill'

/**
 * Odd, and a multiple of no size that is run: two operands never agree in a sampled word by
 * accident of alignment.
 */
export const STRIDE_WORDS = 1021

/** The f32 at a position of an operand, by the operand's index. */
export function operandOf(seed: number): (index: number, position: number) => number {
  const valueAt = fillOf(seed)
  return (index, position) => valueAt(index * STRIDE_WORDS + position)
}

export const operandValue = (index: number, position: number, seed: number): number =>
  operandOf(seed)(index, position)
