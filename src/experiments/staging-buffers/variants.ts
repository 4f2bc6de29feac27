/** The variants. */
import { byId, type Variant } from '../declare/variants'

export const WRITE = 'write-buffer'
/** A new staging buffer for each batch. */
export const NEW = 'mapped-at-creation'
/** One staging buffer, used again. */
export const REUSED = 'reused'
export const ringVariant = (depth: string | number): string => `ring-${String(depth)}`
/** Deeper than the ring of every run. */
export const DEEPER = ['3', '4', '8'] as const

/** `depth`: staging buffers that a variant is given, mapped. Those of others are new, or the browser's own. */
export const ALL: readonly (Variant & { readonly depth: number })[] = [
  { id: REUSED, depth: 1 },
  ...['2', ...DEEPER].map((depth) => ({
    id: ringVariant(depth),
    program: 'ring',
    words: `a ring of ${depth}`,
    depth: Number(depth),
  })),
]
const found = byId(ALL)
export const depthOf = (variant: string): number => found(variant)?.depth ?? 0

/** Of every run; `rings` adds deeper ones. */
export const MAIN = [WRITE, NEW, REUSED, ringVariant(2)] as const
