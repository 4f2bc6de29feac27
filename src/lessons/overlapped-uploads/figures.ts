/** Figures and conditions of the words beside it. */
import {
  all,
  bytes,
  defineFigures,
  metric,
  min,
  ms,
  not,
  paramIs,
  recording,
} from '../../text/define-figures'

const torchSerial = recording('torch-overlapped-uploads-serial')
const torchRing2 = recording('torch-overlapped-uploads-ring-2')
const torchOverlapped = recording('torch-overlapped-uploads-overlapped')
const torchPageable = recording('torch-overlapped-uploads-pageable')
const torchPinned = recording('torch-overlapped-uploads-pinned')
const torchRace = recording('torch-overlapped-uploads-loader')
const firstRun = recording('overlapped-uploads')
const uploadBound = recording('overlapped-uploads/upload-bound')

const step = metric('step-ms')
const overlapEfficiency = metric('overlap-efficiency')
const deviceBusy = metric('device-busy-ratio')

export const figures = defineFigures({
  torchHiddenShare: torchSerial('step-ms')
    .minus(torchRing2('step-ms'))
    .over(
      min(
        torchSerial('step-ms').times(torchSerial('kernel-ratio')),
        torchSerial('step-ms').minus(torchSerial('step-ms').times(torchSerial('kernel-ratio'))),
      ),
    ),
  torchSerialStep: torchSerial('step-ms'),
  torchRing2Step: torchRing2('step-ms'),
  ringBeatsSerial: step('ring-2').below(step('serial')),
  stepSerial: step('serial'),
  stepRing1: step('ring-1'),
  stepRing2: step('ring-2'),
  stepRing3: step('ring-3'),
  stepUploadOnly: step('upload-only'),
  shorterPart: min(step('compute-only'), step('upload-only')),
  uploadLongerThanCompute: all(
    step('compute-only').below(step('upload-only')),
    deviceBusy('ring-2').surelyLessThan(0.9),
    not(step('ring-3').below(step('upload-only'))),
  ),
  deviceBusyRing2: deviceBusy('ring-2'),
  ringOfOneOverlaps: all(
    step('ring-1').below(step('serial')),
    overlapEfficiency('ring-1').surelyAtLeast(0.2),
  ),
  stepRing3BelowRing2: step('ring-3').below(step('ring-2')),
  torchPinnedHiddenCopy: torchPinned('hidden-copy-ratio'),
  torchOverlappedHiddenCopy: torchOverlapped('hidden-copy-ratio'),
  torchPageableStep: torchPageable('step-ms'),
  torchPinnedStep: torchPinned('step-ms'),
  torchOverlappedStep: torchOverlapped('step-ms'),
  firstEarlyShare: torchRace('race.behindWork.early[first]').over(torchRace('race.elements')),
  recordedDeviceCopyRateRing2: firstRun('device-copy-gb-per-s', 'ring-2'),
  bytesOverCall: bytes(67108864).over(ms(0.02)),
  onlyRingOfTwoOverlaps: all(
    paramIs('submission', 'together'),
    overlapEfficiency('ring-2').surelyAtLeast(0.2),
    overlapEfficiency('ring-1').surelyLessThan(0.2),
  ),
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
})
