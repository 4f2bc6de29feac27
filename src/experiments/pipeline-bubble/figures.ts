/** Figures and conditions of verdict.md. */
import {
  all,
  defineFigures,
  derived,
  measured,
  metric,
  not,
  param,
  paramIs,
  word,
} from '../../text/define-figures'

const bubble = metric('bubble-ratio')
const predicted = metric('predicted-ratio')
const keptBytes = metric('kept-bytes')
const kept = metric('kept')
const step = metric('step-ms')

/** Idle as much as the model says, less a fifth. */
const LEAST_OF_MODEL = 0.8
/** The same, and a quarter more. */
const MOST_OF_MODEL = 1.25
/** As many. */
const SOME = 1

const noRanks = derived('ranksStarted').lessThan(SOME)
const falls = bubble('$gpipemany').below(bubble('$gpipefew'))
const rises = bubble('$gpipefew').below(bubble('$gpipemany'))
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
  bubbleGpipemanyLikeOnemany: bubble('$gpipemany').overlaps(bubble('$onemany')),
  bubbleOnemany: bubble('$onemany'),
  hasBubbleGpipemanyAndOnemany: measured(bubble('$gpipemany'), bubble('$onemany')),
  predictedOnemany: predicted('$onemany'),
  keptBytesOnemanyBelowGpipemany: keptBytes('$onemany').below(keptBytes('$gpipemany')),
  keptGpipemany: kept('$gpipemany'),
  keptBytesGpipemany: keptBytes('$gpipemany'),
  keptOnemany: kept('$onemany'),
  keptBytesOnemany: keptBytes('$onemany'),
  stepOnebestBelowOnemany: step('$onebest').below(step('$onemany')),
  best: word('best'),
  stepOnebest: step('$onebest'),
  stepOnemany: step('$onemany'),
  cores: derived('cores'),
  ranks: param('ranks'),
  sharesMemoryAtLeastSome: derived('sharesMemory').atLeast(SOME),
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
