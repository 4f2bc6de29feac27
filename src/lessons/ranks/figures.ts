/** Figures and conditions of the words beside it. */
import { defineFigures, metric, recording, all, measured, named } from '../../text/define-figures'

const torch = recording('torch-ranks')
const steps = recording('torch-steps')
const neither = steps('ranks.neither.stepMs')
const whole = steps('ranks.whole.stepMs')
const number = steps('ranks.number.stepMs')

const step = metric('step-ms')
const found = metric('found-ms')
const gather = metric('gather-ms')
const allOf = metric('all-ms')

export const figures = defineFigures({
  torchSkipGot: torch('skip.gotRatio'),
  torchSkipSums: torch('skip.sums'),
  torchSkipRight: torch('skip.right'),
  torchSharedTimesOne: torch('ways.sharedMs').over(torch('ways.oneMs')).as('times'),
  torchGpus: torch('ways.oneMs').over(torch('ways.gpusMs')).as('times'),
  sumsOfRank0: metric('sums-ratio')('item-decides'),
  ...named({ all: allOf, gather }, 'two-ranks'),
  readMakesBothLate: step('none-reads').below(step('one-reads')),
  ...named({ step }, 'one-reads', 'none-reads'),
  hasFoundBothSend: measured(found('both-send')),
  foundBothSend: found('both-send'),
  hasFoundItemDecides: measured(found('item-decides')),
  torchHangLimitS: torch('hang.limitS'),
  torchHangAfterS: torch('hang.afterS'),
  ranksGainNothing: all(
    metric('speedup')('two-ranks').surelyLessThan(1.1),
    gather('two-ranks').over(allOf('two-ranks')).surelyLessThan(0.25),
  ),
  wholeIsSlower: neither.below(whole),
  numberIsSlower: neither.below(number),
  torchWholeStep: whole,
  torchNumberStep: number,
  torchNeitherStep: neither,
})
