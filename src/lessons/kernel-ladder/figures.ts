/** Figures and conditions of the words beside it. */
import { all, defineEvidence, defineFigures, metric, parts, recording } from '../../text/define-figures'

const torch = recording('torch-kernel-ladder')
const torchBroadcast = recording('torch-kernel-ladder-broadcast')
const torchMatmul = recording('torch-kernel-ladder-matmul')
const torchBfloat16 = recording('torch-kernel-ladder-bfloat16')

const hostCopy = metric('host-copy-ms')
const rest = metric('rest-ms')
const step = metric('step-ms')
const kernel = metric('kernel-ms')
const bestSpeedup = metric('best-speedup')
const bestStepSpeedup = metric('best-step-speedup')
const stepSpeedupLimit = metric('step-speedup-limit')

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
  ladderIsSteep: bestSpeedup().surelyAtLeast(1.3),
  ladderIsFlat: bestSpeedup().surelyLessThan(2),
  stepFirstOverFastest: step('$first').over(step('$fastest')).as('times'),
  stepTransfersOnly: step('transfers-only'),
  stepMovedFirst: step('$movedFirst'),
  stepMovedFastest: step('$movedFastest'),
  stepSpeedupLimit: stepSpeedupLimit().as('times'),
  kernelBelowHostCopy: all(
    kernel('$fastest').below(hostCopy('$movedFastest')),
    rest('$movedFastest').below(hostCopy('$movedFastest')),
  ),
  kernelFastest: kernel('$fastest'),
  hostCopyMovedFastest: hostCopy('$movedFastest'),
  restMovedFastest: rest('$movedFastest'),
  matmulBeatsBroadcast: torchMatmul('step-ms').below(torchBroadcast('step-ms')),
  broadcastStep: torchBroadcast('step-ms'),
  matmulStep: torchMatmul('step-ms'),
  bfloat16BeatsMatmul: torchBfloat16('step-ms').below(torchMatmul('step-ms')),
  bfloat16Step: torchBfloat16('step-ms'),
})
