/** Shapes of matrix products as a person writes them: 512 (all three alike), or m×n×k as in 4096x4096x64. C is m × n, A m × k, B k × n. */
import { CommandError } from '../cli/terminal.mjs'

export interface GemmShape {
  readonly m: number
  readonly n: number
  readonly k: number
}

const MAX_SIDE = 16384

function sideOf(text: string, whole: string): number {
  const side = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (side >= 1 && side <= MAX_SIDE) return side
  throw new CommandError(
    `A size is an integer from 1 to ${String(MAX_SIDE)}, or three of them as in 4096x4096x64 (M, N, K); got '${whole}'.`,
    2,
  )
}

/** Throws CommandError (exit code 2) for anything that is no shape. */
function parseShape(text: string): GemmShape {
  const sides = text.trim().split(/[x×]/)
  const [m, n, k] = sides.map((side) => sideOf(side, text))
  if (m !== undefined && sides.length === 1) return { m, n: m, k: m }
  if (m !== undefined && n !== undefined && k !== undefined && sides.length === 3) return { m, n, k }
  throw new CommandError(`A size is one number or three; got '${text}'.`, 2)
}

/** Comma-separated; each shape once. */
export function parseShapes(text: string): readonly GemmShape[] {
  const shapes = text.split(',').map(parseShape)
  return [...new Map(shapes.map((shape) => [formatShape(shape), shape])).values()]
}

export const formatShape = ({ m, n, k }: GemmShape): string =>
  m === n && n === k ? `${String(m)}³` : [m, n, k].map(String).join('×')

export const flopsOf = ({ m, n, k }: GemmShape): number => 2 * m * n * k
