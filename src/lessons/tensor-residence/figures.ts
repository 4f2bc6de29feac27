/** Figures and conditions of the words beside it. */
import {
  all,
  bytes,
  defineFigures,
  derived,
  measured,
  metric,
  not,
  ran,
  recorded,
  recording,
  software,
} from '../../text/define-figures'

const torch = recording('torch-tensor-residence')
const firstRun = recording('tensor-residence')
const torchFromCpu = recording('torch-tensor-residence-from-cpu')
const torchFromPinned = recording('torch-tensor-residence-from-pinned')
const torchOnDevice = recording('torch-tensor-residence-on-device')

const endWait = metric('end-wait-ms')
const kernel = metric('kernel-ms')
const step = metric('step-ms')
const tensorBytes = metric('tensor-bytes')
const generate = metric('generate-ms')
const write = metric('write-ms')

export const figures = defineFigures({
  torchPageableOverOnDevice: torch('points[n=4194304].pageableMs').over(
    torch('points[n=4194304].onDeviceMs'),
  ),
  torchPageableAt4194304: torch('points[n=4194304].pageableMs'),
  torchOnDeviceAt4194304: torch('points[n=4194304].onDeviceMs'),
  endWaitDominatesOnDevice: all(
    endWait('on-device').minus(kernel('on-device')).over(step('on-device')).atLeast(0.5),
    step('on-device').below(step('upload')),
  ),
  endWaitOnDevice: endWait('on-device'),
  stepOnDevice: step('on-device'),
  steps: derived('steps'),
  kernelOnDevice: kernel('on-device'),
  hasKernelOnDevice: measured(kernel('on-device')),
  torchDataAt4194304: torch('points[n=4194304].dataMs'),
  torchMakesMoreSlowly: bytes(16777216)
    .over(torch('points[n=4194304].makeMs'))
    .below(tensorBytes().over(generate('upload'))),
  torchMakeAt4194304: torch('points[n=4194304].makeMs'),
  generateUpload: generate('upload'),
  tensorBytes: tensorBytes(),
  torchSendAt4194304: torch('points[n=4194304].sendMs'),
  endWaitIsHalf: endWait('on-device').over(step('on-device')).atLeast(0.5),
  softwareAndStepOnDeviceLikeUpload: all(software, step('on-device').overlaps(step('upload'))),
  ranAndStepOnDeviceBelowUpload: all(ran, step('on-device').below(step('upload'))),
  stepUpload: step('upload'),
  uploadRate: tensorBytes().over(step('upload')),
  ranAndStepUploadBelowOnDevice: all(ran, step('upload').below(step('on-device'))),
  recordedStepUpload: firstRun('step-ms', 'upload'),
  ranAndSoftware: all(ran, software),
  stepShapeBelowData: step('shape').below(step('data')),
  stepShape: step('shape'),
  stepData: step('data'),
  stepShapeLikeData: step('shape').overlaps(step('data')),
  recordedOnDeviceAlike: all(
    recorded,
    firstRun('step-ms', 'on-device').over(step('on-device')).atLeast(0.8),
    firstRun('step-ms', 'on-device').over(step('on-device')).lessThan(1.25),
    step('upload').below(firstRun('step-ms', 'upload')),
  ),
  recordedTensorBytes: firstRun('tensor-bytes'),
  recordedStepOnDevice: firstRun('step-ms', 'on-device'),
  endWaitBeyondKernelIsHalf: endWait('on-device')
    .minus(kernel('on-device'))
    .over(step('on-device'))
    .atLeast(0.5),
  torchLastOnDevice: torch('points[last].onDeviceMs'),
  torchLastPageable: torch('points[last].pageableMs'),
  torchFirstOnDevice: torch('points[first].onDeviceMs'),
  torchFirstPageable: torch('points[first].pageableMs'),
  torchFirstMake: torch('points[first].makeMs'),
  torchLastMake: torch('points[last].makeMs'),
  torchFirstShape: torch('points[first].shapeMs'),
  torchFirstData: torch('points[first].dataMs'),
  torchFirstPrint: torch('points[first].printMs'),
  pinnedGainsOnLargest: torch('points[last].pinnedMs').over(torch('points[last].pageableMs')).lessThan(0.9),
  torchLastPinned: torch('points[last].pinnedMs'),
  shapeFreeDataNot: all(step('on-device').overlaps(step('shape')), step('shape').below(step('data'))),
  hostWorkIsMostOfUpload: all(
    generate('upload').plus(write('upload')).over(step('upload')).surelyAtLeast(0.5),
    not(software),
  ),
  writeUpload: write('upload'),
  torchFromCpuIdleAtLeast50Percent: torchFromCpu('idle-ratio').atLeast(0.5),
  torchFromCpuIdle: torchFromCpu('idle-ratio'),
  torchFromCpuCopyShare: torchFromCpu('copy-ratio'),
  pinnedCopiesShorter: torchFromPinned('copy-ratio').below(torchFromCpu('copy-ratio')),
  torchFromPinnedCopyShare: torchFromPinned('copy-ratio'),
  torchFromPinnedIdleAtLeast50Percent: torchFromPinned('idle-ratio').atLeast(0.5),
  torchFromPinnedIdle: torchFromPinned('idle-ratio'),
  torchOnDeviceStepBelowFromCpuStep: torchOnDevice('step-ms').below(torchFromCpu('step-ms')),
  torchOnDeviceStep: torchOnDevice('step-ms'),
  torchFromCpuStep: torchFromCpu('step-ms'),
})
