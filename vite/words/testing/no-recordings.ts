/** For words that quote nothing, and name nothing. */
import type { Recordings } from '../../../src/text/recorded'
import { namesOf } from '../named'

const none = (file: string): never => {
  throw new Error(`There is no recording '${file}'.`)
}
export const NO_RECORDINGS: Recordings = { figure: none, origin: none, facts: none }
export const NO_NAMES = namesOf({ figures: {} })
