/** As the last rung, but nobody asks for an early end. */
import { without } from '../../../../exercises/rules'
import { rules as last } from '../checks'

export const rules = without(last, 'stops')
