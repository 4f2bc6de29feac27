/** Figures and conditions of the words beside it. */
import { defineFigures, metric, recording, all, reason, named, words } from '../../text/define-figures'

const AT_64_MIB = 'points[operation=all_reduce&bytes=67108864]'
const nccl = recording('torch-nccl-collectives')
const eightRanks = recording('collectives/ranks')
const firstRun = recording('collectives')
const ringOnFour = firstRun('collective-ms', 'ring-4x16384')
const ringOnEight = eightRanks('collective-ms', 'ring-8x16384')
const naiveOnFour = firstRun('collective-ms', 'naive-4x16384')
const naiveOnEight = eightRanks('collective-ms', 'naive-8x16384')
const ncclLateRank = recording('torch-nccl-late-rank')
const profileOneByOne = recording('torch-collectives-one-by-one')
const profileBeside = recording('torch-collectives-beside')
const steps = recording('torch-steps')
const ways = recording('torch-collectives-ways')
const oneByOne = steps('collectives.one-by-one.stepMs')
const atTheEnd = steps('collectives.at-the-end.stepMs')
const beside = steps('collectives.beside.stepMs')

const collective = metric('collective-ms')
const crossover = metric('crossover-kib')
const lead = metric('lead')
const alpha = metric('alpha-us')

export const figures = defineFigures({
  ncclBusRateAt64MiB: nccl(`${AT_64_MIB}.busGBs`),
  ncclRanks: nccl('ranks'),
  waysRanks: ways('ranks'),
  waysCrossover: ways('crossoverKib'),
  waysLibrary: ways('points[kib=65536].libraryMs'),
  waysRing: ways('points[kib=65536].ringMs'),
  waysNaive: ways('points[kib=65536].naiveMs'),
  asCrossingFound: reason('crossing-found'),
  crossoverKibAbout: crossover().as('about'),
  ...words('small', 'large'),
  ...named({ collective }, '$naivesmall', '$ringsmall', '$naivelarge', '$ringlarge'),
  ringIsSlower: lead('$ringlarge').surelyLessThan(1),
  ringIsFaster: lead('$ringlarge').surelyAtLeast(1),
  ringLosesSmall: lead('$ringsmall').surelyLessThan(1),
  alpha: alpha(),
  ringScalesBetterThanNaive: all(
    ringOnEight.over(ringOnFour).lessThan(1.5),
    naiveOnEight.over(naiveOnFour).atLeast(2),
  ),
  recordedCollectiveRing4x16384: ringOnFour,
  ranksCollectiveRing8x16384: ringOnEight,
  recordedCollectiveNaive4x16384: naiveOnFour,
  ranksCollectiveNaive8x16384: naiveOnEight,
  ranksTimesNaive: naiveOnEight.over(naiveOnFour).as('times'),
  ranksTimesRing: ringOnEight.over(ringOnFour).as('times'),
  ncclLateRankBusy0: ncclLateRank('busy-ratio', '0'),
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
  torchOneByOneStep: oneByOne,
  torchAtTheEndStep: atTheEnd,
  torchBesideStep: beside,
  endIsFaster: atTheEnd.below(oneByOne),
  besideIsFaster: beside.below(oneByOne),
})
