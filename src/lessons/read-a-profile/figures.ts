/** Figures and conditions of the words beside it. */
import { defineFigures, recording } from '../../text/define-figures'

const ncclLateRank = recording('torch-nccl-late-rank')
const torchPageable = recording('torch-read-a-profile-pageable')
const torchNoOverlap = recording('torch-read-a-profile-no-overlap')
const torchNone = recording('torch-read-a-profile-none')

export const figures = defineFigures({
  ncclLateRankBusy0: ncclLateRank('busy-ratio', '0'),
  ncclLateRankWorkShare0: ncclLateRank('work-ratio', '0'),
  ncclLateRankIdle1: ncclLateRank('idle-ratio', '1'),
  ncclLateRankWaited0: ncclLateRank('waited-ms', '0'),
  ncclInStepWorkShare0: recording('torch-nccl-in-step')('work-ratio', '0'),
  torchPageableBusy: torchPageable('busy-ratio'),
  torchPageableWorkShare: torchPageable('work-ratio'),
  torchNoOverlapBusy: torchNoOverlap('busy-ratio'),
  torchNoneBusy: torchNone('busy-ratio'),
  torchReadIdle: recording('torch-read-a-profile-read')('idle-ratio'),
  torchSmallKernelsIdle: recording('torch-read-a-profile-small-kernels')('idle-ratio'),
  torchNoOverlapStep: torchNoOverlap('step-ms'),
  torchNoneStep: torchNone('step-ms'),
})
