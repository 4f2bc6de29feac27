/** For worth-it alone, until it imports these from where they are. */
export { keepBusy as rampClocks, timeDispatch, timePasses } from '../kernels/tuning/timing'
