/** Figures and conditions of verdict.md. */
import { all, any, measured } from '../../text/define-conditions'
import { defineFigures, metric } from '../../text/define-figures'

export const step = metric('step-ms')
export const slowdown = metric('slowdown')
export const hostFree = metric('host-free-ratio')
export const bytesOf = metric('bytes-ratio')
export const deviceBusy = metric('device-busy-ratio')
export const write = metric('write-ms')
export const stall = metric('stall-ms')
export const read = metric('read-ms')
export const heldBytes = metric('held-bytes')

/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/**
 * With nothing read and nothing carried, a host that is free for less than this is itself what
 * takes the time.
 */
const HOST_FREE_ENOUGH = 0.5
/**
 * Writing, waiting and copying out must be at least so much of a layer with its trip, else the
 * trips are not what makes it long.
 */
const TRIPS_ENOUGH = 0.5
/** More than half of the extra time. */
const MOSTLY = 0.5

const slower = all(
  step('resident').below(step('round-trips')),
  slowdown('round-trips').atLeast(WORTH_REPORTING),
)
const hostTakesIt = hostFree('resident').surelyLessThan(HOST_FREE_ENOUGH)
const split = all(measured(bytesOf('round-trips')), step('scalar-back').below(step('round-trips')))

export const figures = defineFigures({
  kernelRoundTrips: metric('kernel-ms')('round-trips'),
  stepScalarBackLikeRoundTrips: step('scalar-back').overlaps(step('round-trips')),
  splitAndBytesRoundTripsAtLeastMostly: all(split, bytesOf('round-trips').surelyAtLeast(MOSTLY)),
  splitAndBytesRoundTripsBelowMostly: all(split, bytesOf('round-trips').surelyLessThan(MOSTLY)),
  residentHoldsMore: heldBytes('round-trips').below(heldBytes('resident')),
  hostBound: all(measured(slowdown('round-trips')), hostTakesIt),
  layersTooLong: all(
    step('resident').below(step('round-trips')),
    slowdown('round-trips').lessThan(WORTH_REPORTING),
  ),
  tripsDominate: all(
    slower,
    write('round-trips')
      .or(0)
      .plus(stall('round-trips'))
      .plus(read('round-trips').or(0))
      .over(step('round-trips'))
      .atLeast(TRIPS_ENOUGH),
  ),
  notTheTrips: all(slower, measured(stall('round-trips'))),
  intervalsOverlap: any(
    step('resident').overlaps(step('round-trips')),
    step('round-trips').below(step('resident')),
  ),
  stepRoundTripsBelowResident: step('round-trips').below(step('resident')),
})
