/** Figures and conditions of the words beside it. */
import { all, any } from '../../text/define-conditions'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torch = recording('torch-stay-on-device')
export const torchSteps = recording('torch-steps')
export const torchReads = recording('torch-async-submission')
export const firstRun = recording('stay-on-device')
export const larger = recording('stay-on-device/larger')

export const step = metric('step-ms')
export const deviceBusy = metric('device-busy-ratio')

/** One number at the end may cost this factor and still be called cheap. */
const CHEAP = 1.25

const torchTrips = torch('points[n=2048].pageableMs')
const torchResident = torch('points[n=2048].residentMs')

export const figures = defineFigures({
  torchFactor: torchTrips.over(torchResident),
  torchTripsStepHigh: torchSteps('stay-on-device.there-and-back.stepMs.high'),
  residentBelowRoundTrips: step('resident').below(step('round-trips')),
  residentBelowScalarBack: step('resident').below(step('scalar-back')),
  onceIsCheap: any(
    step('resident').overlaps(step('scalar-back')),
    metric('slowdown')('scalar-back').surelyLessThan(CHEAP),
  ),
  roundTripsOverResident: step('round-trips').over(step('resident')).as('times'),
  scalarBackOverResident: step('scalar-back').over(step('resident')).as('times'),
  heldBytesResident: metric('held-bytes')('resident'),
  deviceBusyScalarBackBelowHalf: deviceBusy('scalar-back').lessThan(0.5),
  largerIsMilder: all(
    larger('slowdown', 'round-trips').below(firstRun('slowdown', 'round-trips')),
    firstRun('carried-bytes', 'round-trips').below(larger('carried-bytes', 'round-trips')),
    firstRun('step-ms', 'round-trips').below(larger('step-ms', 'round-trips')),
  ),
})
