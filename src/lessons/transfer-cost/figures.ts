/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  derived,
  gbPerS,
  metric,
  ms,
  recording,
  all,
  measured,
  named,
} from '../../text/define-figures'

const torch = recording('torch-transfer-cost')
const firstRun = recording('transfer-cost')
const torchSteps = recording('torch-steps')
const torchAwaitedPiecesStep = torchSteps('transfer-cost.awaited-pieces.stepMs')
const torchPiecesStep = torchSteps('transfer-cost.pieces.stepMs')
const torchWholeStep = torchSteps('transfer-cost.whole.stepMs')

const halfBytes = metric('half-bytes')
const time = metric('time-ms')
const lineError = metric('line-error-ratio')
const fittedRate = metric('fitted-gb-per-s')
const latency = metric('latency-us')
const write = metric('write-ms')
const slowdown = metric('slowdown')
const rate = metric('rate-ratio')

const lineRough = measured(latency('up'), fittedRate('up'))

export const figures = defineFigures({
  torchRateOf4KiB: torch('points[kib=65536].toMs').over(torch('points[kib=4].toMs').times(16384)),
  torchToAt4KiB: torch('points[kib=4].toMs').as('us'),
  torchToAt64MiB: torch('points[kib=65536].toMs'),
  torchToPiecesBar: torch('pieces.toPieces').times(ms(1)),
  torchPageableUpAt4KiBUs: torch('points[kib=4].pageableUpMs').as('us'),
  torchPinnedUpAt4KiBUs: torch('points[kib=4].pinnedUpMs').as('us'),
  torchPageableUpPerMiB: torch('points[kib=1048576].pageableUpMs')
    .times(1 / 1024)
    .as('us'),
  torchPinnedUpPerMiB: torch('points[kib=1048576].pinnedUpMs')
    .times(1 / 1024)
    .as('us'),
  lineFits: all(lineRough, lineError('up').surelyLessThan(0.1)),
  lineRough,
  ...named({ latency, fittedRate, lineError, halfBytes }, 'up'),
  slowdownBelowRecorded: slowdown('pieces-awaited').below(firstRun('slowdown', 'pieces-awaited')),
  slowdownAwaited: slowdown('pieces-awaited').as('times'),
  ...named({ call: metric('call-us') }, 'pieces-awaited'),
  recordedCallAwaited: firstRun('call-us', 'pieces-awaited'),
  recordedSlowdownAwaited: firstRun('slowdown', 'pieces-awaited').as('times'),
  hasHalfBytesUp: measured(halfBytes('up')),
  torchPageableUpAt1GiBRate: torch('points[kib=1048576].kib').over(torch('points[kib=1048576].pageableUpMs')),
  torchPinnedUpAt1GiBRate: torch('points[kib=1048576].kib').over(torch('points[kib=1048576].pinnedUpMs')),
  torchPinnedShareOfLink: torch('points[kib=1048576].kib')
    .over(torch('points[kib=1048576].pinnedUpMs'))
    .over(gbPerS(63)),
  torchLinkGeneration: torch('link.generation'),
  torchLinkLanes: torch('link.lanes'),
  torchPiecesWhole: torch('pieces.whole').times(ms(1)),
  torchPiecesPieces: torch('pieces.pieces').times(ms(1)),
  torchPiecesAwaited: torch('pieces.piecesAwaited').times(ms(1)),
  /** At so small a share of the rate, the bytes take as small a share of the time. */
  fourKibAreNearlyAlpha: rate('up-4k').surelyLessThan(0.1),
  rateUp4kBelow50Percent: rate('up-4k').surelyLessThan(0.5),
  hasTimeUp4k: measured(time('up-4k')),
  ...named({ time }, 'up-4k', 'up-64m', 'pieces', 'pieces-awaited', 'whole'),
  writingIsLittleOf4KiB: write('up-4k').over(time('up-4k')).surelyLessThan(0.25),
  writeUp4kUs: write('up-4k').as('us'),
  timeUp4kUs: time('up-4k').as('us'),
  timePiecesBelowPiecesAwaited: time('pieces').below(time('pieces-awaited')),
  timePiecesLikeAwaited: time('pieces').overlaps(time('pieces-awaited')),
  pieces: derived('pieces'),
  timeWholeBelowPieces: time('whole').below(time('pieces')),
  torchPinned1GiBOverProportional: torch('points[kib=1048576].pinnedUpMs').over(
    torch('points[kib=65536].pinnedUpMs').times(16),
  ),
  torchPiecesStepBelowAwaitedPiecesStep: torchPiecesStep.below(torchAwaitedPiecesStep),
  torchAwaitedPiecesStep,
  torchPiecesStep,
  torchWholeStepBelowPiecesStep: torchWholeStep.below(torchPiecesStep),
  torchWholeStep,
})
