/**
 * Shapes of matrix products as a person writes them: 512 (all three alike), or m×n×k as in
 * 4096x4096x64. C is m × n, A m × k, B k × n.
 */
import { usageError } from '../cli/strict-arguments'

export interface GemmShape {
  readonly m: number
  readonly n: number
  readonly k: number
}

const MAX_SIDE = 16384

/** Throws CommandError (exit code 2) for anything that is no shape. */
function parseShape(text: string): GemmShape {
  const [, ...written] = /^(\d+)(?:[x×](\d+)[x×](\d+))?$/.exec(text.trim()) ?? []
  const sides = written.filter(Boolean).map(Number)
  const [m, n = m, k = m] = sides
  if (m !== undefined && n !== undefined && k !== undefined)
    if (sides.every((side) => side >= 1 && side <= MAX_SIDE)) return { m, n, k }
  throw usageError(
    `A size is an integer from 1 to ${String(MAX_SIDE)}, or three of them as in 4096x4096x64 (M, N, K); got '${text}'.`,
  )
}

/** Comma-separated; each shape once. */
export function parseShapes(text: string): readonly GemmShape[] {
  const shapes = text.split(',').map(parseShape)
  return [...new Map(shapes.map((shape) => [formatShape(shape), shape])).values()]
}

export const formatShape = ({ m, n, k }: GemmShape): string =>
  m === n && n === k ? `${String(m)}³` : [m, n, k].map(String).join('×')

export const sidesOf = ({ m, n, k }: GemmShape) => [m, n, k] as const

export const flopsOf = ({ m, n, k }: GemmShape): number => 2 * m * n * k
