/**
 * Chooses the shape of the trials: with less of k, or fewer tiles, where the whole shape would take
 * too long. Pure.
 */
import type { MatmulShape, Tile } from '../../../src/gpu/kernels/catalog'

/**
 * Parts of k are multiples of this and what is left over, so that edges and rows of four are those
 * of the whole.
 */
const PART_OF_K = 64

/** The part of k to begin with. */
export const firstPart = (k: number): number => Math.min(k, PART_OF_K + (k % PART_OF_K))

/** About `factor` times as much of k, at least twice; all of k at the end. */
export const nextPart = (part: number, k: number, factor: number): number =>
  Math.min(k, Math.floor((part * Math.max(2, factor)) / PART_OF_K) * PART_OF_K + (k % PART_OF_K))

/**
 * Whole tiles taken out of C until about a sixteenth is left: it is cut at its edges as before, so
 * that the same pipeline runs. The same shape where there are too few tiles for that.
 */
export function cropShape(
  shape: MatmulShape,
  { rows, columns }: Pick<Tile, 'rows' | 'columns'>,
): MatmulShape {
  const cut = (size: number, tile: number) => size - tile * Math.floor((0.75 * size) / tile)
  return { ...shape, m: cut(shape.m, rows), n: cut(shape.n, columns) }
}
