/** Figures and conditions of verdict.md. */
import {
  defineFigures,
  derived,
  metric,
  all,
  any,
  measured,
  not,
  software,
  named,
  words,
} from '../../text/define-figures'

const speedup = metric('speedup')
const slowdown = metric('slowdown')
const reserveGain = metric('reserve-gain')
const pace = metric('pace')
const step = metric('step-ms')
const make = metric('make-ms')
const deviceBusy = metric('device-busy-ratio')

/**
 * With one worker a step takes at least so many times as long as with batches at hand, or there is
 * little to gain.
 */
const STARVED = 1.25
/** Several workers must gain so much to be worth their memory. */
const HELPED = 1.3
/**
 * A larger reserve must gain so much; one late batch in 16 cannot cost much more than half of the
 * time. Where a step takes less than so many times the making of its batch, no reserve can gain
 * that much.
 */
const BRIDGED = 1.15
/** Batches that are made cannot be had so much sooner than batches that are at hand. */
const DISTURBED = 0.8
/** One core for each thread; or as many workers as the making needs. */
const FULL = 1
/** A step so little longer than with batches at hand does not wait for the loader. */
const FED = 1.15

const askedWorkers = measured(speedup('$most'), slowdown('workers-1'))
const askedReserve = measured(reserveGain('$deep'))
const inVain = all(metric('making-load')('ahead-1').atLeast(FULL), pace('ahead-1').surelyLessThan(BRIDGED))
const crowded = derived('coresPerThread').lessThan(FULL)
const crowdedCores = any(software, crowded)

export const figures = defineFigures({
  ...named({ step }, 'at-hand', 'workers-1', '$most', 'ahead-1', '$deep', 'workers-0'),
  ...words('mostWorkers', 'deepBatches', 'most'),
  stepAtHandBelowMakeWorkers1: step('at-hand').below(make('workers-1')),
  ...named({ make }, 'workers-1', '$most', 'ahead-1'),
  hasDeviceBusyWorkers1: measured(deviceBusy('workers-1')),
  deviceBusyWorkers1: deviceBusy('workers-1'),
  stepWorkers0LikeWorkers1: step('workers-0').overlaps(step('workers-1')),
  slowdownMostBelowFed: slowdown('$most').surelyLessThan(FED),
  makeWorkers1BelowMost: make('workers-1').below(make('$most')),
  hostCores: derived('hostCores'),
  noWorker: derived('loaderFailed').atLeast(1),
  loaderProblem: derived('loaderProblem'),
  reserveDelays: all(askedReserve, inVain),
  paceAhead1: pace('ahead-1').as('times'),
  reserveHides: all(askedReserve, reserveGain('$deep').surelyAtLeast(BRIDGED)),
  reserveGainDeep: reserveGain('$deep').as('times'),
  reserveIdle: all(askedReserve, reserveGain('$deep').surelyLessThan(BRIDGED)),
  askedReserve,
  nothingToCompare: not(askedWorkers),
  disturbedRun: slowdown('$most').surelyLessThan(DISTURBED),
  notStarved: slowdown('workers-1').lessThan(STARVED),
  workersFeed: speedup('$most').surelyAtLeast(HELPED),
  speedupMost: speedup('$most').as('times'),
  noCores: all(crowdedCores, speedup('$most').surelyLessThan(HELPED)),
  workersGainLittle: speedup('$most').surelyLessThan(HELPED),
})
