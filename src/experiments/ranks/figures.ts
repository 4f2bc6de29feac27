/** Figures and conditions of verdict.md. */
import { defineFigures, derived, metric, all, any, measured, named, words } from '../../text/define-figures'

const speedup = metric('speedup')
const allOf = metric('all-ms')
const found = metric('found-ms')

/** Two ranks on two GPUs would gain nearly 2; from here on something was gained on one. */
const GAINED = 1.25
/** A gain below this is not worth a second process. */
const NOTHING = 1.1
/** A second rank that gains less costs time. */
const SLOWER = 1
/** The facts compared with it are counts, or 1 for yes. */
const SOME = 1

const noGain = speedup('two-ranks').surelyLessThan(NOTHING)
const gain = speedup('two-ranks').surelyAtLeast(GAINED)
const costs = speedup('two-ranks').surelyLessThan(SLOWER)

export const figures = defineFigures({
  ...named({ all: allOf }, 'one-rank', 'two-ranks', 'four-ranks'),
  speedupTwoRanks: speedup('two-ranks').as('times'),
  hasFoundBothSend: measured(found('both-send')),
  ...words('itemdecides'),
  hasFoundItemDecides: measured(found('item-decides')),
  hasSums: measured(metric('sums-ratio')('item-decides')),
  sumsOfRank0: metric('sums-ratio')('item-decides'),
  hangFound: any(measured(found('both-send')), measured(found('item-decides'))),
  noRanks: derived('ranksStarted').lessThan(SOME),
  whyNoRanks: derived('noRanks'),
  noGain,
  costsMeasured: all(costs, measured(allOf('two-ranks').over(allOf('one-rank')))),
  allTwoRanksOverOneRank: allOf('two-ranks').over(allOf('one-rank')).as('times'),
  gain,
  tooClose: measured(speedup('two-ranks')),
})
