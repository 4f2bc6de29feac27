/** Numbers of the lab's operands (lab/operands.ts): any of them can be worked out where there is no memory of it. */
import { fillValue } from './fill'

/** Odd, and a multiple of no size that is run: two operands never agree in a sampled word by accident of alignment. */
export const STRIDE_WORDS = 1021

/** The f32 at a position of operand `index`. */
export const operandValue = (index: number, position: number, seed: number): number =>
  fillValue(index * STRIDE_WORDS + position, seed)
