/** Figures and conditions of the words beside it. */
import { defineFigures, metric, recording, all, any, named } from '../../text/define-figures'

const torch = recording('torch-stay-on-device')
const torchSteps = recording('torch-steps')
const torchReads = recording('torch-async-submission')
const firstRun = recording('stay-on-device')
const larger = recording('stay-on-device/larger')

const step = metric('step-ms')
const deviceBusy = metric('device-busy-ratio')

/** One number at the end may cost this factor and still be called cheap. */
const CHEAP = 1.25

const torchTrips = torch('points[n=2048].pageableMs')
const torchResident = torch('points[n=2048].residentMs')

export const figures = defineFigures({
  torchFactor: torchTrips.over(torchResident),
  torchTrips,
  torchTripsLow: torch('points[n=2048].pageableMs.low'),
  torchTripsHigh: torch('points[n=2048].pageableMs.high'),
  torchResident,
  torchPinned: torch('points[n=2048].pinnedMs'),
  torchScalarBack: torch('points[n=2048].scalarBackMs'),
  torchOneAtEnd: torch('points[n=2048].oneAtEndMs'),
  torchResidentLarge: torch('points[n=4096].residentMs'),
  torchScalarBackLarge: torch('points[n=4096].scalarBackMs'),
  torchPinnedLarge: torch('points[n=4096].pinnedMs'),
  torchTripsLarge: torch('points[n=4096].pageableMs'),
  cpuIntoNewMemory: torchReads('points[kib=16384].keptMs'),
  copyIntoUsedMemory: torchReads('points[kib=16384].copyMs'),
  torchTripsStep: torchSteps('stay-on-device.there-and-back.stepMs'),
  torchTripsStepLow: torchSteps('stay-on-device.there-and-back.stepMs.low'),
  torchTripsStepHigh: torchSteps('stay-on-device.there-and-back.stepMs.high'),
  torchNumberStep: torchSteps('stay-on-device.one-number.stepMs'),
  torchStaysStep: torchSteps('stay-on-device.nothing.stepMs'),
  residentBelowRoundTrips: step('resident').below(step('round-trips')),
  residentBelowScalarBack: step('resident').below(step('scalar-back')),
  ...named({ step }, 'resident', 'scalar-back', 'round-trips'),
  onceIsCheap: any(
    step('resident').overlaps(step('scalar-back')),
    metric('slowdown')('scalar-back').surelyLessThan(CHEAP),
  ),
  roundTripsOverResident: step('round-trips').over(step('resident')).as('times'),
  scalarBackOverResident: step('scalar-back').over(step('resident')).as('times'),
  ...named({ heldBytes: metric('held-bytes') }, 'resident', 'round-trips'),
  deviceBusyScalarBackBelowHalf: deviceBusy('scalar-back').lessThan(0.5),
  deviceBusyScalarBack: deviceBusy('scalar-back'),
  largerIsMilder: all(
    larger('slowdown', 'round-trips').below(firstRun('slowdown', 'round-trips')),
    firstRun('carried-bytes', 'round-trips').below(larger('carried-bytes', 'round-trips')),
    firstRun('step-ms', 'round-trips').below(larger('step-ms', 'round-trips')),
  ),
  recordedFactor: firstRun('slowdown', 'round-trips').as('times'),
  largerFactor: larger('slowdown', 'round-trips').as('times'),
  recordedBytes: firstRun('carried-bytes', 'round-trips'),
  largerBytes: larger('carried-bytes', 'round-trips'),
  recordedStepRoundTrips: firstRun('step-ms', 'round-trips'),
  largerStepRoundTrips: larger('step-ms', 'round-trips'),
})
