/** Figures and conditions of the words beside it. */
import {
  all,
  defineFigures,
  metric,
  not,
  ran,
  recorded,
  recording,
  software,
} from '../../text/define-figures'

const torch = recording('torch-stay-on-device')
const transferCost = recording('transfer-cost')
const firstRun = recording('stay-on-device')
const worthIt = recording('worth-it')
const larger = recording('stay-on-device/larger')
const torchThereAndBack = recording('torch-stay-on-device-there-and-back')
const torchNothing = recording('torch-stay-on-device-nothing')
const torchOneNumber = recording('torch-stay-on-device-one-number')

const slowdown = metric('slowdown')
const kernel = metric('kernel-ms')
const step = metric('step-ms')
const deviceBusy = metric('device-busy-ratio')
const heldBytes = metric('held-bytes')

export const figures = defineFigures({
  torchPageableOverResidentAt2048: torch('points[n=2048].pageableMs').over(
    torch('points[n=2048].residentMs'),
  ),
  torchPageableAt2048: torch('points[n=2048].pageableMs'),
  torchResidentAt2048: torch('points[n=2048].residentMs'),
  torchPinnedAt2048: torch('points[n=2048].pinnedMs'),
  torchScalarBackAt2048: torch('points[n=2048].scalarBackMs'),
  pageableAtLeastTwicePinned: torch('points[n=2048].pageableMs')
    .over(torch('points[n=2048].pinnedMs'))
    .atLeast(2),
  readInOldMemoryIsHalf: transferCost('read-ms', 'down-16m')
    .over(firstRun('read-ms', 'round-trips'))
    .lessThan(0.5),
  recordedReadRoundTrips: firstRun('read-ms', 'round-trips'),
  transferCostReadDown16m: transferCost('read-ms', 'down-16m'),
  transferCostGbPerSDown16m: transferCost('gb-per-s', 'down-16m'),
  worthItReadbackGbPerSReadback: worthIt('readback-gb-per-s', 'readback'),
  scalarBackDiffersLess: all(
    recorded,
    slowdown('round-trips').below(firstRun('slowdown', 'round-trips')),
    slowdown('scalar-back')
      .over(firstRun('slowdown', 'scalar-back'))
      .below(slowdown('round-trips').over(firstRun('slowdown', 'round-trips'))),
  ),
  kernelResident: kernel('resident'),
  recordedKernelResident: firstRun('kernel-ms', 'resident'),
  recordedRoundTripsOverResident: firstRun('step-ms', 'round-trips')
    .over(firstRun('step-ms', 'resident'))
    .as('times'),
  roundTripsOverResident: step('round-trips').over(step('resident')).as('times'),
  recordedScalarBackOverResident: firstRun('step-ms', 'scalar-back')
    .over(firstRun('step-ms', 'resident'))
    .as('times'),
  scalarBackOverResident: step('scalar-back').over(step('resident')).as('times'),
  softwareIsBusy: all(ran, software, deviceBusy('round-trips').atLeast(0.5)),
  deviceBusyRoundTrips: deviceBusy('round-trips'),
  stepResidentLikeScalarBack: step('resident').overlaps(step('scalar-back')),
  stepScalarBack: step('scalar-back'),
  stepResident: step('resident'),
  stepResidentBelowScalarBack: step('resident').below(step('scalar-back')),
  ranAndNotSoftware: all(ran, not(software)),
  heldBytesResident: heldBytes('resident'),
  recordedHeldBytesResident: firstRun('held-bytes', 'resident'),
  recordedStepResident: firstRun('step-ms', 'resident'),
  scalarIsCheapMatrixIsNot: all(
    torch('points[n=4096].scalarBackMs').over(torch('points[n=4096].residentMs')).lessThan(1.1),
    torch('points[n=4096].pinnedMs').over(torch('points[n=4096].residentMs')).atLeast(1.5),
  ),
  torchResidentAt4096: torch('points[n=4096].residentMs'),
  torchScalarBackAt4096: torch('points[n=4096].scalarBackMs'),
  torchPinnedAt4096: torch('points[n=4096].pinnedMs'),
  torchPageableAt4096: torch('points[n=4096].pageableMs'),
  torchResidentAt256: torch('points[n=256].residentMs'),
  torchScalarBackAt256: torch('points[n=256].scalarBackMs'),
  torchPinnedAt256: torch('points[n=256].pinnedMs'),
  torchPageableAt256: torch('points[n=256].pageableMs'),
  deviceBusyScalarBackBelow50Percent: deviceBusy('scalar-back').lessThan(0.5),
  deviceBusyScalarBack: deviceBusy('scalar-back'),
  largerSlowsLessCarriesMore: all(
    larger('slowdown', 'round-trips').below(firstRun('slowdown', 'round-trips')),
    firstRun('carried-bytes', 'round-trips').below(larger('carried-bytes', 'round-trips')),
  ),
  largerRoundTripsOverResident: larger('step-ms', 'round-trips')
    .over(larger('step-ms', 'resident'))
    .as('times'),
  largerCarriedBytesRoundTrips: larger('carried-bytes', 'round-trips'),
  recordedCarriedBytesRoundTrips: firstRun('carried-bytes', 'round-trips'),
  roundTripsLongerWhenLarger: firstRun('step-ms', 'round-trips').below(larger('step-ms', 'round-trips')),
  largerStepRoundTrips: larger('step-ms', 'round-trips'),
  recordedStepRoundTrips: firstRun('step-ms', 'round-trips'),
  torchPinnedAt2048BelowPageableAt2048: torch('points[n=2048].pinnedMs').below(
    torch('points[n=2048].pageableMs'),
  ),
  thereAndBackTwiceNothing: torchThereAndBack('step-ms').over(torchNothing('step-ms')).atLeast(2),
  torchThereAndBackCopyShare: torchThereAndBack('copy-ratio'),
  torchThereAndBackOverNothing: torchThereAndBack('step-ms').over(torchNothing('step-ms')).as('times'),
  torchNothingStepBelowOneNumberStep: torchNothing('step-ms').below(torchOneNumber('step-ms')),
  torchOneNumberIdle: torchOneNumber('idle-ratio'),
  torchNothingIdleBelowOneNumberIdle: torchNothing('idle-ratio').below(torchOneNumber('idle-ratio')),
})
