/** Figures and conditions of verdict.md. */
import { defineFigures, derived, metric, all, measured, software, named } from '../../text/define-figures'

const firstShare = metric('first-share')
const kernel = metric('kernel-ms')
const firstResult = metric('first-result-ms')
const allOf = metric('all-ms')
const slowdown = metric('slowdown')

/** Read before half of the time had passed, the first result did not wait for all. */
const EARLY = 0.5
/** Read after so much of it, the first result gained little or nothing. */
const LATE = 0.75
/**
 * A report takes so many times as long as a product; then ends of products are reported together.
 */
const OUT_OF_REACH = 2

const readEarly = all(
  firstShare('wait-one').surelyLessThan(EARLY),
  firstShare('wait-one').below(firstShare('wait-all')),
)
const allAlike = firstShare('wait-one').surelyAtLeast(LATE)
const shortProducts = derived('roundTripMs').over(kernel('wait-one')).atLeast(OUT_OF_REACH)

export const figures = defineFigures({
  ...named({ firstResult }, 'wait-one', 'wait-all'),
  ...named({ all: allOf }, 'wait-one', 'two-devices'),
  hasFirstResult: measured(firstResult('wait-one'), firstResult('wait-all'), allOf('wait-one')),
  ...named({ firstShare }, 'wait-one'),
  hasKernelWaitOne: measured(kernel('wait-one')),
  hasSlowdownTwoDevices: measured(slowdown('two-devices')),
  noSecondDevice: derived('noSecondDevice'),
  softwareAndHasSlowdownTwoDevices: all(software, measured(slowdown('two-devices'))),
  readEarly,
  allAlike,
  shortProducts,
  partly: measured(firstShare('wait-one'), firstShare('wait-all')),
})
