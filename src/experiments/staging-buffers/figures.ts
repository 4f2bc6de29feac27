/** Figures and conditions of verdict.md. */
import {
  defineFigures,
  derived,
  metric,
  all,
  measured,
  not,
  software,
  defineEvidence,
  pair,
  named,
} from '../../text/define-figures'

const step = metric('step-ms')
const speedup = metric('speedup')
const loader = metric('loader-ms')
const batchBytes = metric('batch-bytes')
const fill = metric('fill-ms')
const create = metric('create-ms')
const stall = metric('stall-ms')

/** A factor below this is not worth reporting, even where the intervals are apart. */
const WORTH_REPORTING = 1.15
/**
 * The report of an end makes up this much of a batch; then the report takes the time, and not the
 * bytes.
 */
const MOSTLY = 0.7
/** A part of a batch's time below this is not named. */
const WORTH_NAMING = 0.1

const ringFaster = all(step('ring-2').below(step('write-buffer')), speedup('ring-2').atLeast(WORTH_REPORTING))
const ringHelps = all(
  step('ring-2').below(step('reused')),
  step('reused').over(step('ring-2')).atLeast(WORTH_REPORTING),
)
/** A staging buffer is away for a round trip at least. */
const reportedLate = derived('roundTripMs').over(2).over(step('ring-2')).atLeast(MOSTLY)

/** The pair has one staging buffer, and two. */
export const evidence = defineEvidence({
  secondBuffer: pair(step('reused'), step('ring-2')),
})

export const figures = defineFigures({
  hasStepMappedAtCreationAndReused: all(measured(step('mapped-at-creation')), measured(step('reused'))),
  ...named({ step }, 'write-buffer', 'mapped-at-creation', 'reused', 'ring-2', '$deepest'),
  stepWriteBufferOverRing2: step('write-buffer').over(step('ring-2')).as('times'),
  ringHelps,
  softwareAndNotRingHelps: all(software, not(ringHelps)),
  stepRing2BelowReused: step('ring-2').below(step('reused')),
  stepReusedBelowRing2: step('reused').below(step('ring-2')),
  ...named({ stall }, 'reused', 'ring-2'),
  stepDeepestBelowRing2: step('$deepest').below(step('ring-2')),
  stepDeepestLikeRing2: step('$deepest').overlaps(step('ring-2')),
  stepRing2BelowDeepest: step('ring-2').below(step('$deepest')),
  creationCountsFillAlike: all(
    fill('reused').overlaps(fill('mapped-at-creation')),
    create('mapped-at-creation').over(step('mapped-at-creation')).atLeast(WORTH_NAMING),
  ),
  fillReusedBelowMappedAtCreation: fill('reused').below(fill('mapped-at-creation')),
  createMappedAtCreation: create('mapped-at-creation'),
  ...named({ fill }, 'mapped-at-creation', 'reused'),
  batchBytesOverFillRing2: batchBytes().over(fill('ring-2')),
  deviceCopyRateRing2: batchBytes().over(metric('device-copy-ms')('ring-2')),
  lateLoader: measured(loader('ring-2')),
  loaderRing2: loader('ring-2'),
  reportedLate,
  roundTripMsMs: derived('roundTripMs').as('ms'),
  writtenFaster: step('write-buffer').below(step('ring-2')),
  reportedLateMeasured: all(reportedLate, measured(speedup('ring-2'))),
  ringPays: all(ringFaster, ringHelps),
  reusePays: all(ringFaster, measured(speedup('reused')), step('reused').below(step('write-buffer'))),
  noDifference: speedup('ring-2').surelyLessThan(WORTH_REPORTING),
  intervalsOverlap: measured(speedup('ring-2')),
  ringFaster,
  stepRing2BelowWriteBuffer: step('ring-2').below(step('write-buffer')),
})
