/** As the last rung, whichever way the blocks go. */
import { without } from '../../../../mend/rules'
import { rules as last } from '../checks'

export const rules = without(last, 'messages')
