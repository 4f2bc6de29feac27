/** Figures and conditions of the words beside it. */
import { all, not, software } from '../../text/define-conditions'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torch = recording('torch-tensor-residence')
export const hidden = recording('torch-hidden-waits')
export const torchSteps = recording('torch-steps')
export const fromCpuProfile = recording('torch-tensor-residence-from-cpu')

export const step = metric('step-ms')
export const generate = metric('generate-ms')
export const write = metric('write-ms')

const torchFromCpu = torch('points[n=2097152].pageableMs')
const torchOnDevice = torch('points[n=2097152].onDeviceMs')
const torchFromCpuStep = torchSteps('tensor-residence.from-cpu.stepMs')
const torchFromPinnedStep = torchSteps('tensor-residence.from-pinned.stepMs')

export const figures = defineFigures({
  torchFactor: torchFromCpu.over(torchOnDevice),
  torchOnDevice: torchOnDevice.as('us'),
  onDeviceBelowUpload: step('on-device').below(step('upload')),
  uploadBelowOnDevice: step('upload').below(step('on-device')),
  uploadRate: metric('tensor-bytes')().over(step('upload')),
  stepShapeBelowData: step('shape').below(step('data')),
  endWaitOnDevice: metric('end-wait-ms')('on-device'),
  shapeFreeDataNot: all(step('on-device').overlaps(step('shape')), step('shape').below(step('data'))),
  hostWorkIsMostOfUpload: all(
    generate('upload').plus(write('upload')).over(step('upload')).surelyAtLeast(0.5),
    not(software),
  ),
  torchPinnedLikeCpu: torchFromPinnedStep.overlaps(torchFromCpuStep),
  torchFromCpuIdleAtLeastHalf: fromCpuProfile('idle-ratio').atLeast(0.5),
})
