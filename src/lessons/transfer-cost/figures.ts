/** Figures and conditions of the words beside it. */
import { all, measured } from '../../text/define-conditions'
import { defineFigures, derived, gbPerS, metric, ms, recording } from '../../text/define-figures'

export const torch = recording('torch-transfer-cost')
export const firstRun = recording('transfer-cost')
export const torchSteps = recording('torch-steps')
const torchAwaitedPiecesStep = torchSteps('transfer-cost.awaited-pieces.stepMs')
const torchPiecesStep = torchSteps('transfer-cost.pieces.stepMs')
const torchWholeStep = torchSteps('transfer-cost.whole.stepMs')

export const halfBytes = metric('half-bytes')
export const time = metric('time-ms')
export const lineError = metric('line-error-ratio')
export const fittedRate = metric('fitted-gb-per-s')
export const latency = metric('latency-us')
export const write = metric('write-ms')
export const slowdown = metric('slowdown')
const rate = metric('rate-ratio')

const lineRough = measured(latency('up'), fittedRate('up'))

export const figures = defineFigures({
  torchRateOf4KiB: torch('points[kib=65536].toMs').over(torch('points[kib=4].toMs').times(16384)),
  torchToPiecesBar: torch('pieces.toPieces').times(ms(1)),
  torchPageableUpPerMiB: torch('points[kib=1048576].pageableUpMs')
    .times(1 / 1024)
    .as('us'),
  torchPinnedUpPerMiB: torch('points[kib=1048576].pinnedUpMs')
    .times(1 / 1024)
    .as('us'),
  lineFits: all(lineRough, lineError('up').surelyLessThan(0.1)),
  lineRough,
  slowdownBelowRecorded: slowdown('pieces-awaited').below(firstRun('slowdown', 'pieces-awaited')),
  hasHalfBytesUp: measured(halfBytes('up')),
  torchPageableUpAt1GiBRate: torch('points[kib=1048576].kib').over(torch('points[kib=1048576].pageableUpMs')),
  torchPinnedUpAt1GiBRate: torch('points[kib=1048576].kib').over(torch('points[kib=1048576].pinnedUpMs')),
  torchPinnedShareOfLink: torch('points[kib=1048576].kib')
    .over(torch('points[kib=1048576].pinnedUpMs'))
    .over(gbPerS(63)),
  torchPiecesWhole: torch('pieces.whole').times(ms(1)),
  torchPiecesPieces: torch('pieces.pieces').times(ms(1)),
  torchPiecesAwaited: torch('pieces.piecesAwaited').times(ms(1)),
  /** At so small a share of the rate, the bytes take as small a share of the time. */
  fourKibAreNearlyAlpha: rate('up-4k').surelyLessThan(0.1),
  rateUp4kBelow50Percent: rate('up-4k').surelyLessThan(0.5),
  hasTimeUp4k: measured(time('up-4k')),
  writingIsLittleOf4KiB: write('up-4k').over(time('up-4k')).surelyLessThan(0.25),
  timePiecesBelowPiecesAwaited: time('pieces').below(time('pieces-awaited')),
  timePiecesLikeAwaited: time('pieces').overlaps(time('pieces-awaited')),
  pieces: derived('pieces'),
  timeWholeBelowPieces: time('whole').below(time('pieces')),
  torchPinned1GiBOverProportional: torch('points[kib=1048576].pinnedUpMs').over(
    torch('points[kib=65536].pinnedUpMs').times(16),
  ),
  torchPiecesStepBelowAwaitedPiecesStep: torchPiecesStep.below(torchAwaitedPiecesStep),
  torchWholeStepBelowPiecesStep: torchWholeStep.below(torchPiecesStep),
})
