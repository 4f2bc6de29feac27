/** Figures and conditions of the words beside it. */
import { all, measured } from '../../text/define-conditions'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torch = recording('torch-ranks')
export const steps = recording('torch-steps')
const neither = steps('ranks.neither.stepMs')
const whole = steps('ranks.whole.stepMs')
const number = steps('ranks.number.stepMs')

export const step = metric('step-ms')
export const found = metric('found-ms')
export const gather = metric('gather-ms')
export const allOf = metric('all-ms')

export const figures = defineFigures({
  torchSharedTimesOne: torch('ways.sharedMs').over(torch('ways.oneMs')).as('times'),
  torchGpus: torch('ways.oneMs').over(torch('ways.gpusMs')).as('times'),
  sumsOfRank0: metric('sums-ratio')('item-decides'),
  readMakesBothLate: step('none-reads').below(step('one-reads')),
  hasFoundBothSend: measured(found('both-send')),
  hasFoundItemDecides: measured(found('item-decides')),
  ranksGainNothing: all(
    metric('speedup')('two-ranks').surelyLessThan(1.1),
    gather('two-ranks').over(allOf('two-ranks')).surelyLessThan(0.25),
  ),
  wholeIsSlower: neither.below(whole),
  numberIsSlower: neither.below(number),
})
