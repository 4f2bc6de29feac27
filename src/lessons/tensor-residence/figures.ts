/** Figures and conditions of the words beside it. */
import { defineFigures, metric, recording, all, not, software, named } from '../../text/define-figures'

const torch = recording('torch-tensor-residence')
const hidden = recording('torch-hidden-waits')
const torchSteps = recording('torch-steps')
const fromCpuProfile = recording('torch-tensor-residence-from-cpu')

const step = metric('step-ms')
const generate = metric('generate-ms')
const write = metric('write-ms')

const torchFromCpu = torch('points[n=2097152].pageableMs')
const torchOnDevice = torch('points[n=2097152].onDeviceMs')
const torchFromCpuStep = torchSteps('tensor-residence.from-cpu.stepMs')
const torchFromPinnedStep = torchSteps('tensor-residence.from-pinned.stepMs')

export const figures = defineFigures({
  torchFactor: torchFromCpu.over(torchOnDevice),
  torchFromCpu,
  torchOnDevice: torchOnDevice.as('us'),
  torchMake: torch('points[n=2097152].makeMs'),
  torchSend: torch('points[n=2097152].sendMs'),
  torchData: torch('points[n=2097152].dataMs').as('us'),
  torchOnDeviceSmall: torch('points[n=65536].onDeviceMs').as('us'),
  hiddenQueued: hidden('queuedMs'),
  hiddenShape: hidden('shapeUs'),
  hiddenGpuIndex: hidden('gpuIndexUs'),
  hiddenCpuIndex: hidden('cpuIndexUs'),
  hiddenTorchTensor: hidden('torchTensorUs'),
  hiddenMask: hidden('maskUs'),
  onDeviceBelowUpload: step('on-device').below(step('upload')),
  uploadBelowOnDevice: step('upload').below(step('on-device')),
  ...named({ step }, 'on-device', 'upload', 'shape', 'data'),
  uploadRate: metric('tensor-bytes')().over(step('upload')),
  stepShapeBelowData: step('shape').below(step('data')),
  endWaitOnDevice: metric('end-wait-ms')('on-device'),
  shapeFreeDataNot: all(step('on-device').overlaps(step('shape')), step('shape').below(step('data'))),
  hostWorkIsMostOfUpload: all(
    generate('upload').plus(write('upload')).over(step('upload')).surelyAtLeast(0.5),
    not(software),
  ),
  ...named({ generate, write }, 'upload'),
  torchFromCpuLow: torchSteps('tensor-residence.from-cpu.stepMs.low'),
  torchFromCpuHigh: torchSteps('tensor-residence.from-cpu.stepMs.high'),
  torchFromPinnedLow: torchSteps('tensor-residence.from-pinned.stepMs.low'),
  torchFromPinnedHigh: torchSteps('tensor-residence.from-pinned.stepMs.high'),
  torchPinnedLikeCpu: torchFromPinnedStep.overlaps(torchFromCpuStep),
  torchOnDeviceStep: torchSteps('tensor-residence.on-device.stepMs'),
  torchFromCpuIdleAtLeastHalf: fromCpuProfile('idle-ratio').atLeast(0.5),
  torchFromCpuIdle: fromCpuProfile('idle-ratio'),
  torchFromCpuCopyShare: fromCpuProfile('copy-ratio'),
})
