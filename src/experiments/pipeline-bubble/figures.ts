/** Figures and conditions of verdict.md. */
import {
  defineFigures,
  derived,
  metric,
  param,
  all,
  measured,
  not,
  named,
  words,
} from '../../text/define-figures'

const bubble = metric('bubble-ratio')
const predicted = metric('predicted-ratio')
const kept = metric('kept')
const step = metric('step-ms')

/** The bubble may fall a fifth short of the count of slots. */
const LEAST_OF_MODEL = 0.8
/** The bubble may exceed the count of slots by a quarter. */
const MOST_OF_MODEL = 1.25
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
  ...words('few', 'many', 'gpipefew', 'gpipemany', 'onemany', 'best', 'whynoranks', 'needed'),
  ...named({ bubble }, '$gpipefew', '$gpipemany', '$onemany'),
  ...named({ predicted }, '$gpipefew', '$gpipemany'),
  memoryAlone: all(keepsLess, bubble('$gpipemany').overlaps(bubble('$onemany'))),
  keepsLess,
  ...named({ kept }, '$gpipemany', '$onemany'),
  stepOnebestBelowOnemany: step('$onebest').below(step('$onemany')),
  ...named({ step }, '$gpipefew', '$gpipemany', '$onebest', '$onemany'),
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
