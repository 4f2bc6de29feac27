/** What other layers need of declarations. A meta.ts imports from the files themselves. */
import type { Param, ValuesOf as ValuesOfParams } from '../experiment'

export type { Declaration, Rule } from './experiment'
export { explain, explanationOf, judge } from './judge'
export type { Facts } from '../../text/facts'

/** The values of an experiment: `ValuesOf<typeof syncStalls>`. */
export type ValuesOf<E extends { readonly params: readonly Param[] }> = ValuesOfParams<E['params']>
