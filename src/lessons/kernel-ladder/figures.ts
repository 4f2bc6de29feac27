/** Figures and conditions of the words beside it. */
import { all, defineFigures, max, measured, metric, recording, word } from '../../text/define-figures'

const torch = recording('torch-kernel-ladder')
const torchMatmul = recording('torch-kernel-ladder-matmul')
const torchBroadcast = recording('torch-kernel-ladder-broadcast')
const torchBfloat16 = recording('torch-kernel-ladder-bfloat16')

const hostCopy = metric('host-copy-ms')
const rest = metric('rest-ms')
const step = metric('step-ms')
const kernel = metric('kernel-ms')
const bestSpeedup = metric('best-speedup')
const bestStepSpeedup = metric('best-step-speedup')
const stepSpeedupLimit = metric('step-speedup-limit')

export const figures = defineFigures({
  torchStepsPageableNaiveOverCublas: torch('steps.pageable.naive').over(torch('steps.pageable.cublas')),
  torchKernelsNaiveOverCublas: torch('kernels.naive').over(torch('kernels.cublas')).as('times'),
  torchStepsPinnedNaiveOverCublas: torch('steps.pinned.naive').over(torch('steps.pinned.cublas')).as('times'),
  hasHostCopyAndRest: measured(hostCopy('$movedFastest'), rest('$movedFastest')),
  fastest: word('fastest'),
  stepMovedFastest: step('$movedFastest'),
  hostCopyMovedFastest: hostCopy('$movedFastest'),
  restMovedFastest: rest('$movedFastest'),
  kernelFastest: kernel('$fastest'),
  bestSpeedup: bestSpeedup().as('times'),
  stepFirstOverFastest: step('$first').over(step('$fastest')).as('times'),
  stepGainsLessThanKernel: step('$first').over(step('$fastest')).below(bestSpeedup()),
  transfersOnlyBelowRest: step('transfers-only').below(step('$movedFastest').minus(kernel('$fastest'))),
  stepTransfersOnly: step('transfers-only'),
  transfersAreMostOfCublas: torch('steps.pageable.transfers')
    .over(torch('steps.pageable.cublas'))
    .atLeast(0.9),
  torchStepsPageableNaive: torch('steps.pageable.naive'),
  torchStepsPageableCublas: torch('steps.pageable.cublas'),
  torchStepsPageableTransfers: torch('steps.pageable.transfers'),
  torchN: torch('n'),
  torchKernelsNaiveMs: torch('kernels.naive').as('ms'),
  torchKernelsCublasMs: torch('kernels.cublas').as('ms'),
  torchStepsPageableNaiveMs: torch('steps.pageable.naive').as('ms'),
  torchStepsPageableCublasMs: torch('steps.pageable.cublas').as('ms'),
  torchStepsPageableTransfersMs: torch('steps.pageable.transfers').as('ms'),
  torchStepsPinnedNaiveMs: torch('steps.pinned.naive').as('ms'),
  torchStepsPinnedCublasMs: torch('steps.pinned.cublas').as('ms'),
  torchStepsPinnedTransfersMs: torch('steps.pinned.transfers').as('ms'),
  fasterKernelSavesLittleOfStep: all(
    bestStepSpeedup().over(bestSpeedup()).surelyLessThan(0.5),
    step('$movedFirst').minus(kernel('$first')).over(step('transfers-only')).atLeast(0.85),
    step('$movedFirst').minus(kernel('$first')).over(step('transfers-only')).lessThan(1.15),
  ),
  bestStepSpeedup: bestStepSpeedup().as('times'),
  stepMovedFirst: step('$movedFirst'),
  stepSpeedupLimit: stepSpeedupLimit().as('times'),
  kernelBelowCopyAndRest: all(
    kernel('$fastest').below(hostCopy('$movedFastest')),
    kernel('$fastest').below(rest('$movedFastest')),
  ),
  longerOfCopyAndRest: max(hostCopy('$movedFastest'), rest('$movedFastest')),
  restBelowHostCopy: rest('$movedFastest').below(hostCopy('$movedFastest')),
  cublasBelowTransfers: torch('kernels.cublas').below(torch('steps.pinned.transfers')),
  matmulBeatsBroadcast: all(
    torchMatmul('step-ms').below(torchBroadcast('step-ms')),
    torchBroadcast('kernel-ratio').atLeast(0.9),
  ),
  torchBroadcastKernelShare: torchBroadcast('kernel-ratio'),
  torchBroadcastStep: torchBroadcast('step-ms'),
  torchMatmulStepBelowBroadcastStep: torchMatmul('step-ms').below(torchBroadcast('step-ms')),
  torchMatmulKernelUs: torchMatmul('kernel-ms').as('us'),
  torchMatmulStep: torchMatmul('step-ms'),
  torchMatmulIdleAtLeast20Percent: torchMatmul('idle-ratio').atLeast(0.2),
  torchMatmulIdle: torchMatmul('idle-ratio'),
  torchBfloat16KernelBelowMatmulKernel: torchBfloat16('kernel-ms').below(torchMatmul('kernel-ms')),
  torchBfloat16KernelUs: torchBfloat16('kernel-ms').as('us'),
  torchBfloat16IdleAtLeast50Percent: torchBfloat16('idle-ratio').atLeast(0.5),
  torchBfloat16Idle: torchBfloat16('idle-ratio'),
})
