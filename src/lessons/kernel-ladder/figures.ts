/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  metric,
  recording,
  word,
  all,
  defineEvidence,
  parts,
  named,
} from '../../text/define-figures'

const torchSteps = recording('torch-steps')
const torch = recording('torch-kernel-ladder')
const bfloat16 = recording('torch-kernel-ladder-bfloat16')

const step = metric('step-ms')
const kernel = metric('kernel-ms')
const bestSpeedup = metric('best-speedup')
const bestStepSpeedup = metric('best-step-speedup')
const stepSpeedupLimit = metric('step-speedup-limit')
const hostCopy = metric('host-copy-ms')('$movedFastest')
const rest = step('$movedFastest').minus(kernel('$fastest')).minus(hostCopy)

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
  stepNaive: torch('steps.pageable.naive').as('ms'),
  stepCublas: torch('steps.pageable.cublas').as('ms'),
  transfersAlone: torch('steps.pageable.transfers').as('ms'),
  stepCublasPinned: torch('steps.pinned.cublas').as('ms'),
  transfersPinned: torch('steps.pinned.transfers').as('ms'),
  kernelCublas: torch('kernels.cublas').as('ms'),
  stepGainsLess: bestStepSpeedup().below(bestSpeedup()),
  bestSpeedup: bestSpeedup().as('times'),
  bestStepSpeedup: bestStepSpeedup().as('times'),
  fastest: word('fastest'),
  ladderIsSteep: bestSpeedup().surelyAtLeast(1.3),
  ladderIsFlat: bestSpeedup().surelyLessThan(2),
  stepFirstOverFastest: step('$first').over(step('$fastest')).as('times'),
  ...named({ step }, 'transfers-only', '$movedFirst', '$movedFastest'),
  stepSpeedupLimit: stepSpeedupLimit().as('times'),
  kernelBelowHostCopy: all(kernel('$fastest').below(hostCopy), rest.below(hostCopy)),
  kernelFastest: kernel('$fastest'),
  hostCopy,
  rest,
  matmulBeatsBroadcast: torchSteps('kernel-ladder.matmul.stepMs').below(
    torchSteps('kernel-ladder.broadcast.stepMs'),
  ),
  broadcastStep: torchSteps('kernel-ladder.broadcast.stepMs'),
  matmulStep: torchSteps('kernel-ladder.matmul.stepMs'),
  bfloat16BeatsMatmul: torchSteps('kernel-ladder.bfloat16.stepMs').below(
    torchSteps('kernel-ladder.matmul.stepMs'),
  ),
  bfloat16Step: torchSteps('kernel-ladder.bfloat16.stepMs').as('us'),
  bfloat16Kernels: bfloat16('step-ms').times(bfloat16('kernel-ratio')).as('us'),
})
