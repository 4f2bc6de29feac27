/** Figures and conditions of the words beside it. */
import { all, reason } from '../../text/define-conditions'
import { defineFigures, metric, recording } from '../../text/define-figures'

const AT_64_MIB = 'points[operation=all_reduce&bytes=67108864]'
export const nccl = recording('torch-nccl-collectives')
export const eightRanks = recording('collectives/ranks')
export const firstRun = recording('collectives')
export const ncclLateRank = recording('torch-nccl-late-rank')
const profileOneByOne = recording('torch-collectives-one-by-one')
const profileBeside = recording('torch-collectives-beside')
export const steps = recording('torch-steps')
export const ways = recording('torch-collectives-ways')
const oneByOne = steps('collectives.one-by-one.stepMs')
const atTheEnd = steps('collectives.at-the-end.stepMs')
const beside = steps('collectives.beside.stepMs')

export const collective = metric('collective-ms')
export const crossover = metric('crossover-kib')
const lead = metric('lead')
export const way = metric('way-ratio')
export const alpha = metric('alpha-us')

export const figures = defineFigures({
  ncclBusRateAt64MiB: nccl(`${AT_64_MIB}.busGBs`),
  asCrossingFound: reason('crossing-found'),
  ringIsSlower: lead('$ringlarge').surelyLessThan(1),
  ringIsFaster: lead('$ringlarge').surelyAtLeast(1),
  hasWays: all(way('$gpusmall').surelyAtLeast(0.5), way('$gpularge').surelyAtLeast(0.5)),
  ringLosesSmall: lead('$ringsmall').surelyLessThan(1),
  ringScalesBetterThanNaive: all(
    eightRanks('collective-ms', 'ring-8x16384').over(firstRun('collective-ms', 'ring-4x16384')).lessThan(1.5),
    eightRanks('collective-ms', 'naive-8x16384').over(firstRun('collective-ms', 'naive-4x16384')).atLeast(2),
  ),
  ranksTimesNaive: eightRanks('collective-ms', 'naive-8x16384')
    .over(firstRun('collective-ms', 'naive-4x16384'))
    .as('times'),
  ranksTimesRing: eightRanks('collective-ms', 'ring-8x16384')
    .over(firstRun('collective-ms', 'ring-4x16384'))
    .as('times'),
  // In a profiled step the GPU runs products, means, or both.
  torchMeans: profileOneByOne('step-ms').times(
    profileOneByOne('busy-ratio').minus(profileOneByOne('work-ratio')),
  ),
  torchExposed: profileBeside('step-ms').times(
    profileBeside('busy-ratio').minus(profileBeside('work-ratio')),
  ),
  torchLonger: profileBeside('step-ms')
    .times(profileBeside('work-ratio'))
    .minus(profileOneByOne('step-ms').times(profileOneByOne('work-ratio'))),
  endIsFaster: atTheEnd.below(oneByOne),
  besideIsFaster: beside.below(oneByOne),
})
