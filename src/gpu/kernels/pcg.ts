/** The hash of shaders/lib/pcg.wgsl on the host, bit for bit: unsigned 32-bit words in and out. */
function pcg(input: number): number {
  const state = (Math.imul(input, 747796405) + 2891336453) >>> 0
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737)
  return ((word >>> 22) ^ word) >>> 0
}

/**
 * The stream `seed`, by the index of a word; indices count modulo 2^32. For those who read many:
 * the seed is hashed once.
 */
export function wordsOf(seed: number): (index: number) => number {
  const start = pcg(seed)
  return (index) => pcg((index + start) >>> 0)
}

/** Word `index` of the stream `seed`. */
export const randomWord = (index: number, seed: number): number => wordsOf(seed)(index)
