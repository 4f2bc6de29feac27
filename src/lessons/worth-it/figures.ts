/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  metric,
  plain,
  recording,
  all,
  measured,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const torchSteps = recording('torch-steps')
const torch = recording('torch-worth-it')
const larger = recording('worth-it/larger')

const crossover = metric('crossover-n')
const time = metric('time-ms')
const kernelShare = metric('kernel-share')

/** An H200 has 132 multiprocessors of 128 lanes. */
const LANES = 16896

const laneRate = larger('gflops', 'resident-2048').over(LANES)
const threadRate = larger('gflops', 'cpu-2048').over(larger('derived.processorThreads'))

export const evidence = defineEvidence({
  sharedTripPaysEarlier: pair(
    recording('worth-it')('crossover-n', 'round-trip'),
    recording('worth-it/reuse')('crossover-n', 'round-trip'),
  ),
})

export const figures = defineFigures({
  pinnedCrossing: torch('points[uses=1].n@pinnedMs<=cpuMs').as('about'),
  pinnedCrossingOf16: torch('points[uses=16].n@pinnedMs<=cpuMs').as('about'),
  cpuThreads: torch('threads'),
  residentCrossing: torch('points[uses=1].n@residentMs<=cpuMs').as('about'),
  pinnedTrip32: torch('points[uses=1&n=32].pinnedMs'),
  cpu32: torch('points[uses=1&n=32].cpuMs'),
  cpu512: torch('points[uses=1&n=512].cpuMs'),
  resident32: torch('points[uses=1&n=32].residentMs'),
  resident512: torch('points[uses=1&n=512].residentMs'),
  cpu3072: torch('points[uses=1&n=3072].cpuMs'),
  pageableTrip3072: torch('points[uses=1&n=3072].pageableMs'),
  hasCrossing: measured(crossover('round-trip')),
  crossoverNRoundTrip: crossover('round-trip').as('about'),
  N8: plain(8).as('times'),
  N4: plain(4).as('times'),
  N16: plain(16).as('times'),
  timeRoundTrip2048BelowCpu2048: time('round-trip-2048').below(time('cpu-2048')),
  ...named({ time }, 'cpu-2048', 'round-trip-2048', 'round-trip-64', 'round-trip-128', 'round-trip-512'),
  deviceRate: larger('gflops', 'resident-2048'),
  cpuRate: larger('gflops', 'cpu-2048'),
  threads: larger('derived.processorThreads'),
  threadRate,
  laneRate,
  laneBelowThread: laneRate.below(threadRate),
  tripIsLatency: all(
    time('round-trip-128').over(time('round-trip-64')).lessThan(1.5),
    time('round-trip-512').over(time('round-trip-128')).lessThan(8),
    kernelShare('round-trip-128').surelyLessThan(0.1),
    metric('wait-ms')('round-trip-128')
      .minus(metric('kernel-ms')('round-trip-128'))
      .over(time('round-trip-128'))
      .atLeast(0.5),
  ),
  kernelShareRoundTrip128: kernelShare('round-trip-128'),
  /** The recording of all sizes decides this: the loop's few steps vary too much to tell. */
  cpuIsFastest: all(
    torch('points[uses=1&n=128].cpuMs').below(torch('points[uses=1&n=128].pageableMs')),
    torch('points[uses=1&n=128].cpuMs').below(torch('points[uses=1&n=128].pinnedMs')),
  ),
  pinnedBeatsPageable: torchSteps('worth-it.gpu-pinned.stepMs').below(torchSteps('worth-it.gpu.stepMs')),
  gpuStep: torchSteps('worth-it.gpu.stepMs').as('us'),
  gpuPinnedStep: torchSteps('worth-it.gpu-pinned.stepMs').as('us'),
  cpuStep: torchSteps('worth-it.cpu.stepMs').as('us'),
})
