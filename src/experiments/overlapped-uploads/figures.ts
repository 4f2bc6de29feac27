/** Figures and conditions of verdict.md. */
import {
  bytes,
  defineFigures,
  derived,
  max,
  metric,
  min,
  all,
  any,
  measured,
  software,
  named,
  words,
} from '../../text/define-figures'

const overlapEfficiency = metric('overlap-efficiency')
const step = metric('step-ms')
const fill = metric('fill-ms')
const hostFree = metric('host-free-ratio')
const savedOfSerial = metric('saved-of-serial')

/** Half of the shorter one hidden is overlap that a person would notice. */
const CLEAR_OVERLAP = 0.5
/** An overlap of less than this of the shorter one is none. */
const NO_OVERLAP = 0.2
/** If one of the two is this small beside the other there is nothing to hide. */
const TINY = 0.15
/** Nobody can hide more than the whole of the shorter one; so much more is no spread. */
const MORE_THAN_ALL = 1.15
/** A time over the longer of the two: one after the other cannot take less than 1. */
const LESS_THAN_EITHER = 0.95
/**
 * Waiting for a buffer makes up this much of an upload; then it is the browser's report that takes
 * the time, not the bytes.
 */
const MOSTLY_WAITING = 0.7
/** Computing alone, the host has nothing to do but to submit. */
const FREE_WHILE_COMPUTING = 0.5
/** The smallest share above nothing; below 0 less than nothing was hidden. */
const ANYTHING = 2.220446049250313e-16

const longer = max(step('compute-only'), step('upload-only'))
const hasSamples = measured(overlapEfficiency('$best'))
const clearlyHidden = overlapEfficiency('$best').surelyAtLeast(CLEAR_OVERLAP)

export const figures = defineFigures({
  ...named({ step }, 'compute-only', 'upload-only', 'serial', '$best', '$main', '$deepest', 'ring-1'),
  ...words('bestRing', 'mainRing', 'deepestRing'),
  mainOverlaps: overlapEfficiency('$main').surelyAtLeast(NO_OVERLAP),
  overlapEfficiencyMainBelowAnything: overlapEfficiency('$main').lessThan(ANYTHING),
  hasOverlapEfficiencyMain: measured(overlapEfficiency('$main')),
  longerOfTheTwo: longer,
  stepDeepestBelowMain: step('$deepest').below(step('$main')),
  stepDeepestLikeMain: step('$deepest').overlaps(step('$main')),
  stepMainBelowDeepest: step('$main').below(step('$deepest')),
  stepRing1BelowSerial: step('ring-1').below(step('serial')),
  ...named({ fill, deviceCopyRate: metric('device-copy-gb-per-s') }, '$main'),
  fillRateMain: bytes(1).times(derived('batchBytes')).over(fill('$main')),
  serialTooFast: any(step('serial').below(longer), step('serial').over(longer).lessThan(LESS_THAN_EITHER)),
  nothingToHide: all(hasSamples, min(step('compute-only'), step('upload-only')).over(longer).lessThan(TINY)),
  reportedLate: derived('roundTripMs')
    .over(derived('uploadDepth'))
    .over(step('upload-only'))
    .atLeast(MOSTLY_WAITING),
  roundTripMsMs: derived('roundTripMs').as('ms'),
  submitBlocks: hostFree('compute-only').surelyLessThan(FREE_WHILE_COMPUTING),
  hostFreeComputeOnly: hostFree('compute-only'),
  partsDisagree: any(
    overlapEfficiency('$best').surelyAtLeast(1),
    overlapEfficiency('$best').atLeast(MORE_THAN_ALL),
    // It hides nothing.
    all(clearlyHidden, overlapEfficiency('serial').atLeast(NO_OVERLAP)),
  ),
  overlap: all(clearlyHidden, savedOfSerial('$best').surelyAtLeast(CLEAR_OVERLAP)),
  overlapEfficiencyBestAtLeast1: overlapEfficiency('$best').atLeast(1),
  overlapEfficiencyBest: overlapEfficiency('$best'),
  serialAsFast: all(clearlyHidden, savedOfSerial('$best').surelyLessThan(CLEAR_OVERLAP)),
  coresShared: all(software, overlapEfficiency('$best').surelyLessThan(CLEAR_OVERLAP)),
  noOverlap: overlapEfficiency('$best').surelyLessThan(NO_OVERLAP),
  partialOverlap: all(
    overlapEfficiency('$best').surelyAtLeast(NO_OVERLAP),
    overlapEfficiency('$best').surelyLessThan(CLEAR_OVERLAP),
  ),
  hasSamples,
})
