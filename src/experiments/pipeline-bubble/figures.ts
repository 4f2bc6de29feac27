/** Figures and conditions of verdict.md. */
import {
  defineFigures,
  derived,
  metric,
  param,
  word,
  all,
  measured,
  not,
  paramIs,
} from '../../text/define-figures'

const bubble = metric('bubble-ratio')
const predicted = metric('predicted-ratio')
const kept = metric('kept')
const step = metric('step-ms')

/** Of the count of slots: idle as long, less a fifth. */
const LEAST_OF_MODEL = 0.8
/** The same, and a quarter more. */
const MOST_OF_MODEL = 1.25
/** As many. */
const SOME = 1

const noRanks = derived('ranksStarted').lessThan(SOME)
const falls = bubble('$gpipemany').below(bubble('$gpipefew'))
const rises = bubble('$gpipefew').below(bubble('$gpipemany'))
const keepsLess = kept('$onemany').below(kept('$gpipemany'))
const nearModel = all(
  bubble('$gpipefew').over(predicted('$gpipefew')).atLeast(LEAST_OF_MODEL),
  bubble('$gpipefew').over(predicted('$gpipefew')).lessThan(MOST_OF_MODEL),
)

export const figures = defineFigures({
  few: word('few'),
  bubbleGpipefew: bubble('$gpipefew'),
  many: word('many'),
  bubbleGpipemany: bubble('$gpipemany'),
  stagesIsEven: paramIs('stages', 'even'),
  predictedGpipefew: predicted('$gpipefew'),
  predictedGpipemany: predicted('$gpipemany'),
  gpipefew: word('gpipefew'),
  gpipemany: word('gpipemany'),
  onemany: word('onemany'),
  memoryAlone: all(keepsLess, bubble('$gpipemany').overlaps(bubble('$onemany'))),
  bubbleOnemany: bubble('$onemany'),
  keepsLess,
  keptGpipemany: kept('$gpipemany'),
  keptOnemany: kept('$onemany'),
  stepOnebestBelowOnemany: step('$onebest').below(step('$onemany')),
  best: word('best'),
  stepGpipefew: step('$gpipefew'),
  stepGpipemany: step('$gpipemany'),
  stepOnebest: step('$onebest'),
  stepOnemany: step('$onemany'),
  cores: derived('cores'),
  ranks: param('ranks'),
  noRanks,
  whynoranks: word('whynoranks'),
  tooFewCores: all(
    not(measured(bubble('$gpipefew'))),
    measured(kept('$gpipefew')),
    measured(predicted('$gpipefew')),
  ),
  needed: word('needed'),
  bubbleShrinks: all(falls, nearModel),
  rises,
  falls,
  tooNoisy: measured(bubble('$gpipemany')),
})
