/** Figures of the words of this folder. */
import { all } from '../text/define-conditions'
import { defineFigures, recording } from '../text/define-figures'

export const torchTransfer = recording('torch-transfer-cost')
const torchRace = recording('torch-overlapped-uploads-loader')
export const curve = recording('torch-sync-stalls-curve')
export const syncStalls = recording('sync-stalls')
export const steps = recording('torch-steps')
export const reads = recording('torch-async-submission')
export const hidden = recording('torch-hidden-waits')
export const readStep = recording('torch-sync-stalls-step')
export const allocator = recording('torch-allocator')
export const loader = recording('torch-starved-by-the-loader')
export const streams = recording('torch-streams-and-events')
export const queue = recording('torch-command-queue')
export const lateRank = recording('torch-nccl-late-rank')
const inStep = recording('torch-nccl-in-step')
export const nccl = recording('torch-nccl-collectives')
const gloo = recording('torch-gloo-collectives')
export const staging = recording('torch-staging-buffers')
export const read = recording('torch-read-a-profile-read')
export const stalled = recording('torch-sync-stalls-stalled')
export const ranks = recording('torch-ranks')
const pipeline = recording('torch-pipeline-bubble')
export const stagingBuffers = recording('staging-buffers')
export const stagingBuffersSmall = recording('staging-buffers/small')
export const worthIt = recording('torch-worth-it')

export const figures = defineFigures({
  torchRaceEarlyShare: torchRace('race.behindWork.early[first]').over(torchRace('race.elements')),
  readStepAlone: readStep('points[launches=100&kernelUs=50&hostMs=0].readMs'),
  freeStepAlone: readStep('points[launches=100&kernelUs=50&hostMs=0].freeMs'),
  profilerSync: recording('torch-profiler-wait')('syncMs'),
  readsEarly: all(
    torchRace('race.behindWork.early[first]').atLeast(1),
    torchRace('race.behindWork.early[last]').atLeast(1),
  ),
  loaderPersistentHelps: loader('points[workers=16].persistentMs').below(
    loader('points[workers=16].againMs'),
  ),
  pinnedUpRate: torchTransfer('points[kib=65536].kib').over(torchTransfer('points[kib=65536].pinnedUpMs')),
  pageableUpRate: torchTransfer('points[kib=65536].kib').over(
    torchTransfer('points[kib=65536].pageableUpMs'),
  ),
  worthItN: worthIt('points[uses=1].n@pinnedMs<=cpuMs').as('about'),
  lateRankBusierThanWorking: lateRank('work-ratio', '0').below(lateRank('busy-ratio', '0')),
  smallKernelsIdle: recording('torch-read-a-profile-small-kernels')('idle-ratio'),
  profiledStepLonger: curve('points[n=2048].stepMs').below(stalled('step-ms')),
  twoStreamsSlowerAt128: streams('points[n=128].oneMs').below(streams('points[n=128].twoMs')),
  inStepWaited: inStep('busy-ratio', '0').minus(inStep('work-ratio', '0')).minus(inStep('copy-ratio', '0')),
  lateRankWaited: lateRank('busy-ratio', '0')
    .minus(lateRank('work-ratio', '0'))
    .minus(lateRank('copy-ratio', '0')),
  lateRankLessBusy: lateRank('busy-ratio', '1').below(lateRank('busy-ratio', '0')),
  ncclAt64MiB: nccl('points[operation=all_reduce&bytes=67108864].deviceMs'),
  evenBelowUneven: pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=8].stepMs').below(
    pipeline('points[schedule=gpipe&stages=6,4,4,2&microBatches=8].stepMs'),
  ),
  pipelineStepAt8: pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=8].stepMs'),
  pipelineStepUneven: pipeline('points[schedule=gpipe&stages=6,4,4,2&microBatches=8].stepMs'),
  pipelineBestAt16: all(
    pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=16].stepMs').below(
      pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=1].stepMs'),
    ),
    pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=16].stepMs').below(
      pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=64].stepMs'),
    ),
  ),
  pipelineStepAt1: pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=1].stepMs'),
  pipelineStepAt64: pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=64].stepMs'),
  pipelineStepAt16: pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=16].stepMs'),
  oneFOneBKeepsLess: pipeline('points[schedule=1f1b&stages=4,4,4,4&microBatches=8].peakBytes[first]').below(
    pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=8].peakBytes[first]'),
  ),
  pipelinePeakGpipe: pipeline('points[schedule=gpipe&stages=4,4,4,4&microBatches=8].peakBytes[first]'),
  pipelinePeak1f1b: pipeline('points[schedule=1f1b&stages=4,4,4,4&microBatches=8].peakBytes[first]'),
  uploadLatency: recording('transfer-cost')('latency-us', 'up'),
  ncclAt1KiB: nccl('points[operation=all_reduce&bytes=1024].deviceMs').as('us'),
  ncclAt1MiB: nccl('points[operation=all_reduce&bytes=1048576].deviceMs').as('us'),
  ncclBusAt64MiB: nccl('points[operation=all_reduce&bytes=67108864].busGBs'),
  gloo2At1KiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=1024].hostMs'),
  gloo2At1MiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=1048576].hostMs'),
  gloo2At64MiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=67108864].hostMs'),
  gloo2BusAt64MiB: gloo('worlds[ranks=2].points[operation=all_reduce&bytes=67108864].busGBs'),
  gloo8At1KiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=1024].hostMs'),
  gloo8At1MiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=1048576].hostMs'),
  gloo8At64MiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=67108864].hostMs'),
  gloo8BusAt64MiB: gloo('worlds[ranks=8].points[operation=all_reduce&bytes=67108864].busGBs'),
})
