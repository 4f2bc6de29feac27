/** Figures of the words of this folder. */
import { all, defineFigures, recording } from '../text/define-figures'

const torchTransfer = recording('torch-transfer-cost')
const torchRace = recording('torch-overlapped-uploads-loader')
const syncStallsCurve = recording('sync-stalls/curve')
const torchCurve = recording('torch-sync-stalls-curve')
const syncStalls = recording('sync-stalls')
const torchQueued = recording('torch-async-submission-queued')
const syncStallsMatrix = recording('sync-stalls/matrix')
const syncStallsBranch = recording('sync-stalls/branch')
const syncStallsShape = recording('sync-stalls/shape')
const asyncSubmission = recording('async-submission')
const torchOverlappedUploadsPageable = recording('torch-overlapped-uploads-pageable')
const torchPinned = recording('torch-overlapped-uploads-pinned')
const torchOverlapped = recording('torch-overlapped-uploads-overlapped')
const torchLoader = recording('torch-starved-by-the-loader')
const torchStreams = recording('torch-streams-and-events')
const streamsAndEvents = recording('streams-and-events')
const ncclLateRank = recording('torch-nccl-late-rank')
const torchReadAProfileRead = recording('torch-read-a-profile-read')
const torchReadAProfileSmallKernels = recording('torch-read-a-profile-small-kernels')
const torchStalled = recording('torch-sync-stalls-stalled')
const torchRanks = recording('torch-ranks')
const ranksBothSend = recording('ranks/both-send')
const ncclInStep = recording('torch-nccl-in-step')
const torchPipeline = recording('torch-pipeline-bubble')
const stagingBuffers = recording('staging-buffers')
const stagingBuffersSmall = recording('staging-buffers/small')
const transferCost = recording('transfer-cost')
const worthIt = recording('worth-it')
const torchWorthIt = recording('torch-worth-it')

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
  curveStallJumps: syncStallsCurve('stall-ms', 'every-step@1.9').below(
    syncStallsCurve('stall-ms', 'every-step@2.6'),
  ),
  syncStallsCurveStallEveryStepAt0p2: syncStallsCurve('stall-ms', 'every-step@0.2'),
  syncStallsCurveKernelEveryStepAt0p2: syncStallsCurve('kernel-ms', 'every-step@0.2'),
  syncStallsCurveStallEveryStepAt1p9: syncStallsCurve('stall-ms', 'every-step@1.9'),
  syncStallsCurveKernelEveryStepAt1p9: syncStallsCurve('kernel-ms', 'every-step@1.9'),
  syncStallsCurveKernelEveryStepAt2p6: syncStallsCurve('kernel-ms', 'every-step@2.6'),
  syncStallsCurveStallEveryStepAt2p6: syncStallsCurve('stall-ms', 'every-step@2.6'),
  syncStallsCurveKernelEveryStepAt3p8: syncStallsCurve('kernel-ms', 'every-step@3.8'),
  syncStallsCurveStallEveryStepAt3p8: syncStallsCurve('stall-ms', 'every-step@3.8'),
  torchCurveStepExceedsKernelAt640: torchCurve('points[n=640].kernelMs').below(
    torchCurve('points[n=640].stepMs'),
  ),
  torchCurveKernelAt640: torchCurve('points[n=640].kernelMs'),
  torchCurveStepAt640: torchCurve('points[n=640].stepMs'),
  syncStallsStepNeverBelowEveryStep: syncStalls('step-ms', 'never').below(
    syncStalls('step-ms', 'every-step'),
  ),
  syncStallsStepEveryStep: syncStalls('step-ms', 'every-step'),
  syncStallsStepNever: syncStalls('step-ms', 'never'),
  torchQueuedLaunchIsShort: torchQueued('launch-us').over(torchQueued('kernel-ms')).lessThan(0.5),
  torchQueuedLaunch: torchQueued('launch-us'),
  torchQueuedKernel: torchQueued('kernel-ms'),
  torchTransferPageableDownAt64MiB: torchTransfer('points[kib=65536].pageableDownMs'),
  matrixReadTakesLonger: syncStalls('step-ms', 'every-step').below(syncStallsMatrix('step-ms', 'every-step')),
  syncStallsMatrixStepEveryStep: syncStallsMatrix('step-ms', 'every-step'),
  torchTransferPageableDownAt4KiB: torchTransfer('points[kib=4].pageableDownMs'),
  torchTransferPageableDownAt4MiB: torchTransfer('points[kib=4096].pageableDownMs'),
  branchTakesLonger: syncStallsBranch('step-ms', 'never').below(syncStallsBranch('step-ms', 'every-step')),
  branchTimesAsLong: syncStallsBranch('step-ms', 'every-step')
    .over(syncStallsBranch('step-ms', 'never'))
    .as('times'),
  syncStallsBranchStepEveryStep: syncStallsBranch('step-ms', 'every-step'),
  syncStallsBranchStepNever: syncStallsBranch('step-ms', 'never'),
  syncStallsShapeStepNeverLikeEveryStep: syncStallsShape('step-ms', 'never').overlaps(
    syncStallsShape('step-ms', 'every-step'),
  ),
  syncStallsShapeStepEveryStep: syncStallsShape('step-ms', 'every-step'),
  syncStallsShapeStepNever: syncStallsShape('step-ms', 'never'),
  asyncSubmissionSubmitQueued: asyncSubmission('submit-us', 'queued'),
  asyncSubmissionKernelQueued: asyncSubmission('kernel-ms', 'queued'),
  awaitingTakesLonger: asyncSubmission('step-ms', 'queued').below(asyncSubmission('step-ms', 'await-each')),
  asyncSubmissionStepAwaitEach: asyncSubmission('step-ms', 'await-each'),
  asyncSubmissionStepQueued: asyncSubmission('step-ms', 'queued'),
  torchOverlappedUploadsPageableStep: torchOverlappedUploadsPageable('step-ms'),
  torchPinnedStep: torchPinned('step-ms'),
  torchPinnedHiddenCopy: torchPinned('hidden-copy-ratio'),
  torchOverlappedStep: torchOverlapped('step-ms'),
  torchOverlappedHiddenCopy: torchOverlapped('hidden-copy-ratio'),
  torchLoaderScalesTo4: all(
    torchLoader('points[workers=4].pinnedMs').below(torchLoader('points[workers=2].pinnedMs')),
    torchLoader('points[workers=2].pinnedMs').below(torchLoader('points[workers=1].pinnedMs')),
  ),
  torchLoaderMake: torchLoader('makeMs'),
  torchLoaderCompute: torchLoader('computeMs'),
  torchLoaderPinnedAt1Workers: torchLoader('points[workers=1].pinnedMs'),
  torchLoaderPinnedAt2Workers: torchLoader('points[workers=2].pinnedMs'),
  torchLoaderPinnedAt4Workers: torchLoader('points[workers=4].pinnedMs'),
  torchLoaderFlatFrom4: torchLoader('points[workers=4].pinnedMs').overlaps(
    torchLoader('points[workers=8].pinnedMs'),
  ),
  torchLoaderPinnedAt8Workers: torchLoader('points[workers=8].pinnedMs'),
  torchLoaderPersistentHelps: torchLoader('points[workers=16].persistentMs').below(
    torchLoader('points[workers=16].againMs'),
  ),
  torchLoaderAgainAt16Workers: torchLoader('points[workers=16].againMs'),
  torchLoaderPersistentAt16Workers: torchLoader('points[workers=16].persistentMs'),
  torchLoaderAgainAt1Workers: torchLoader('points[workers=1].againMs'),
  torchLoaderPersistentAt1Workers: torchLoader('points[workers=1].persistentMs'),
  torchTransferPinnedFlagHelps: all(
    torchTransfer('holds.pinnedNonBlocking.behindWorkMs').below(torchTransfer('holds.pinned.behindWorkMs')),
    torchTransfer('holds.workMs').below(torchTransfer('holds.pinned.behindWorkMs')),
  ),
  torchTransferPageableFlagUseless: torchTransfer('holds.workMs').below(
    torchTransfer('holds.pageableNonBlocking.behindWorkMs'),
  ),
  torchTransferDownWaitsForWork: torchTransfer('holds.workMs').below(
    torchTransfer('holds.down.behindWorkMs'),
  ),
  torchTransferPinnedDownReturnsEarly: torchTransfer('holds.pinnedDownNonBlocking.behindWorkMs').below(
    torchTransfer('holds.down.behindWorkMs'),
  ),
  torchRaceReadsEarly: all(
    torchRace('race.behindWork.early[first]').atLeast(1),
    torchRace('race.behindWork.early[last]').atLeast(1),
  ),
  torchStreamsOneBeatsTwoAt128: torchStreams('points[n=128].oneMs').below(
    torchStreams('points[n=128].twoMs'),
  ),
  torchStreamsOneAt128: torchStreams('points[n=128].oneMs'),
  torchStreamsTwoAt128: torchStreams('points[n=128].twoMs'),
  torchStreamsTwoBeatsOneAt1024: torchStreams('points[n=1024].twoMs').below(
    torchStreams('points[n=1024].oneMs'),
  ),
  torchStreamsOneAt1024: torchStreams('points[n=1024].oneMs'),
  torchStreamsTwoAt1024: torchStreams('points[n=1024].twoMs'),
  torchStreamsOneAt4096: torchStreams('points[n=4096].oneMs'),
  torchStreamsTwoAt4096: torchStreams('points[n=4096].twoMs'),
  resultsSoonerOneByOne: streamsAndEvents('first-result-ms', 'wait-one').below(
    streamsAndEvents('first-result-ms', 'wait-all'),
  ),
  streamsAndEventsFirstResultWaitOne: streamsAndEvents('first-result-ms', 'wait-one'),
  streamsAndEventsAllWaitOne: streamsAndEvents('all-ms', 'wait-one'),
  ncclLateRankWorkShare0BelowBusy0: ncclLateRank('work-ratio', '0').below(ncclLateRank('busy-ratio', '0')),
  ncclLateRankBusy0: ncclLateRank('busy-ratio', '0'),
  ncclLateRankWorkShare0: ncclLateRank('work-ratio', '0'),
  torchReadAProfileReadIdle: torchReadAProfileRead('idle-ratio'),
  torchReadAProfileSmallKernelsIdle: torchReadAProfileSmallKernels('idle-ratio'),
  torchProfileLongerThanCurve: torchCurve('points[n=2048].stepMs').below(torchStalled('step-ms')),
  torchStalledStep: torchStalled('step-ms'),
  torchCurveStepAt2048: torchCurve('points[n=2048].stepMs'),
  torchRanksHangAfterS: torchRanks('hang.afterS'),
  ranksBothSendFoundBothSend: ranksBothSend('found-ms', 'both-send'),
  ncclInStepWaited: ncclInStep('busy-ratio', '0')
    .minus(ncclInStep('work-ratio', '0'))
    .minus(ncclInStep('copy-ratio', '0')),
  ncclLateRankWaited: ncclLateRank('busy-ratio', '0')
    .minus(ncclLateRank('work-ratio', '0'))
    .minus(ncclLateRank('copy-ratio', '0')),
  ncclLateRankBusy1BelowBusy0: ncclLateRank('busy-ratio', '1').below(ncclLateRank('busy-ratio', '0')),
  ncclLateRankWaited0: ncclLateRank('waited-ms', '0'),
  ncclLateRankIdle1: ncclLateRank('idle-ratio', '1'),
  ncclLateRankWaited1: ncclLateRank('waited-ms', '1'),
  torchPipelineEvenBelowUneven: torchPipeline(
    'points[schedule=gpipe&stages=4,4&microBatches=8].stepMs',
  ).below(torchPipeline('points[schedule=gpipe&stages=6,2&microBatches=8].stepMs')),
  torchPipelineStepAt8: torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=8].stepMs'),
  torchPipelineStepUneven: torchPipeline('points[schedule=gpipe&stages=6,2&microBatches=8].stepMs'),
  torchPipelineBestAt8: all(
    torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=8].stepMs').below(
      torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=1].stepMs'),
    ),
    torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=8].stepMs').below(
      torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=32].stepMs'),
    ),
  ),
  torchPipelineStepAt1: torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=1].stepMs'),
  torchPipelineStepAt32: torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=32].stepMs'),
  torchPipeline1f1bKeepsLess: torchPipeline(
    'points[schedule=1f1b&stages=4,4&microBatches=8].peakBytes[first]',
  ).below(torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=8].peakBytes[first]')),
  torchPipelinePeakGpipe: torchPipeline('points[schedule=gpipe&stages=4,4&microBatches=8].peakBytes[first]'),
  torchPipelinePeak1f1b: torchPipeline('points[schedule=1f1b&stages=4,4&microBatches=8].peakBytes[first]'),
  syncStallsStallEveryStep: syncStalls('stall-ms', 'every-step'),
  syncStallsKernelEveryStep: syncStalls('kernel-ms', 'every-step'),
  stagingBuffersStepWriteBuffer: stagingBuffers('step-ms', 'write-buffer'),
  stagingBuffersStepMappedAtCreation: stagingBuffers('step-ms', 'mapped-at-creation'),
  stagingBuffersCreateMappedAtCreation: stagingBuffers('create-ms', 'mapped-at-creation'),
  stagingBuffersStepRing2: stagingBuffers('step-ms', 'ring-2'),
  stagingBuffersSmallStepWriteBuffer: stagingBuffersSmall('step-ms', 'write-buffer'),
  stagingBuffersSmallStepMappedAtCreation: stagingBuffersSmall('step-ms', 'mapped-at-creation'),
  stagingBuffersSmallStepRing2: stagingBuffersSmall('step-ms', 'ring-2'),
  transferCostLatencyUp: transferCost('latency-us', 'up'),
  transferCostFittedGbPerSUp: transferCost('fitted-gb-per-s', 'up'),
  torchTransferPinnedUpAt4KiB: torchTransfer('points[kib=4].pinnedUpMs'),
  torchTransferPinnedUpAt64MiBRate: torchTransfer('points[kib=65536].kib').over(
    torchTransfer('points[kib=65536].pinnedUpMs'),
  ),
  worthItCrossoverNRoundTripAbout: worthIt('crossover-n', 'round-trip').as('about'),
  torchWorthItNAt1UsesFromPinnedAbout: torchWorthIt('points[uses=1].n@pinnedMs<=cpuMs').as('about'),
  torchWorthItThreads: torchWorthIt('threads'),
})
