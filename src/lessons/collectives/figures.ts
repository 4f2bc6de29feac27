/** Figures and conditions of the words beside it. */
import {
  all,
  defineFigures,
  derived,
  measured,
  metric,
  ms,
  param,
  recording,
  word,
} from '../../text/define-figures'

const nccl = recording('torch-nccl-collectives')
const gloo = recording('torch-gloo-collectives')
const torchNcclFour = recording('torch-nccl-four')
const ranks = recording('collectives/ranks')
const firstRun = recording('collectives')
const ncclLateRank = recording('torch-nccl-late-rank')
const torchBeside = recording('torch-collectives-beside')
const torchOneByOne = recording('torch-collectives-one-by-one')
const torchAtTheEnd = recording('torch-collectives-at-the-end')

const way = metric('way-ratio')
const busRate = metric('bus-gb-per-s')
const lead = metric('lead')
const collective = metric('collective-ms')
const message = metric('message-us')
const alpha = metric('alpha-us')

export const figures = defineFigures({
  ncclBusRateAt64MiB: nccl('points[operation=all_reduce&bytes=67108864].busGBs'),
  ncclRanks: nccl('ranks'),
  ncclDeviceAt64MiB: nccl('points[operation=all_reduce&bytes=67108864].deviceMs'),
  ncclDeviceAt1KiB: nccl('points[operation=all_reduce&bytes=1024].deviceMs'),
  ranksPerCoreAtLeast1p01: derived('ranksPerCore').atLeast(1.01),
  ranks: param('ranks'),
  cores: derived('cores'),
  hasCores: measured(derived('cores')),
  hasWayGpusmallAndGpularge: all(way('$gpusmall').surelyAtLeast(0.01), way('$gpularge').surelyAtLeast(0.01)),
  wayGpusmall: way('$gpusmall'),
  small: word('small'),
  wayGpularge: way('$gpularge'),
  large: word('large'),
  ncclDeviceAt1MiB: nccl('points[operation=all_reduce&bytes=1048576].deviceMs'),
  glooHostAt2RanksAt1KiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=1024].hostMs'),
  glooHostAt2RanksAt1MiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=1048576].hostMs'),
  glooHostAt2RanksAt64MiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=67108864].hostMs'),
  glooBusRateAt2RanksAt64MiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=67108864].busGBs'),
  glooHostAt4RanksAt1KiB: gloo('worlds[ranks=4].points[operation=all_reduce&bytes=1024].hostMs'),
  glooHostAt4RanksAt1MiB: gloo('worlds[ranks=4].points[operation=all_reduce&bytes=1048576].hostMs'),
  glooHostAt4RanksAt64MiB: gloo('worlds[ranks=4].points[operation=all_reduce&bytes=67108864].hostMs'),
  glooBusRateAt4RanksAt64MiB: gloo('worlds[ranks=4].points[operation=all_reduce&bytes=67108864].busGBs'),
  glooHostAt8RanksAt1KiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=1024].hostMs'),
  glooHostAt8RanksAt1MiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=1048576].hostMs'),
  glooHostAt8RanksAt64MiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=67108864].hostMs'),
  glooBusRateAt8RanksAt64MiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=67108864].busGBs'),
  ncclTimeIsFlatTo1MiB: all(
    nccl('points[operation=all_reduce&bytes=1048576].deviceMs')
      .over(nccl('points[operation=all_reduce&bytes=1024].deviceMs'))
      .lessThan(1.25),
    nccl('points[operation=all_reduce&bytes=1024].deviceMs').atLeast(ms(0.0152)),
  ),
  ncclHostAt1KiB: nccl('points[operation=all_reduce&bytes=1024].hostMs'),
  ncclDeviceAt1GiB: nccl('points[operation=all_reduce&bytes=1073741824].deviceMs'),
  ncclBusRateAt1GiB: nccl('points[operation=all_reduce&bytes=1073741824].busGBs'),
  torchNcclFourRanks: torchNcclFour('ranks'),
  torchNcclFourDeviceAt: torchNcclFour('points[operation=all_reduce].deviceMs'),
  torchNcclFourBusRateAt: torchNcclFour('points[operation=all_reduce].busGBs'),
  busRateNaivelargeBelowRinglarge: busRate('$naivelarge').below(busRate('$ringlarge')),
  busRateNaivelarge: busRate('$naivelarge'),
  busRateRinglarge: busRate('$ringlarge'),
  leadRingsmallBelow1: lead('$ringsmall').surelyLessThan(1),
  collectiveNaivesmall: collective('$naivesmall'),
  collectiveRingsmall: collective('$ringsmall'),
  smallPairIsLatency: message('$pairsmall').over(alpha()).lessThan(1.5),
  messagePairsmall: message('$pairsmall'),
  alpha: alpha(),
  ringScalesBetterThanNaive: all(
    ranks('collective-ms', 'ring-8x16384').over(firstRun('collective-ms', 'ring-4x16384')).lessThan(1.5),
    ranks('collective-ms', 'naive-8x16384').over(firstRun('collective-ms', 'naive-4x16384')).atLeast(2),
  ),
  recordedCollectiveRing4x16384: firstRun('collective-ms', 'ring-4x16384'),
  ranksCollectiveRing8x16384: ranks('collective-ms', 'ring-8x16384'),
  recordedCollectiveNaive4x16384: firstRun('collective-ms', 'naive-4x16384'),
  ranksCollectiveNaive8x16384: ranks('collective-ms', 'naive-8x16384'),
  ncclLateRankBusy0: ncclLateRank('busy-ratio', '0'),
  torchBesideStepBelowOneByOneStep: torchBeside('step-ms').below(torchOneByOne('step-ms')),
  torchOneByOneKernelShare: torchOneByOne('kernel-ratio'),
  torchAtTheEndStepBelowOneByOneStep: torchAtTheEnd('step-ms').below(torchOneByOne('step-ms')),
  torchAtTheEndStep: torchAtTheEnd('step-ms'),
  torchOneByOneStep: torchOneByOne('step-ms'),
  oneByOneIdlerThanBeside: torchOneByOne('kernel-ratio').below(torchBeside('kernel-ratio')),
  torchBesideKernelShare: torchBeside('kernel-ratio'),
})
