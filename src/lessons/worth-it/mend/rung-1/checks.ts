/** As the last rung. */
export { rules } from '../checks'
