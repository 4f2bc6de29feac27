/** Figures and conditions of the words beside it. */
import {
  all,
  defineFigures,
  derived,
  gbPerS,
  measured,
  metric,
  ms,
  param,
  recorded,
  recording,
  us,
} from '../../text/define-figures'

const torch = recording('torch-transfer-cost')
const firstRun = recording('transfer-cost')
const torchStaging = recording('torch-staging-buffers')
const overlappedUploads = recording('overlapped-uploads')
const torchAwaitedPieces = recording('torch-transfer-cost-awaited-pieces')
const torchPieces = recording('torch-transfer-cost-pieces')
const torchWhole = recording('torch-transfer-cost-whole')

const halfBytes = metric('half-bytes')
const time = metric('time-ms')
const lineError = metric('line-error-ratio')
const fittedRate = metric('fitted-gb-per-s')
const latency = metric('latency-us')
const call = metric('call-us')
const write = metric('write-ms')
const carriedBytes = metric('carried-bytes')
const rate = metric('rate-ratio')

export const figures = defineFigures({
  torchPageableOverProportional: torch('points[kib=65536].pageableUpMs').over(
    torch('points[kib=4].pageableUpMs').times(16384),
  ),
  torchPageableUpAt4KiBUs: torch('points[kib=4].pageableUpMs').as('us'),
  torchPinnedUpAt4KiBUs: torch('points[kib=4].pinnedUpMs').as('us'),
  torchPinnedOverProportional: torch('points[kib=65536].pinnedUpMs').over(
    torch('points[kib=4].pinnedUpMs').times(16384),
  ),
  hasHalfBytesUp: measured(halfBytes('up')),
  hasTimeUp4k: measured(time('up-4k')),
  lineErrorUpAtLeast5Percent: lineError('up').surelyAtLeast(0.05),
  lineErrorUp: lineError('up'),
  recordedRateBelowThis: all(recorded, firstRun('fitted-gb-per-s', 'up').below(fittedRate('up'))),
  recordedFittedGbPerSUp: firstRun('fitted-gb-per-s', 'up'),
  fittedRateUp: fittedRate('up'),
  recordedLatencyUp: firstRun('latency-us', 'up'),
  latencyUp: latency('up'),
  halfBytesUp: halfBytes('up'),
  pieceKiB: param('pieceKiB'),
  callPiecesBelowPiecesAwaited: call('pieces').below(call('pieces-awaited')),
  callPieces: call('pieces'),
  callPiecesAwaited: call('pieces-awaited'),
  callPiecesLikePiecesAwaited: call('pieces').overlaps(call('pieces-awaited')),
  torchPageableUpAt1GiBRate: torch('points[kib=1048576].kib').over(torch('points[kib=1048576].pageableUpMs')),
  torchPinnedUpAt1GiBRate: torch('points[kib=1048576].kib').over(torch('points[kib=1048576].pinnedUpMs')),
  torchLinkGeneration: torch('link.generation'),
  torchLinkLanes: torch('link.lanes'),
  torchPageableShareOfLink: torch('points[kib=1048576].kib')
    .over(torch('points[kib=1048576].pageableUpMs'))
    .over(gbPerS(63)),
  torchPinnedShareOfLink: torch('points[kib=1048576].kib')
    .over(torch('points[kib=1048576].pinnedUpMs'))
    .over(gbPerS(63)),
  torchLatencyBelowRecorded: torch('points[kib=4].pageableUpMs').below(firstRun('latency-us', 'up')),
  torchPiecesWholeTimesN1: torch('pieces.whole').times(ms(1)),
  torchPiecesPiecesTimesN1: torch('pieces.pieces').times(ms(1)),
  torchPiecesAwaited: torch('pieces.piecesAwaited').times(ms(1)),
  torchPiecesWholeMs: torch('pieces.whole').as('ms'),
  torchPiecesPiecesMs: torch('pieces.pieces').as('ms'),
  torchPiecesPiecesAwaitedMs: torch('pieces.piecesAwaited').as('ms'),
  torchPiecesOverWhole: torch('pieces.pieces').over(torch('pieces.whole')).as('times'),
  torchPieceUs: torch('pieces.pieces').times(us(15.625)).as('us'),
  torchPinned16KiBByRateUs: torch('points[kib=1048576].pinnedUpMs').times(0.0000152588).as('us'),
  hasWriteUp64m: measured(write('up-64m')),
  writeRateUp64m: carriedBytes('up-64m').over(write('up-64m')),
  torchStagingThreads: torchStaging('threads'),
  torchStagingFillAt256MiBRate: torchStaging('points[mib=256].mib').over(
    torchStaging('points[mib=256].fillMs'),
  ),
  torchStagingFillAt4MiBRate: torchStaging('points[mib=4].mib').over(torchStaging('points[mib=4].fillMs')),
  writeUp64m: write('up-64m'),
  timeUp64m: time('up-64m'),
  torchPinnedUpAt64MiBRate: torch('points[kib=65536].kib').over(torch('points[kib=65536].pinnedUpMs')),
  torchStagingPinnedAt64MiBRate: torchStaging('points[mib=64].mib').over(
    torchStaging('points[mib=64].pinnedMs'),
  ),
  torchPageableUpAt64MiBRate: torch('points[kib=65536].kib').over(torch('points[kib=65536].pageableUpMs')),
  torchStagingPageableRate: torchStaging('points[mib=64].mib').over(
    torchStaging('points[mib=64].pageableMs'),
  ),
  overlappedDeviceCopyRate: overlappedUploads('device-copy-gb-per-s', 'ring-2'),
  rateUp4kBelow50Percent: rate('up-4k').surelyLessThan(0.5),
  timeUp4k: time('up-4k'),
  hasLatencyUp: measured(latency('up')),
  writingIsLittleOf4KiB: write('up-4k').over(time('up-4k')).surelyLessThan(0.25),
  writeUp4kUs: write('up-4k').as('us'),
  timeUp4kUs: time('up-4k').as('us'),
  timePiecesBelowPiecesAwaited: time('pieces').below(time('pieces-awaited')),
  pieces: derived('pieces'),
  timePieces: time('pieces'),
  timePiecesAwaited: time('pieces-awaited'),
  timeWholeBelowPieces: time('whole').below(time('pieces')),
  timePiecesOverWhole: time('pieces').over(time('whole')).as('times'),
  timeWhole: time('whole'),
  hasWritePieces: measured(write('pieces')),
  writePieces: write('pieces'),
  torchPinned1GiBOverProportional: torch('points[kib=1048576].pinnedUpMs').over(
    torch('points[kib=65536].pinnedUpMs').times(16),
  ),
  torchAwaitedPiecesCopyShareBelowIdle: torchAwaitedPieces('copy-ratio').below(
    torchAwaitedPieces('idle-ratio'),
  ),
  torchAwaitedPiecesCopyShare: torchAwaitedPieces('copy-ratio'),
  torchAwaitedPiecesIdle: torchAwaitedPieces('idle-ratio'),
  torchPiecesStepBelowAwaitedPiecesStep: torchPieces('step-ms').below(torchAwaitedPieces('step-ms')),
  torchPiecesStep: torchPieces('step-ms'),
  torchAwaitedPiecesStep: torchAwaitedPieces('step-ms'),
  torchPiecesAtLeastTwiceWhole: torchPieces('step-ms').over(torchWhole('step-ms')).atLeast(2),
  torchPiecesStepOverWhole: torchPieces('step-ms').over(torchWhole('step-ms')).as('times'),
  torchPiecesCopyShareBelowIdle: torchPieces('copy-ratio').below(torchPieces('idle-ratio')),
  torchPiecesCopyShare: torchPieces('copy-ratio'),
  torchWholeStepBelowPiecesStep: torchWhole('step-ms').below(torchPieces('step-ms')),
  torchWholeStep: torchWhole('step-ms'),
  torchWholeCopyShare: torchWhole('copy-ratio'),
})
