/** Figures and conditions of verdict.md. */
import { defineFigures, metric, all, measured, not, paramIs, named, words } from '../../text/define-figures'

const bestSpeedup = metric('best-speedup')
const kernel = metric('kernel-ms')
const step = metric('step-ms')
const hostCopy = metric('host-copy-ms')('$movedFastest')
const kernelShare = metric('kernel-share')('$movedFastest')
const bestStepSpeedup = metric('best-step-speedup')
const stepSpeedupLimit = metric('step-speedup-limit')

/** A ladder that is less steep than this is no ladder. */
const WORTH_CLIMBING = 1.3
/** One that may be steeper than this is not called flat. */
const FLAT = 1.5
/** A part above half of a step is most of it. */
const MOST = 0.5
/**
 * Transfers alone that take this many times as long as a step which moves the same and multiplies
 * too were disturbed. By less a GPU's clock, which falls while nothing multiplies, and the moments
 * at which the browser looks for finished work can differ.
 */
const DISTURBED = 1.1

const climbs = all(bestSpeedup().atLeast(WORTH_CLIMBING), kernel('$fastest').below(kernel('$first')))
const addsUp = step('$movedFirst').minus(kernel('$first')).overlaps(step('transfers-only'))
const mostlyNotKernel = kernelShare.surelyLessThan(MOST)

export const figures = defineFigures({
  ...words('fastest', 'first'),
  ...named({ kernel }, '$fastest', '$first'),
  bestSpeedup: bestSpeedup().as('times'),
  hasKernelFaster: measured(kernel('$faster')),
  ...named({ step }, '$movedFastest', '$movedFirst', 'transfers-only'),
  bestStepSpeedup: bestStepSpeedup().as('times'),
  ...named({ gflops: metric('gflops'), peakShare: metric('peak-share') }, '$fastest'),
  addsUp,
  stepSpeedupLimit: stepSpeedupLimit().as('times'),
  stepMovedFastestLikeTransfersOnly: step('$movedFastest').overlaps(step('transfers-only')),
  hostCopy,
  rest: step('$movedFastest').minus(kernel('$fastest')).minus(hostCopy),
  nothingToCompare: not(measured(bestSpeedup(), kernel('$second'))),
  ladderFlat: all(not(climbs), bestSpeedup().surelyLessThan(FLAT)),
  ladderClimbs: all(climbs, paramIs('transfers', 'none')),
  stepFirstOverFastest: step('$first').over(step('$fastest')).as('times'),
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
  kernelDominates: all(climbs, kernelShare.surelyAtLeast(MOST)),
  climbs,
})
