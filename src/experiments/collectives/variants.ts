/**
 * Names of the variants: 'ring-4x256' runs ring.js on 4 ranks with a buffer of 256 KiB on each;
 * 'pair-2x256' sends as much to and fro between two.
 */
import { byId } from '../../base/lists'
import type { Variant } from '../declare/experiment'

export const OPERATIONS = {
  'all-reduce': 'all-reduce',
  'reduce-scatter': 'reduce-scatter',
  'all-gather': 'all-gather',
  broadcast: 'broadcast',
  gather: 'gather',
} as const
export type Operation = keyof typeof OPERATIONS

export const NAIVE = 'naive'
export const TREE = 'tree'
export const RING = 'ring'
export const ALGORITHMS = [NAIVE, TREE, RING] as const
export type Algorithm = (typeof ALGORITHMS)[number]
/** The two whose curves cross. */
export const RIVALS = [NAIVE, RING] as const
/** Point to point: what α and B are fitted to. */
export const PAIR = 'pair'
const PROGRAMS = [...ALGORITHMS, PAIR] as const
export type ProgramName = (typeof PROGRAMS)[number]

export const LEAST_RANKS = 2
export const MOST_RANKS = 8

/** KiB of the buffer of each rank, from the smallest, as a control shows them. */
export const SIZE_LABELS = {
  '1': '1 KiB',
  '4': '4 KiB',
  '16': '16 KiB',
  '64': '64 KiB',
  '256': '256 KiB',
  '1024': '1 MiB',
  '4096': '4 MiB',
  '16384': '16 MiB',
  '65536': '64 MiB',
} as const
export const sizeLabel = (kib: number): string =>
  (SIZE_LABELS as Readonly<Record<string, string>>)[String(kib)] ?? `${String(kib)} KiB`
export const KIB = 1024

export interface Collective extends Variant {
  readonly program: ProgramName
  readonly ranks: number
  readonly kib: number
}

export const variantOf = (program: ProgramName, ranks: number, kib: number | string): string =>
  `${program}-${String(program === PAIR ? 2 : ranks)}x${String(kib)}`

const WORDS: Readonly<Record<ProgramName, (size: string) => string>> = {
  [NAIVE]: (size) => `naive with ${size}`,
  [TREE]: (size) => `the tree with ${size}`,
  [RING]: (size) => `the ring with ${size}`,
  [PAIR]: (size) => `a pair of ranks with ${size}`,
}
export const RANKS = Array.from({ length: MOST_RANKS - LEAST_RANKS + 1 }, (_, index) => index + LEAST_RANKS)
export const ALL = PROGRAMS.flatMap((program) =>
  (program === PAIR ? [2] : RANKS).flatMap((ranks) =>
    Object.keys(SIZE_LABELS)
      .map(Number)
      .map((kib): Collective => ({
        id: variantOf(program, ranks, kib),
        words: WORDS[program](sizeLabel(kib)),
        program,
        ranks,
        kib,
      })),
  ),
)
export const collectiveOf = byId(ALL)
/** KiB of a variant that runs this program; null for another. */
export const kibOf =
  (program: ProgramName) =>
  (variant: string): number | null => {
    const found = collectiveOf(variant)
    return found?.program === program ? found.kib : null
  }

/** The name of the chart of time over size. */
export const figureOf = (operation: Operation, ranks: number): string => `${operation}-on-${String(ranks)}`
