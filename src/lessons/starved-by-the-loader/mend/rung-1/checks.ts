/** As the last rung, with one batch ahead. */
import { rulesAhead } from '../judged'

export const rules = rulesAhead(1)
