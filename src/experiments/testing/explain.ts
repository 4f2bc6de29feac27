import { passageOf } from '../../text/card'
import { partsFor } from '../../text/passage'
import { explanationOf, type Declaration } from '../declare'
import type { Prose, Quote } from '../declare/quote'

/** What a page explains of a run, in words alone. */
export function explain(declaration: Declaration, quote: Quote): Prose {
  const { from, cards, reading, machine } = explanationOf(declaration, quote)
  return [...from, ...partsFor(passageOf(cards), reading), ...machine]
}
