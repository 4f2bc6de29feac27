/** Figures and conditions of the words beside it. */
import { all, defineFigures, measured, metric, recording } from '../../text/define-figures'

const torch = recording('torch-ranks')
const torchNeither = recording('torch-ranks-neither')
const torchWhole = recording('torch-ranks-whole')
const torchNumber = recording('torch-ranks-number')

const rows = metric('rows-ms')
const step = metric('step-ms')
const speedup = metric('speedup')
const gather = metric('gather-ms')
const allOf = metric('all-ms')
const later = metric('later')

export const figures = defineFigures({
  torchWaysOneOverGpus: torch('ways.oneMs').over(torch('ways.gpusMs')),
  torchWaysOne: torch('ways.oneMs'),
  torchWaysGpus: torch('ways.gpusMs'),
  rowsOneRankBelowTwoRanks: rows('one-rank').below(rows('two-ranks')),
  rowsTwoRanks: rows('two-ranks'),
  rowsOneRank: rows('one-rank'),
  hasRowsTwoRanks: measured(rows('two-ranks')),
  stepNoneReadsBelowOneReads: step('none-reads').below(step('one-reads')),
  stepOneReads: step('one-reads'),
  stepNoneReads: step('none-reads'),
  stepNoneReadsLikeOneReads: step('none-reads').overlaps(step('one-reads')),
  torchOneIsShortBesideShared: torch('ways.oneMs').over(torch('ways.sharedMs')).lessThan(0.25),
  torchWaysShared: torch('ways.sharedMs'),
  torchHangLimitS: torch('hang.limitS'),
  torchHangAfterS: torch('hang.afterS'),
  ranksGainNothing: all(
    speedup('two-ranks').surelyLessThan(1.1),
    gather('two-ranks').over(allOf('two-ranks')).surelyLessThan(0.25),
  ),
  gatherTwoRanks: gather('two-ranks'),
  allTwoRanks: allOf('two-ranks'),
  laterOneReadsBelow1p15: later('one-reads').lessThan(1.15),
  torchNeitherStepBelowWholeStep: torchNeither('step-ms').below(torchWhole('step-ms')),
  torchWholeStep: torchWhole('step-ms'),
  torchWholeKernelShare: torchWhole('kernel-ratio'),
  torchWholeBusy: torchWhole('busy-ratio'),
  torchNeitherStepBelowNumberStep: torchNeither('step-ms').below(torchNumber('step-ms')),
  torchNumberStep: torchNumber('step-ms'),
  torchNeitherStep: torchNeither('step-ms'),
})
