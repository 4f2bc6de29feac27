/** For words that quote nothing. */
import type { Recordings } from '../../../src/text/recorded'

const none = (file: string): never => {
  throw new Error(`There is no recording '${file}'.`)
}
export const NO_RECORDINGS: Recordings = { figure: none, origin: none, facts: none }
