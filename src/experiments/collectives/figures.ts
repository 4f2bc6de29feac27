/** Figures and conditions of verdict.md. */
import { all, any, measured, paramIs } from '../../text/define-conditions'
import { defineFigures, derived, metric, param } from '../../text/define-figures'

export const lead = metric('lead')
export const collective = metric('collective-ms')
export const alpha = metric('alpha-us')
export const gbPerSOf = metric('gb-per-s')
export const predictedKib = metric('predicted-kib')
export const lineError = metric('line-error-ratio')
export const crossoverKib = metric('crossover-kib')
export const way = metric('way-ratio')

/** The two take the same time. */
const EVEN = 1
/** Medians that are nearer than a tenth are not far apart. */
const CLOSE = 0.9
/** More ranks than cores. */
const CROWDED = 1.01
/** Less is lost in the repeats. */
const A_SHARE = 0.01
/** A fact that holds is written as 1. */
const YES = 1

const noWorld = derived('noWorld').atLeast(YES)
const naiveFirst = lead('$ringsmall').surelyLessThan(EVEN)
const ringFirst = lead('$ringsmall').surelyAtLeast(EVEN)
const ringLast = lead('$ringlarge').surelyAtLeast(EVEN)
const naiveLast = lead('$ringlarge').surelyLessThan(EVEN)
const sharesCores = derived('ranksPerCore').atLeast(CROWDED)
const oneMemory = derived('sharesMemory').atLeast(YES)
const hasRoot = any(
  paramIs('operation', 'gather'),
  paramIs('operation', 'scatter'),
  paramIs('operation', 'broadcast'),
)

export const figures = defineFigures({
  ranks: param('ranks'),
  hasAlphaAndGbPerS: measured(alpha(), gbPerSOf()),
  hasPredictedKib: measured(predictedKib()),
  hasCollectiveTree: measured(collective('$treesmall'), collective('$treelarge')),
  hasRingAndNaive: all(
    paramIs('operation', 'all-reduce'),
    measured(collective('$ringlarge'), collective('$naivelarge')),
  ),
  sharesCores,
  cores: derived('cores'),
  oneMemory,
  wayGpulargeAtLeastAShare: way('$gpularge').surelyAtLeast(A_SHARE),
  hasWayGpularge: measured(way('$gpularge')),
  hasCollectiveRinglarge: measured(collective('$ringlarge')),
  noWorld,
  crossingFound: all(measured(crossoverKib()), naiveFirst, ringLast),
  ringAlways: all(ringFirst, ringLast),
  evenWhenSmall: all(ringLast, lead('$ringsmall').atLeast(CLOSE)),
  naiveLast,
  hasRoot,
  tooNoisy: measured(lead('$ringlarge')),
})
