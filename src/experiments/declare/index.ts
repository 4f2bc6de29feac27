/** What other layers need of declarations. A meta.ts imports from the files themselves. */
export type { Declaration, Rule } from './experiment'
export { explanationOf, judge } from './judge'
export type { Facts } from '../../text/facts'
