/** Figures and conditions of verdict.md. */
import {
  all,
  any,
  defineFigures,
  derived,
  measured,
  metric,
  not,
  paramIs,
  word,
} from '../../text/define-figures'

const bestSpeedup = metric('best-speedup')
const kernel = metric('kernel-ms')
const step = metric('step-ms')
const notKernelShare = metric('not-kernel-share')
const bestStepSpeedup = metric('best-step-speedup')
const gflops = metric('gflops')
const peakShare = metric('peak-share')
const peakFlops = metric('peak-gflops')
const deviceBusy = metric('device-busy-ratio')
const stepSpeedupLimit = metric('step-speedup-limit')
const hostCopy = metric('host-copy-ms')
const rest = metric('rest-ms')
const intensity = metric('intensity')
const copyRate = metric('copy-gb-per-s')

/** A ladder that is less steep than this is no ladder. */
const WORTH_CLIMBING = 1.3
/** One that may be steeper than this is not called flat. */
const FLAT = 1.5
/** What is more than half of a step is most of it. */
const MOST = 0.5
/**
 * Transfers alone that take this many times as long as a step which moves the same and multiplies
 * too were disturbed. By less a GPU's clock, which falls while nothing multiplies, and the moments
 * at which the browser looks for finished work can differ.
 */
const DISTURBED = 1.1

const climbs = all(bestSpeedup().atLeast(WORTH_CLIMBING), kernel('$fastest').below(kernel('$first')))
const addsUp = step('$movedFirst').minus(kernel('$first')).overlaps(step('transfers-only'))
const shareUndecided = not(
  any(
    notKernelShare('$movedFastest').surelyAtLeast(MOST),
    notKernelShare('$movedFastest').surelyLessThan(MOST),
  ),
)
const mostlyNotKernel = notKernelShare('$movedFastest').surelyAtLeast(MOST)
const coalescedSlower = kernel('$before-coalesced').below(kernel('coalesced'))
const tiledSlower = kernel('$before-tiled').below(kernel('tiled'))
const registerBlockedSlower = kernel('$before-register-blocked').below(kernel('register-blocked'))
const vectorisedSlower = kernel('$before-vectorised').below(kernel('vectorised'))
const pipelinedSlower = kernel('$before-pipelined').below(kernel('pipelined'))
const backwards = any(coalescedSlower, tiledSlower, registerBlockedSlower, vectorisedSlower, pipelinedSlower)

export const figures = defineFigures({
  fastest: word('fastest'),
  kernelFastest: kernel('$fastest'),
  first: word('first'),
  kernelFirst: kernel('$first'),
  bestSpeedup: bestSpeedup().as('times'),
  hasKernelFaster: measured(kernel('$faster')),
  stepMovedFastest: step('$movedFastest'),
  stepMovedFirst: step('$movedFirst'),
  bestStepSpeedup: bestStepSpeedup().as('times'),
  stepTransfersOnly: step('transfers-only'),
  gflopsFastest: gflops('$fastest'),
  peakShareFastest: peakShare('$fastest'),
  peakFlopsFmaPeak: peakFlops('fma-peak'),
  bestStepSpeedupBelowSpeedup: bestStepSpeedup().below(bestSpeedup()),
  notKernelShareMovedFastest: notKernelShare('$movedFastest'),
  stepsAtLeast2AndHasKernelFaster: all(derived('steps').atLeast(2), measured(kernel('$faster'))),
  deviceBusyMovedFirst: deviceBusy('$movedFirst'),
  deviceBusyMovedFastest: deviceBusy('$movedFastest'),
  stepsAtLeast2: derived('steps').atLeast(2),
  addsUp,
  stepSpeedupLimit: stepSpeedupLimit().as('times'),
  transfersOnlyBelowRest: step('transfers-only').below(step('$movedFirst').minus(kernel('$first'))),
  stepExceedsItsParts: all(
    not(addsUp),
    step('transfers-only').below(step('$movedFirst').minus(kernel('$first'))),
  ),
  stepBeyondItsParts: step('$movedFirst').minus(kernel('$first')).minus(step('transfers-only')),
  stepMovedFastestLikeTransfersOnly: step('$movedFastest').overlaps(step('transfers-only')),
  hasStepMovedFastest: measured(step('$movedFastest')),
  hostCopyMovedFastest: hostCopy('$movedFastest'),
  restMovedFastest: rest('$movedFastest'),
  hasRestMovedFastest: measured(rest('$movedFastest')),
  backwards,
  coalescedSlower,
  kernelCoalesced: kernel('coalesced'),
  beforeCoalesced: word('before-coalesced'),
  kernelBeforeCoalesced: kernel('$before-coalesced'),
  tiledSlower,
  kernelTiled: kernel('tiled'),
  beforeTiled: word('before-tiled'),
  kernelBeforeTiled: kernel('$before-tiled'),
  registerBlockedSlower,
  kernelRegisterBlocked: kernel('register-blocked'),
  beforeRegisterBlocked: word('before-register-blocked'),
  kernelBeforeRegisterBlocked: kernel('$before-register-blocked'),
  vectorisedSlower,
  kernelVectorised: kernel('vectorised'),
  beforeVectorised: word('before-vectorised'),
  kernelBeforeVectorised: kernel('$before-vectorised'),
  pipelinedSlower,
  kernelPipelined: kernel('pipelined'),
  beforePipelined: word('before-pipelined'),
  kernelBeforePipelined: kernel('$before-pipelined'),
  leftOut: derived('leftOut'),
  nothingToCompare: not(measured(bestSpeedup(), kernel('$second'))),
  ladderFlat: all(not(climbs), bestSpeedup().surelyLessThan(FLAT)),
  ladderClimbs: all(climbs, paramIs('transfers', 'none')),
  stepFirst: step('$first'),
  stepFastest: step('$fastest'),
  stepFirstOverFastest: step('$first').over(step('$fastest')).as('times'),
  stepGainsLessThanKernel: step('$first').over(step('$fastest')).below(bestSpeedup()),
  steps: derived('steps'),
  intensity: intensity(),
  copyRateStreamCopy: copyRate('stream-copy'),
  transfersNotTheLeast: all(
    climbs,
    step('transfers-only').over(step('$movedFastest')).surelyAtLeast(DISTURBED),
  ),
  stepUnexplained: all(
    climbs,
    mostlyNotKernel,
    step('transfers-only').over(step('$movedFastest')).surelyLessThan(MOST),
  ),
  transfersTakeOver: all(
    climbs,
    mostlyNotKernel,
    step('transfers-only').over(step('$movedFastest')).surelyAtLeast(MOST),
    bestStepSpeedup().below(bestSpeedup()),
  ),
  kernelDominates: all(climbs, notKernelShare('$movedFastest').surelyLessThan(MOST)),
  transfersAreMost: all(
    climbs,
    mostlyNotKernel,
    step('transfers-only').over(step('$movedFastest')).surelyAtLeast(MOST),
  ),
  climbsAndMostlyNotKernel: all(climbs, mostlyNotKernel),
  climbsAndShareUndecided: all(climbs, shareUndecided),
  climbs,
})
