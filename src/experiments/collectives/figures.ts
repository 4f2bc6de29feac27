/** Figures and conditions of verdict.md. */
import { defineFigures, derived, metric, param, all, measured, named, words } from '../../text/define-figures'

const lead = metric('lead')
const collective = metric('collective-ms')
const alpha = metric('alpha-us')
const gbPerSOf = metric('gb-per-s')
const predictedKib = metric('predicted-kib')
const lineError = metric('line-error-ratio')
const crossoverKib = metric('crossover-kib')

/** The two take the same time. */
const EVEN = 1
/** Medians that are nearer than a tenth are not far apart. */
const CLOSE = 0.9
/** Above this, there are more ranks than cores. */
const CROWDED = 1.01
/** A fact that holds is written as 1. */
const YES = 1

const noWorld = derived('noWorld').atLeast(YES)
const naiveFirst = lead('$ringsmall').surelyLessThan(EVEN)
const ringFirst = lead('$ringsmall').surelyAtLeast(EVEN)
const ringLast = lead('$ringlarge').surelyAtLeast(EVEN)
const naiveLast = lead('$ringlarge').surelyLessThan(EVEN)
const sharesCores = derived('ranksPerCore').atLeast(CROWDED)
const oneMemory = derived('sharesMemory').atLeast(YES)
export const figures = defineFigures({
  ...words('operation', 'small', 'large', 'chart', 'naivelarge', 'ringlarge', 'whynoworld'),
  ranks: param('ranks'),
  ...named({ collective }, '$naivesmall', '$ringsmall', '$naivelarge', '$ringlarge'),
  hasAlphaAndGbPerS: measured(alpha(), gbPerSOf()),
  alpha: alpha(),
  gbPerSHere: gbPerSOf(),
  hasPredictedKib: measured(predictedKib()),
  predictedKibAbout: predictedKib().as('about'),
  lineError: lineError(),
  hasRingAndNaive: measured(collective('$ringlarge'), collective('$naivelarge')),
  crossoverKibAbout: crossoverKib().as('about'),
  sharesCores,
  cores: derived('cores'),
  oneMemory,
  noWorld,
  crossingFound: all(measured(crossoverKib()), naiveFirst, ringLast),
  ringAlways: all(ringFirst, ringLast),
  evenWhenSmall: all(ringLast, lead('$ringsmall').atLeast(CLOSE)),
  naiveLast,
  tooNoisy: measured(lead('$ringlarge')),
})
