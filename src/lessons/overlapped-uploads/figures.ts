/** Figures and conditions of the words beside it. */
import {
  all,
  bytes,
  defineFigures,
  derived,
  gbPerS,
  measured,
  metric,
  min,
  ms,
  not,
  paramIs,
  reason,
  recording,
  software,
} from '../../text/define-figures'

const torchSerial = recording('torch-overlapped-uploads-serial')
const torchRing2 = recording('torch-overlapped-uploads-ring-2')
const torchOverlapped = recording('torch-overlapped-uploads-overlapped')
const torchPageable = recording('torch-overlapped-uploads-pageable')
const torchPinned = recording('torch-overlapped-uploads-pinned')
const torchLoader = recording('torch-overlapped-uploads-loader')
const firstRun = recording('overlapped-uploads')
const torchTransfer = recording('torch-transfer-cost')
const torchStaging = recording('torch-staging-buffers')
const uploadBound = recording('overlapped-uploads/upload-bound')
const deeper = recording('overlapped-uploads/deeper')

const step = metric('step-ms')
const overlapEfficiency = metric('overlap-efficiency')
const deviceCopyRate = metric('device-copy-gb-per-s')
const deviceBusy = metric('device-busy-ratio')
const make = metric('make-ms')

export const figures = defineFigures({
  torchHiddenShare: torchSerial('step-ms')
    .minus(torchRing2('step-ms'))
    .over(
      min(
        torchSerial('step-ms').times(torchSerial('kernel-ratio')),
        torchSerial('step-ms').minus(torchSerial('step-ms').times(torchSerial('kernel-ratio'))),
      ),
    ),
  torchRing2HiddenCopy: torchRing2('hidden-copy-ratio'),
  torchOverlappedHiddenCopy: torchOverlapped('hidden-copy-ratio'),
  computeAtLeastUpload: step('compute-only').over(step('upload-only')).atLeast(1),
  stepComputeOnly: step('compute-only'),
  stepUploadOnly: step('upload-only'),
  computeOverUpload: step('compute-only').over(step('upload-only')).as('times'),
  uploadEstimateMsMs: derived('uploadEstimateMs').as('ms'),
  uploadAtLeastCompute: step('upload-only').over(step('compute-only')).atLeast(1),
  overlapEfficiencyRing2AtLeast1: overlapEfficiency('ring-2').atLeast(1),
  deviceCopyAboveLink: all(deviceCopyRate('ring-2').surelyAtLeast(gbPerS(63)), not(software)),
  deviceCopyRateRing2: deviceCopyRate('ring-2'),
  deviceCopyBelowLink: all(deviceCopyRate('ring-2').lessThan(gbPerS(63)), not(software)),
  stepRing3BelowRing2: step('ring-3').below(step('ring-2')),
  stepRing2: step('ring-2'),
  stepRing3: step('ring-3'),
  stepRing3LikeRing2: step('ring-3').overlaps(step('ring-2')),
  stepRing4BelowRing2: step('ring-4').below(step('ring-2')),
  stepRing4: step('ring-4'),
  stepRing4LikeRing2: step('ring-4').overlaps(step('ring-2')),
  stepRing2BelowRing4: step('ring-2').below(step('ring-4')),
  stepRing8LikeRing4: step('ring-8').overlaps(step('ring-4')),
  stepRing8: step('ring-8'),
  stepRing8BelowRing4: step('ring-8').below(step('ring-4')),
  stepRing4BelowRing8: step('ring-4').below(step('ring-8')),
  uploadLongerThanCompute: all(
    step('compute-only').below(step('upload-only')),
    deviceBusy('ring-2').surelyLessThan(0.9),
  ),
  deviceBusyRing2: deviceBusy('ring-2'),
  ringOfOneOverlaps: all(
    step('ring-1').below(step('serial')),
    overlapEfficiency('ring-1').surelyAtLeast(0.2),
  ),
  stepRing1: step('ring-1'),
  stepSerial: step('serial'),
  stepRing1LikeSerial: step('ring-1').overlaps(step('serial')),
  stepRing2BelowRing1: step('ring-2').below(step('ring-1')),
  stepRing2LikeRing1: step('ring-2').overlaps(step('ring-1')),
  stepComputeOnlyBelowMakeWorker1: step('compute-only').below(make('worker-1')),
  makeWorker1: make('worker-1'),
  hasMakingOverCompute: measured(make('worker-1').over(step('compute-only'))),
  asWorkerHides: reason('worker-hides'),
  asNoCoreToSpare: reason('no-core-to-spare'),
  asWorkerTooSlow: reason('worker-too-slow'),
  asNoWorker: reason('no-worker'),
  workersHideMaking: torchLoader('workersPinnedMs').over(torchLoader('atHandMs')).lessThan(1.02),
  torchLoaderAtHand: torchLoader('atHandMs'),
  torchLoaderInline: torchLoader('inlineMs'),
  torchLoaderWorkerPinned: torchLoader('workerPinnedMs'),
  torchLoaderWorkersPinned: torchLoader('workersPinnedMs'),
  torchLoaderInlinePinned: torchLoader('inlinePinnedMs'),
  oneWorkerGainsNothing: torchLoader('inlinePinnedMs').below(torchLoader('workerPinnedMs')),
  torchLoaderAheadEightBelowOne: torchLoader('aheadEightMs').below(torchLoader('aheadOneMs')),
  torchLoaderAheadOne: torchLoader('aheadOneMs'),
  torchLoaderAheadEight: torchLoader('aheadEightMs'),
  readEarlyBehindWork: all(
    torchLoader('race.behindWork.early[first]').atLeast(1),
    torchLoader('race.behindWork.early[last]').atLeast(1),
  ),
  firstEarlyShare: torchLoader('race.behindWork.early[first]').over(torchLoader('race.elements')),
  lastEarlyShare: torchLoader('race.behindWork.early[last]').over(torchLoader('race.elements')),
  readAfterIsRight: all(
    torchLoader('race.behindWork.after[first]').lessThan(1),
    torchLoader('race.behindWork.after[last]').lessThan(1),
  ),
  readEarlyAloneIsRight: all(
    torchLoader('race.alone.early[first]').lessThan(1),
    torchLoader('race.alone.early[last]').lessThan(1),
  ),
  torchPinnedCopyRate: bytes(67108864).over(torchPinned('step-ms').times(torchPinned('copy-ratio'))),
  recordedUploadGbPerSUploadOnly: firstRun('upload-gb-per-s', 'upload-only'),
  fillIsHalfOfUpload: firstRun('fill-ms', 'upload-only')
    .over(firstRun('step-ms', 'upload-only'))
    .atLeast(0.5),
  fillShareOfUpload: firstRun('fill-ms', 'upload-only').over(firstRun('step-ms', 'upload-only')),
  torchTransferPageableRate: bytes(67108864).over(torchTransfer('points[kib=65536].pageableUpMs')),
  torchStagingPageableRate: bytes(67108864).over(torchStaging('points[mib=64].pageableMs')),
  torchPageableCopyRate: bytes(67108864).over(torchPageable('step-ms').times(torchPageable('copy-ratio'))),
  recordedDeviceCopyRateRing2: firstRun('device-copy-gb-per-s', 'ring-2'),
  N67108864OverN0p02: bytes(67108864).over(ms(0.02)),
  onlyRingOfTwoOverlaps: all(
    paramIs('submission', 'together'),
    overlapEfficiency('ring-2').surelyAtLeast(0.2),
    overlapEfficiency('ring-1').surelyLessThan(0.2),
  ),
  pinMemoryBelowPageable: torchStaging('points[mib=64].pinMemoryMs').below(
    torchStaging('points[mib=64].pageableMs'),
  ),
  torchStagingPinMemoryAt64MiB: torchStaging('points[mib=64].pinMemoryMs'),
  torchStagingPageableAt64MiB: torchStaging('points[mib=64].pageableMs'),
  pageableIdlerThanPinned: torchPageable('kernel-ratio').below(torchPinned('kernel-ratio')),
  torchPageableCopyShare: torchPageable('copy-ratio'),
  torchPinnedHiddenCopyBelow5Percent: torchPinned('hidden-copy-ratio').lessThan(0.05),
  torchPinnedCopyShare: torchPinned('copy-ratio'),
  hidesHalfOfCopies: torchOverlapped('hidden-copy-ratio').atLeast(0.5),
  thirdBufferHelpsUploadBound: all(
    uploadBound('step-ms', 'ring-3').below(uploadBound('step-ms', 'ring-2')),
    uploadBound('step-ms', 'compute-only').below(uploadBound('step-ms', 'upload-only')),
  ),
  uploadBoundStepRing2: uploadBound('step-ms', 'ring-2'),
  uploadBoundStepRing3: uploadBound('step-ms', 'ring-3'),
  deeperStepUploadOnlyBelowComputeOnly: deeper('step-ms', 'upload-only').below(
    deeper('step-ms', 'compute-only'),
  ),
  deeperStepRing2: deeper('step-ms', 'ring-2'),
  deeperStepRing3: deeper('step-ms', 'ring-3'),
})
