/** The variants are how often the host reads. */
import { byId, type Variant } from '../declare/variants'

export interface Reads extends Variant {
  /** Steps between two reads; Infinity: it never reads. */
  readonly every: number
  /** As a sentence says it: 'after every 4th step'. */
  readonly often: string
}
const reads = (id: string, every: number, often: string): Reads => ({
  id,
  program: 'read',
  words: `reading ${often}`,
  every,
  often,
})

export const ALL: readonly Reads[] = [
  { id: 'never', every: Number.POSITIVE_INFINITY, often: '' },
  reads('every-step', 1, 'after every step'),
  ...[4, 16, 64].map((every) =>
    reads(`every-${String(every)}`, every, `after every ${String(every)}th step`),
  ),
]
const found = byId(ALL)
export const readsOf = (id: string): Reads => found(id) ?? reads(id, Number.NaN, '')
