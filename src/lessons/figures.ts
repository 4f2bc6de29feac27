/** Figures of the words of this folder. */
import { defineFigures, recording, all } from '../text/define-figures'

const torchTransfer = recording('torch-transfer-cost')
const torchRace = recording('torch-overlapped-uploads-loader')
const curve = recording('torch-sync-stalls-curve')
const syncStalls = recording('sync-stalls')
const steps = recording('torch-steps')
const reads = recording('torch-async-submission')
const hidden = recording('torch-hidden-waits')
const readStep = recording('torch-sync-stalls-step')
const allocator = recording('torch-allocator')
const loader = recording('torch-starved-by-the-loader')
const streams = recording('torch-streams-and-events')
const queue = recording('torch-command-queue')
const lateRank = recording('torch-nccl-late-rank')
const inStep = recording('torch-nccl-in-step')
const nccl = recording('torch-nccl-collectives')
const gloo = recording('torch-gloo-collectives')
const staging = recording('torch-staging-buffers')
const read = recording('torch-read-a-profile-read')
const stalled = recording('torch-sync-stalls-stalled')
const ranks = recording('torch-ranks')
const pipeline = recording('torch-pipeline-bubble')
const stagingBuffers = recording('staging-buffers')
const stagingBuffersSmall = recording('staging-buffers/small')
const worthIt = recording('torch-worth-it')

export const figures = defineFigures({
  torchTransferWork: torchTransfer('holds.workMs'),
  torchTransferPageableBehindWork: torchTransfer('holds.pageable.behindWorkMs'),
  torchTransferPageableAlone: torchTransfer('holds.pageable.aloneMs'),
  torchTransferPageableNonBlockingBehindWork: torchTransfer('holds.pageableNonBlocking.behindWorkMs'),
  torchTransferPageableNonBlockingAlone: torchTransfer('holds.pageableNonBlocking.aloneMs'),
  torchTransferPinnedBehindWork: torchTransfer('holds.pinned.behindWorkMs'),
  torchTransferPinnedAlone: torchTransfer('holds.pinned.aloneMs'),
  torchTransferPinnedNonBlockingBehindWork: torchTransfer('holds.pinnedNonBlocking.behindWorkMs'),
  torchTransferPinnedNonBlockingAlone: torchTransfer('holds.pinnedNonBlocking.aloneMs'),
  torchTransferDownBehindWork: torchTransfer('holds.down.behindWorkMs'),
  torchTransferDownAlone: torchTransfer('holds.down.aloneMs'),
  torchTransferDownNonBlockingBehindWork: torchTransfer('holds.downNonBlocking.behindWorkMs'),
  torchTransferDownNonBlockingAlone: torchTransfer('holds.downNonBlocking.aloneMs'),
  torchTransferPinnedDownNonBlockingBehindWork: torchTransfer('holds.pinnedDownNonBlocking.behindWorkMs'),
  torchTransferPinnedDownNonBlockingAlone: torchTransfer('holds.pinnedDownNonBlocking.aloneMs'),
  torchRaceEarlyShare: torchRace('race.behindWork.early[first]').over(torchRace('race.elements')),
  curveKernelAt640: curve('points[n=640].kernelMs').as('us'),
  curveStepAt640: curve('points[n=640].stepMs').as('us'),
  curveKernelAt2048: curve('points[n=2048].kernelMs'),
  curveWaitAt2048: curve('points[n=2048].waitMs'),
  curveStepAt2048: curve('points[n=2048].stepMs'),
  cpuAt64MiB: reads('points[kib=65536].cpuMs'),
  copyAt64MiB: reads('points[kib=65536].copyMs'),
  queuedCount: reads('queued.count'),
  queuedCalls: reads('queued.callsMs'),
  queuedRead: reads('queued.readMs'),
  hundredCalls: reads('hundred.callsMs'),
  hundredDevice: reads('hundred.deviceMs'),
  launchDepth: reads('launchQueue.depth'),
  launchUs: reads('launchQueue.launchUs'),
  launchBlocked: reads('launchQueue.blockedUs'),
  launchKernel: reads('launchQueue.kernelUs'),
  hiddenQueued: hidden('queuedMs'),
  hiddenMask: hidden('maskUs').as('ms'),
  hiddenCpuIndex: hidden('cpuIndexUs').as('ms'),
  hiddenWhere: hidden('whereUs').as('ms'),
  readHost: readStep('headline.hostMs'),
  readStep: readStep('headline.readMs'),
  readWait: readStep('headline.waitMs'),
  freeStep: readStep('headline.freeMs'),
  readStepAlone: readStep('points[launches=100&kernelUs=50&hostMs=0].readMs'),
  freeStepAlone: readStep('points[launches=100&kernelUs=50&hostMs=0].freeMs'),
  plainStep: allocator('plain.stepMs'),
  emptyCacheStep: allocator('emptyCache.stepMs'),
  growingStep: allocator('growing.stepMs'),
  profilerSync: recording('torch-profiler-wait')('syncMs'),
  copyDownAt4KiB: torchTransfer('points[kib=4].pageableDownMs').as('us'),
  readsEarly: all(
    torchRace('race.behindWork.early[first]').atLeast(1),
    torchRace('race.behindWork.early[last]').atLeast(1),
  ),
  pageableStep: steps('overlapped-uploads.pageable.stepMs'),
  pinnedStep: steps('overlapped-uploads.pinned.stepMs'),
  overlappedStep: steps('overlapped-uploads.overlapped.stepMs'),
  loaderMake: loader('makeMs'),
  loaderCompute: loader('computeMs'),
  loaderAt1Workers: loader('points[workers=1].pinnedMs'),
  loaderAt2Workers: loader('points[workers=2].pinnedMs'),
  loaderAt4Workers: loader('points[workers=4].pinnedMs'),
  loaderAt8Workers: loader('points[workers=8].pinnedMs'),
  loaderPersistentHelps: loader('points[workers=16].persistentMs').below(
    loader('points[workers=16].againMs'),
  ),
  loaderAgainAt16Workers: loader('points[workers=16].againMs'),
  loaderPersistentAt16Workers: loader('points[workers=16].persistentMs'),
  pinnedUpAt4KiB: torchTransfer('points[kib=4].pinnedUpMs').as('us'),
  pinnedUpRate: torchTransfer('points[kib=65536].kib').over(torchTransfer('points[kib=65536].pinnedUpMs')),
  pageableUpRate: torchTransfer('points[kib=65536].kib').over(
    torchTransfer('points[kib=65536].pageableUpMs'),
  ),
  worthItN: worthIt('points[uses=1].n@pinnedMs<=cpuMs').as('about'),
  worthItThreads: worthIt('threads'),
  launchedEvery: queue('points[n=64].eagerUs'),
  graphedEvery: queue('points[n=64].graphUs'),
  lateRankBusierThanWorking: lateRank('work-ratio', '0').below(lateRank('busy-ratio', '0')),
  lateRankBusy0: lateRank('busy-ratio', '0'),
  lateRankWork0: lateRank('work-ratio', '0'),
  readIdle: read('idle-ratio'),
  smallKernelsIdle: recording('torch-read-a-profile-small-kernels')('idle-ratio'),
  profiledStepLonger: curve('points[n=2048].stepMs').below(stalled('step-ms')),
  profiledStep: stalled('step-ms'),
  twoStreamsSlowerAt128: streams('points[n=128].oneMs').below(streams('points[n=128].twoMs')),
  oneStreamAt128: streams('points[n=128].oneMs'),
  twoStreamsAt128: streams('points[n=128].twoMs'),
  oneStreamAt4096: streams('points[n=4096].oneMs'),
  twoStreamsAt4096: streams('points[n=4096].twoMs'),
  glooHangAfterS: ranks('hang.afterS'),
  inStepWaited: inStep('busy-ratio', '0').minus(inStep('work-ratio', '0')).minus(inStep('copy-ratio', '0')),
  lateRankWaited: lateRank('busy-ratio', '0')
    .minus(lateRank('work-ratio', '0'))
    .minus(lateRank('copy-ratio', '0')),
  lateRankLessBusy: lateRank('busy-ratio', '1').below(lateRank('busy-ratio', '0')),
  lateRankWaited0: lateRank('waited-ms', '0'),
  lateRankWaited1: lateRank('waited-ms', '1'),
  lateRankIdle1: lateRank('idle-ratio', '1'),
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
  stall: syncStalls('stall-ms', 'every-step'),
  stallKernel: syncStalls('device-ms', 'every-step'),
  uploadLatency: recording('transfer-cost')('latency-us', 'up'),
  stepNever: syncStalls('step-ms', 'never'),
  stepEveryStep: syncStalls('step-ms', 'every-step'),
  writeBufferStep: stagingBuffers('step-ms', 'write-buffer'),
  newBufferStep: stagingBuffers('step-ms', 'mapped-at-creation'),
  ringStep: stagingBuffers('step-ms', 'ring-2'),
  writeBufferStepSmall: stagingBuffersSmall('step-ms', 'write-buffer'),
  newBufferStepSmall: stagingBuffersSmall('step-ms', 'mapped-at-creation'),
  ringStepSmall: stagingBuffersSmall('step-ms', 'ring-2'),
  managedMiB: staging('managed.mib'),
  managedFaults: staging('managed.faultsMs'),
  managedPrefetched: staging('managed.prefetchedMs'),
  managedPrefetch: staging('managed.prefetchMs'),
  allocatorAsked: staging('allocator.askedMiB'),
  allocatorFree: staging('allocator.freeMiB'),
  allocatorHole: staging('allocator.largestFreeMiB'),
  ncclRanks: nccl('ranks'),
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
