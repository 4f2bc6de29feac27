/** Batches made ahead by two workers, at most two waiting, all of them right and in order. */
import { rulesAhead } from './judged'

export const rules = rulesAhead(2)
