/** Figures and conditions of verdict.md. */
import { defineFigures, metric, all, any, measured, named } from '../../text/define-figures'

const step = metric('step-ms')
const slowdown = metric('slowdown')
const hostFree = metric('host-free-ratio')
const bytesOf = metric('bytes-ratio')
const deviceBusy = metric('device-busy-ratio')
const write = metric('write-ms')
const stall = metric('stall-ms')
const read = metric('read-ms')
const heldBytes = metric('held-bytes')

/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/**
 * If nothing is read or carried, a host that is free for less than this is itself what takes the
 * time.
 */
const HOST_FREE_ENOUGH = 0.5
/**
 * Writing, waiting and copying out must be at least so much of a layer with its trip, else the
 * trips are not what makes it long.
 */
const TRIPS_ENOUGH = 0.5
/** More than half of the extra time counts as most. */
const MOSTLY = 0.5

const slower = all(
  step('resident').below(step('round-trips')),
  slowdown('round-trips').atLeast(WORTH_REPORTING),
)
const hostTakesIt = hostFree('resident').surelyLessThan(HOST_FREE_ENOUGH)
const split = all(measured(bytesOf('round-trips')), step('scalar-back').below(step('round-trips')))

export const figures = defineFigures({
  ...named({ step }, 'resident', 'scalar-back', 'round-trips'),
  ...named({ deviceBusy, heldBytes }, 'resident', 'round-trips'),
  ...named({ write, stall, read, kernel: metric('kernel-ms'), bytes: bytesOf }, 'round-trips'),
  stepScalarBackLikeRoundTrips: step('scalar-back').overlaps(step('round-trips')),
  splitAndBytesRoundTripsAtLeastMostly: all(split, bytesOf('round-trips').surelyAtLeast(MOSTLY)),
  splitAndBytesRoundTripsBelowMostly: all(split, bytesOf('round-trips').surelyLessThan(MOSTLY)),
  residentHoldsMore: heldBytes('round-trips').below(heldBytes('resident')),
  hostBound: all(measured(slowdown('round-trips')), hostTakesIt),
  hostFreeResident: hostFree('resident'),
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
  slowdownRoundTrips: slowdown('round-trips').as('times'),
  notTheTrips: all(slower, measured(stall('round-trips'))),
  intervalsOverlap: any(
    step('resident').overlaps(step('round-trips')),
    step('round-trips').below(step('resident')),
  ),
  stepRoundTripsBelowResident: step('round-trips').below(step('resident')),
})
