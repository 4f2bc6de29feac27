/** Figures and conditions of the words beside it. */
import { all, defineFigures, measured, metric, reason, recording } from '../../text/define-figures'

const torch = recording('torch-ranks')
const neither = recording('torch-ranks-neither')
const whole = recording('torch-ranks-whole')
const number = recording('torch-ranks-number')

const step = metric('step-ms')
const found = metric('found-ms')
const speedup = metric('speedup')
const gather = metric('gather-ms')
const allOf = metric('all-ms')

export const figures = defineFigures({
  torchShared: torch('ways.oneMs').over(torch('ways.sharedMs')),
  torchGpus: torch('ways.oneMs').over(torch('ways.gpusMs')).as('times'),
  asOneGpu: reason('one-gpu'),
  asGained: reason('gained-something'),
  allOneRank: allOf('one-rank'),
  allTwoRanks: allOf('two-ranks'),
  readMakesBothLate: step('none-reads').below(step('one-reads')),
  stepOneReads: step('one-reads'),
  stepNoneReads: step('none-reads'),
  hasFoundBothSend: measured(found('both-send')),
  foundBothSend: found('both-send'),
  hasFoundItemDecides: measured(found('item-decides')),
  torchHangLimitS: torch('hang.limitS'),
  torchHangAfterS: torch('hang.afterS'),
  ranksGainNothing: all(
    speedup('two-ranks').surelyLessThan(1.1),
    gather('two-ranks').over(allOf('two-ranks')).surelyLessThan(0.25),
  ),
  gatherTwoRanks: gather('two-ranks'),
  wholeIsSlower: neither('step-ms').below(whole('step-ms')),
  numberIsSlower: neither('step-ms').below(number('step-ms')),
  torchWholeStep: whole('step-ms'),
  torchNumberStep: number('step-ms'),
  torchNeitherStep: neither('step-ms'),
})
