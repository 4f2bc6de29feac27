/** Figures and conditions of the words beside it. */
import {
  bytes,
  defineFigures,
  metric,
  min,
  ms,
  recording,
  all,
  measured,
  not,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const torchSteps = recording('torch-steps')
const torchRace = recording('torch-overlapped-uploads-loader')

const torchComputeAlone = torchSteps('overlapped-uploads.compute-alone.stepMs')
const torchUploadAlone = torchSteps('overlapped-uploads.upload-alone.stepMs')
const torchRing2Step = torchSteps('overlapped-uploads.ring-2.stepMs')
const torchPageableStep = torchSteps('overlapped-uploads.pageable.stepMs')
const torchPinnedStep = torchSteps('overlapped-uploads.pinned.stepMs')
const torchOverlappedStep = torchSteps('overlapped-uploads.overlapped.stepMs')

const step = metric('step-ms')
const overlapEfficiency = metric('overlap-efficiency')
const deviceBusy = metric('device-busy-ratio')

/** The pair has the same copies and products, on one stream and on two. */
export const evidence = defineEvidence({
  secondStream: pair(torchPinnedStep, torchOverlappedStep),
})

export const figures = defineFigures({
  torchHiddenShare: torchComputeAlone
    .plus(torchUploadAlone)
    .minus(torchRing2Step)
    .over(min(torchComputeAlone, torchUploadAlone)),
  torchInline: torchRace('inlineMs').as('ms'),
  torchInlinePinned: torchRace('inlinePinnedMs').as('ms'),
  torchWorkersPinned: torchRace('workersPinnedMs').as('ms'),
  torchRing1Step: torchSteps('overlapped-uploads.ring-1.stepMs'),
  torchRing2Step,
  torchSerialStep: torchSteps('overlapped-uploads.serial.stepMs'),
  torchPageableStep,
  torchPinnedStep,
  torchPinnedWaitsStep: torchSteps('overlapped-uploads.pinned-waits.stepMs'),
  torchOverlappedStep,
  savedBySecondStream: torchPinnedStep.minus(torchOverlappedStep),
  pageableSlower: torchPinnedStep.below(torchPageableStep),
  secondStreamHelps: torchOverlappedStep.below(torchPinnedStep),
  ringLikeSerial: step('ring-2').overlaps(step('serial')),
  ...named({ step }, 'ring-2', 'ring-3', 'ring-8', 'upload-only'),
  thirdHelpedMoreDidNot: all(
    measured(step('ring-8')),
    step('ring-3').below(step('ring-2')),
    not(step('ring-8').below(step('ring-3'))),
  ),
  uploadLongerThanCompute: all(
    step('compute-only').below(step('upload-only')),
    deviceBusy('ring-2').surelyLessThan(0.9),
    not(step('ring-3').below(step('upload-only'))),
  ),
  deviceBusyRing2: deviceBusy('ring-2'),
  stepRing3BelowRing2: step('ring-3').below(step('ring-2')),
  firstEarlyShare: torchRace('race.behindWork.early[first]').over(torchRace('race.elements')),
  readAfterIsRight: torchRace('race.behindWork.after[first]').lessThan(1),
  readEarlyAloneIsRight: torchRace('race.alone.early[first]').lessThan(1),
  recordedDeviceCopyRateRing2: recording('overlapped-uploads')('device-copy-gb-per-s', 'ring-2'),
  bytesOverCall: bytes(67108864).over(ms(0.02)),
  onlyRingOfTwoOverlaps: all(
    overlapEfficiency('ring-2').surelyAtLeast(0.2),
    overlapEfficiency('ring-1').surelyLessThan(0.2),
  ),
})
