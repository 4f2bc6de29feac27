/** Figures and conditions of verdict.md. */
import { all, defineFigures, measured, metric, param } from '../../text/define-figures'

const rate = metric('rate-ratio')
const time = metric('time-ms')
const slowdown = metric('slowdown')
const withWaits = metric('with-waits')
const latency = metric('latency-us')
const fittedRate = metric('fitted-gb-per-s')
const halfBytes = metric('half-bytes')
const lineError = metric('line-error-ratio')
const stall = metric('stall-ms')
const call = metric('call-us')
const write = metric('write-ms')
const gbPerSOf = metric('gb-per-s')
const carriedBytes = metric('carried-bytes')

/**
 * At half the rate of the largest transfer, half of the time of a small one is not for its bytes.
 */
const HALF_OF_IT = 0.5
/** A slowdown below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/** A report that comes on a timer is found earlier or later by so much. */
const A_LITTLE = 1.2
/** Up to here the pieces cost little beside the whole. */
const LITTLE = 1.5

const smallIsSlow = rate('up-4k').surelyLessThan(HALF_OF_IT)
const waitsCost = all(
  time('whole').below(time('pieces-awaited')),
  slowdown('pieces-awaited').atLeast(WORTH_REPORTING),
)
const waitsHardly = withWaits('pieces-awaited').surelyLessThan(WORTH_REPORTING)
const lineUp = measured(latency('up'), fittedRate('up'))
const lineDown = measured(latency('down'), fittedRate('down'))

export const figures = defineFigures({
  timeWhole: time('whole'),
  timePieces: time('pieces'),
  timePiecesAwaited: time('pieces-awaited'),
  smallIsSlow,
  timeUp4k: time('up-4k'),
  rateUp4k: rate('up-4k'),
  timeDown4k: time('down-4k'),
  lineUp,
  latencyUp: latency('up'),
  fittedRateUp: fittedRate('up'),
  halfBytesUp: halfBytes('up'),
  lineErrorUp: lineError('up'),
  lineDown,
  latencyDown: latency('down'),
  fittedRateDown: fittedRate('down'),
  waitsHardly,
  waitsCost,
  awaitedPiecesCostLittle: slowdown('pieces-awaited').surelyLessThan(WORTH_REPORTING),
  withWaitsPiecesAwaited: withWaits('pieces-awaited').as('times'),
  stallPiecesAwaited: stall('pieces-awaited'),
  callPiecesAwaited: call('pieces-awaited'),
  callPieces: call('pieces'),
  piecesCostLittle: all(time('whole').below(time('pieces')), slowdown('pieces').surelyLessThan(LITTLE)),
  timePiecesOverWhole: time('pieces').over(time('whole')).as('times'),
  piecesAreLatency: time('pieces').over(time('up-4k')).lessThan(A_LITTLE),
  timeWholeBelowPieces: time('whole').below(time('pieces')),
  timeWholeLikePieces: time('whole').overlaps(time('pieces')),
  writePiecesBelowStallPieces: write('pieces').below(stall('pieces')),
  writePieces: write('pieces'),
  stallPieces: stall('pieces'),
  hasWriteWhole: measured(write('whole')),
  writeWhole: write('whole'),
  gbPerSUp64m: gbPerSOf('up-64m'),
  writeRateUp64m: carriedBytes('up-64m').over(write('up-64m')),
  latencyDecides: all(smallIsSlow, waitsCost, time('pieces').below(time('pieces-awaited'))),
  waitsCostNothing: all(
    smallIsSlow,
    measured(time('whole')),
    slowdown('pieces-awaited').surelyLessThan(WORTH_REPORTING),
  ),
  smallIsFast: rate('up-4k').atLeast(HALF_OF_IT),
  piecesNotWaits: all(smallIsSlow, waitsCost, waitsHardly),
  pieceKiB: param('pieceKiB'),
  piecesCost: all(smallIsSlow, waitsCost),
  timePiecesLikePiecesAwaited: time('pieces').overlaps(time('pieces-awaited')),
  intervalsOverlap: measured(rate('up-4k'), slowdown('pieces-awaited')),
  timeWholeLikePiecesAwaited: time('whole').overlaps(time('pieces-awaited')),
})
