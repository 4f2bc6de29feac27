/** Figures and conditions of the words beside it. */
import { defineFigures, recording } from '../../text/define-figures'

export const ncclLateRank = recording('torch-nccl-late-rank')
export const torchPageable = recording('torch-read-a-profile-pageable')
export const torchNoOverlap = recording('torch-read-a-profile-no-overlap')
export const torchNone = recording('torch-read-a-profile-none')

export const figures = defineFigures({
  ncclInStepWorkShare0: recording('torch-nccl-in-step')('work-ratio', '0'),
  torchReadIdle: recording('torch-read-a-profile-read')('idle-ratio'),
  torchSmallKernelsIdle: recording('torch-read-a-profile-small-kernels')('idle-ratio'),
})
