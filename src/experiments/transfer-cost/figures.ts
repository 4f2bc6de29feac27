/** Figures and conditions of verdict.md. */
import {
  bytes,
  defineFigures,
  metric,
  all,
  measured,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const rate = metric('rate-ratio')
const time = metric('time-ms')
const slowdown = metric('slowdown')
const withWaits = metric('with-waits')
const latency = metric('latency-us')
const fittedRate = metric('fitted-gb-per-s')
const lineError = metric('line-error-ratio')
const call = metric('call-us')

/**
 * At half the rate of the largest transfer, half of the time of a small one is not for its bytes.
 */
const HALF_OF_IT = 0.5
/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/** The size farthest from the line is off by less than this. */
const NEAR = 0.1

const smallIsSlow = rate('up-4k').surelyLessThan(HALF_OF_IT)
const waitsCost = all(
  time('whole').below(time('pieces-awaited')),
  slowdown('pieces-awaited').atLeast(WORTH_REPORTING),
)
const waitsHardly = withWaits('pieces-awaited').surelyLessThan(WORTH_REPORTING)
const lineUp = measured(latency('up'), fittedRate('up'))
const lineDown = measured(latency('down'), fittedRate('down'))

/** The pair has the same pieces, with a wait behind each and with one at the end. */
export const evidence = defineEvidence({
  waits: pair(time('pieces-awaited'), time('pieces')),
})

export const figures = defineFigures({
  ...named({ time }, 'whole', 'pieces', 'pieces-awaited', 'up-4k', 'up-64m', 'down-4k'),
  smallIsSlow,
  rateUp4k: rate('up-4k'),
  lineFits: all(lineUp, lineError('up').surelyLessThan(NEAR)),
  lineUp,
  ...named({ latency, fittedRate }, 'up', 'down'),
  ...named({ halfBytes: metric('half-bytes'), lineError }, 'up'),
  lineDownFits: all(lineDown, lineError('down').surelyLessThan(NEAR)),
  waitsHardly,
  waitsAdd: all(waitsCost, time('pieces').below(time('pieces-awaited'))),
  awaitedPiecesCostLittle: slowdown('pieces-awaited').surelyLessThan(WORTH_REPORTING),
  withWaitsPiecesAwaited: withWaits('pieces-awaited').as('times'),
  ...named({ call }, 'pieces-awaited', 'pieces'),
  timePiecesOverWhole: time('pieces').over(time('whole')).as('times'),
  timeWholeBelowPieces: time('whole').below(time('pieces')),
  timeWholeLikePieces: time('whole').overlaps(time('pieces')),
  gbPerSUp64m: metric('gb-per-s')('up-64m'),
  writeRateUp64m: bytes(64 * 2 ** 20).over(metric('write-ms')('up-64m')),
  latencyDecides: all(smallIsSlow, waitsCost, time('pieces').below(time('pieces-awaited'))),
  waitsCostNothing: all(
    smallIsSlow,
    measured(time('whole')),
    slowdown('pieces-awaited').surelyLessThan(WORTH_REPORTING),
  ),
  smallIsFast: rate('up-4k').atLeast(HALF_OF_IT),
  piecesNotWaits: all(smallIsSlow, waitsCost, waitsHardly),
  piecesCost: all(smallIsSlow, waitsCost),
  intervalsOverlap: measured(rate('up-4k'), slowdown('pieces-awaited')),
})
