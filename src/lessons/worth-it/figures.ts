/** Figures and conditions of the words beside it. */
import {
  all,
  bytes,
  defineFigures,
  measured,
  metric,
  not,
  plain,
  ran,
  recording,
  software,
  word,
} from '../../text/define-figures'

const torch = recording('torch-worth-it')
const larger = recording('worth-it/larger')
const transferCost = recording('transfer-cost')
const firstRun = recording('worth-it')
const reuse = recording('worth-it/reuse')
const torchCpu = recording('torch-worth-it-cpu')
const torchGpu = recording('torch-worth-it-gpu')
const torchGpuPinned = recording('torch-worth-it-gpu-pinned')

const time = metric('time-ms')
const gflops = metric('gflops')
const latency = metric('latency-ms')
const kernelShare = metric('kernel-share')
const otherWait = metric('other-wait-ms')
const kernel = metric('kernel-ms')
const uploadRate = metric('upload-gb-per-s')

export const figures = defineFigures({
  torchNAt1UsesFromPinned: torch('points[uses=1].n@pinnedMs<=cpuMs'),
  pageableNeverPaysAt3072: torch('points[uses=1&n=3072].pageableMs')
    .over(torch('points[uses=1&n=3072].cpuMs'))
    .atLeast(1),
  torchCpuAt1Uses3072: torch('points[uses=1&n=3072].cpuMs'),
  torchPageableAt1Uses3072: torch('points[uses=1&n=3072].pageableMs'),
  N64: plain(64).as('times'),
  N16: plain(16).as('times'),
  hasTimeRoundTrip128AndTrip512: measured(time('round-trip-128'), time('round-trip-512')),
  timeRoundTrip512: time('round-trip-512'),
  timeRoundTrip128: time('round-trip-128'),
  timeRoundTrip512OverRoundTrip128: time('round-trip-512').over(time('round-trip-128')).as('times'),
  N8: plain(8).as('times'),
  N4: plain(4).as('times'),
  timeRoundTrip2048BelowCpu2048: time('round-trip-2048').below(time('cpu-2048')),
  timeCpu2048: time('cpu-2048'),
  timeRoundTrip2048: time('round-trip-2048'),
  timeCpu2048OverRoundTrip2048: time('cpu-2048').over(time('round-trip-2048')).as('times'),
  ranAndNoTimeCpu2048: all(ran, not(measured(time('cpu-2048')))),
  largerGflopsResident2048: larger('gflops', 'resident-2048'),
  largerRateOfLane: larger('gflops', 'resident-2048').over(16896),
  largerGflopsCpu2048: larger('gflops', 'cpu-2048'),
  largerProcessorThreads: larger('derived.processorThreads'),
  largerRateOfThread: larger('gflops', 'cpu-2048').over(larger('derived.processorThreads')),
  laneBelowThread: larger('gflops', 'resident-2048')
    .over(16896)
    .below(larger('gflops', 'cpu-2048').over(larger('derived.processorThreads'))),
  lanesOverThreads: plain(16896).over(larger('derived.processorThreads')).as('times'),
  gflopsCpuFirst: gflops('$cpuFirst'),
  first: word('first'),
  gflopsCpuTop: gflops('$cpuTop'),
  gflopsResidentFirst: gflops('$residentFirst'),
  residentFirstSize: word('residentFirstSize'),
  gflopsResidentTop: gflops('$residentTop'),
  residentTopSize: word('residentTopSize'),
  readbackBelowLatency: transferCost('time-ms', 'down-4k').below(latency('round-trip')),
  alphaSize: word('alphaSize'),
  latencyRoundTrip: latency('round-trip'),
  transferCostTimeDown4k: transferCost('time-ms', 'down-4k'),
  torchPinnedAt1Uses32: torch('points[uses=1&n=32].pinnedMs'),
  torchPageableAt1Uses32: torch('points[uses=1&n=32].pageableMs'),
  recordedTimeRoundTrip32: firstRun('time-ms', 'round-trip-32'),
  torchPinnedAt1Uses2048: torch('points[uses=1&n=2048].pinnedMs'),
  torchPageableAt1Uses2048: torch('points[uses=1&n=2048].pageableMs'),
  largerTimeRoundTrip2048: larger('time-ms', 'round-trip-2048'),
  torchCpuAt1Uses2048: torch('points[uses=1&n=2048].cpuMs'),
  torchThreads: torch('threads'),
  largerTimeCpu2048: larger('time-ms', 'cpu-2048'),
  torchCrossoverBelowRecorded: torch('points[uses=1].n@pinnedMs<=cpuMs').below(
    firstRun('crossover-n', 'round-trip'),
  ),
  recordedCrossoverNRoundTrip: firstRun('crossover-n', 'round-trip'),
  recordedCrossoverBelowTorch: reuse('crossover-n', 'round-trip').below(
    torch('points[uses=16].n@pinnedMs<=cpuMs'),
  ),
  torchNAt16UsesFromPinned: torch('points[uses=16].n@pinnedMs<=cpuMs'),
  torchNAt16UsesFromPageable: torch('points[uses=16].n@pageableMs<=cpuMs'),
  reuseCrossoverNRoundTrip: reuse('crossover-n', 'round-trip'),
  torchNAt1UsesFromResident: torch('points[uses=1].n@residentMs<=cpuMs'),
  tripIsLatency: all(
    time('round-trip-128').over(time('round-trip-64')).lessThan(1.5),
    kernelShare('round-trip-128').surelyLessThan(0.1),
    otherWait('round-trip-128').over(time('round-trip-128')).atLeast(0.5),
  ),
  timeRoundTrip64: time('round-trip-64'),
  kernelRoundTrip64: kernel('round-trip-64'),
  kernelRoundTrip128: kernel('round-trip-128'),
  kernelShareRoundTrip128: kernelShare('round-trip-128'),
  uploadRateUpload: uploadRate('upload'),
  upload128KiB: bytes(131072).over(uploadRate('upload')),
  timeCpu128: time('cpu-128'),
  cpuReachesItsRateFirst: all(
    not(software),
    gflops('$cpuTop')
      .over(gflops('$cpuFirst'))
      .below(gflops('$residentTop').over(gflops('$residentFirst'))),
  ),
  residentRateGrowth: gflops('$residentTop').over(gflops('$residentFirst')).as('times'),
  gflopsCpuTopOverCpuFirst: gflops('$cpuTop').over(gflops('$cpuFirst')).as('times'),
  N32TimesN32: plain(32).times(32),
  N132TimesN128: plain(132).times(128),
  gflopsCpuFirstBelowCpuTop: gflops('$cpuFirst').below(gflops('$cpuTop')),
  torchCpuStepBelowGpuStep: torchCpu('step-ms').below(torchGpu('step-ms')),
  torchGpuKernelUs: torchGpu('kernel-ms').as('us'),
  torchGpuStepUs: torchGpu('step-ms').as('us'),
  torchGpuPinnedStepBelowStep: torchGpuPinned('step-ms').below(torchGpu('step-ms')),
  torchGpuPinnedStepUs: torchGpuPinned('step-ms').as('us'),
  torchCpuStepBelowGpuPinnedStep: torchCpu('step-ms').below(torchGpuPinned('step-ms')),
  torchCpuStepUs: torchCpu('step-ms').as('us'),
  timeCpuFirstBelowTripFirst: time('$cpuFirst').below(time('$tripFirst')),
  timeCpuFirst: time('$cpuFirst'),
  timeTripFirst: time('$tripFirst'),
})
