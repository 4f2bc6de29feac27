/** As the last rung. One buffer saves the making and costs a wait, and which of them is longer depends on the machine. */
import { without } from '../../../../exercises/rules'
import { rules as last } from '../checks'

export const rules = without(last, 'time')
