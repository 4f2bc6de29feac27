/** Figures and conditions of verdict.md. */
import { all, measured, not, paramIs } from '../../text/define-conditions'
import { defineFigures, derived, metric, param } from '../../text/define-figures'

export const bubble = metric('bubble-ratio')
export const predicted = metric('predicted-ratio')
const keptBytes = metric('kept-bytes')
export const kept = metric('kept')
export const step = metric('step-ms')

/** Of the count of slots: idle as long, less a fifth. */
const LEAST_OF_MODEL = 0.8
/** The same, and a quarter more. */
const MOST_OF_MODEL = 1.25
/** As many. */
const SOME = 1

const noRanks = derived('ranksStarted').lessThan(SOME)
const falls = bubble('$gpipemany').below(bubble('$gpipefew'))
const rises = bubble('$gpipefew').below(bubble('$gpipemany'))
const keepsLess = keptBytes('$onemany').below(keptBytes('$gpipemany'))
const nearModel = all(
  bubble('$gpipefew').over(predicted('$gpipefew')).atLeast(LEAST_OF_MODEL),
  bubble('$gpipefew').over(predicted('$gpipefew')).lessThan(MOST_OF_MODEL),
)

export const figures = defineFigures({
  stagesIsEven: paramIs('stages', 'even'),
  memoryAlone: all(keepsLess, bubble('$gpipemany').overlaps(bubble('$onemany'))),
  keptBytesOnemanyBelowGpipemany: keepsLess,
  stepOnebestBelowOnemany: step('$onebest').below(step('$onemany')),
  cores: derived('cores'),
  ranks: param('ranks'),
  noRanks,
  tooFewCores: all(
    not(measured(bubble('$gpipefew'))),
    measured(kept('$gpipefew')),
    measured(predicted('$gpipefew')),
  ),
  bubbleShrinks: all(falls, nearModel),
  rises,
  falls,
  tooNoisy: measured(bubble('$gpipemany')),
})
