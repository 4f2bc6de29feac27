/** Figures and conditions of the words beside it. */
import { all } from '../../text/define-conditions'
import { defineEvidence, parts } from '../../text/define-evidence'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torchSteps = recording('torch-steps')
export const torch = recording('torch-kernel-ladder')
const bfloat16 = recording('torch-kernel-ladder-bfloat16')

export const hostCopy = metric('host-copy-ms')
export const rest = metric('rest-ms')
export const step = metric('step-ms')
export const kernel = metric('kernel-ms')
export const bestSpeedup = metric('best-speedup')
export const bestStepSpeedup = metric('best-step-speedup')
export const stepSpeedupLimit = metric('step-speedup-limit')

export const evidence = defineEvidence({
  stepIsKernelPlusTransfers: parts(torch('steps.pageable.cublas'), [
    torch('kernels.cublas'),
    torch('steps.pageable.transfers'),
  ]),
})

export const figures = defineFigures({
  stepFactor: torch('steps.pageable.naive').over(torch('steps.pageable.cublas')),
  stepFactorPinned: torch('steps.pinned.naive').over(torch('steps.pinned.cublas')).as('times'),
  kernelFactor: torch('kernels.naive').over(torch('kernels.cublas')).as('times'),
  stepGainsLess: bestStepSpeedup().below(bestSpeedup()),
  ladderIsSteep: bestSpeedup().surelyAtLeast(1.3),
  ladderIsFlat: bestSpeedup().surelyLessThan(2),
  stepFirstOverFastest: step('$first').over(step('$fastest')).as('times'),
  kernelBelowHostCopy: all(
    kernel('$fastest').below(hostCopy('$movedFastest')),
    rest('$movedFastest').below(hostCopy('$movedFastest')),
  ),
  matmulBeatsBroadcast: torchSteps('kernel-ladder.matmul.stepMs').below(
    torchSteps('kernel-ladder.broadcast.stepMs'),
  ),
  bfloat16BeatsMatmul: torchSteps('kernel-ladder.bfloat16.stepMs').below(
    torchSteps('kernel-ladder.matmul.stepMs'),
  ),
  bfloat16Kernels: bfloat16('step-ms').times(bfloat16('kernel-ratio')).as('us'),
})
