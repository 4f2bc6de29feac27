/** Figures and conditions of the words beside it. */
import { all, measured, reason } from '../../text/define-conditions'
import { defineFigures, metric, recording, word } from '../../text/define-figures'

const AT_64_MIB = 'points[operation=all_reduce&bytes=67108864]'
const nccl = recording('torch-nccl-collectives')
const eightRanks = recording('collectives/ranks')
const firstRun = recording('collectives')
const ncclLateRank = recording('torch-nccl-late-rank')
const steps = recording('torch-steps')
const ways = recording('torch-collectives-ways')
const oneByOne = steps('collectives.one-by-one.stepMs')
const atTheEnd = steps('collectives.at-the-end.stepMs')
const beside = steps('collectives.beside.stepMs')

const collective = metric('collective-ms')
const crossover = metric('crossover-kib')
const lead = metric('lead')
const way = metric('way-ratio')
const alpha = metric('alpha-us')

export const figures = defineFigures({
  ncclBusRateAt64MiB: nccl(`${AT_64_MIB}.busGBs`),
  ncclDeviceAt64MiB: nccl(`${AT_64_MIB}.deviceMs`),
  ncclRanks: nccl('ranks'),
  waysRanks: ways('ranks'),
  waysRing: ways('points[kib=65536].ringMs'),
  waysNaive: ways('points[kib=65536].naiveMs'),
  asCrossingFound: reason('crossing-found'),
  hasCrossing: measured(crossover()),
  crossoverKibAbout: crossover().as('about'),
  recordedCrossover4: firstRun('crossover-kib').as('about'),
  small: word('small'),
  large: word('large'),
  collectiveNaivesmall: collective('$naivesmall'),
  collectiveRingsmall: collective('$ringsmall'),
  collectiveNaivelarge: collective('$naivelarge'),
  collectiveRinglarge: collective('$ringlarge'),
  ringIsSlower: lead('$ringlarge').surelyLessThan(1),
  hasWays: all(way('$gpusmall').surelyAtLeast(0.5), way('$gpularge').surelyAtLeast(0.5)),
  wayGpusmall: way('$gpusmall'),
  wayGpularge: way('$gpularge'),
  ringLosesSmall: lead('$ringsmall').surelyLessThan(1),
  alpha: alpha(),
  // Six messages in a row round the ring, two through rank 0.
  ringOverAlphas: firstRun('collective-ms', 'ring-4x1').over(firstRun('alpha-us').times(6)).as('times'),
  naiveOverAlphas: firstRun('collective-ms', 'naive-4x1').over(firstRun('alpha-us').times(2)).as('times'),
  ringScalesBetterThanNaive: all(
    eightRanks('collective-ms', 'ring-8x16384').over(firstRun('collective-ms', 'ring-4x16384')).lessThan(1.5),
    eightRanks('collective-ms', 'naive-8x16384').over(firstRun('collective-ms', 'naive-4x16384')).atLeast(2),
  ),
  recordedCollectiveRing4x16384: firstRun('collective-ms', 'ring-4x16384'),
  ranksCollectiveRing8x16384: eightRanks('collective-ms', 'ring-8x16384'),
  recordedCollectiveNaive4x16384: firstRun('collective-ms', 'naive-4x16384'),
  ranksCollectiveNaive8x16384: eightRanks('collective-ms', 'naive-8x16384'),
  ncclLateRankBusy0: ncclLateRank('busy-ratio', '0'),
  torchOneByOneStep: oneByOne,
  torchAtTheEndStep: atTheEnd,
  torchBesideStep: beside,
  endIsFaster: atTheEnd.below(oneByOne),
  besideIsFaster: beside.below(oneByOne),
})
