/** Figures and conditions of verdict.md. */
import {
  all,
  any,
  bytes,
  defineFigures,
  derived,
  gbPerS,
  max,
  measured,
  metric,
  min,
  not,
  paramIs,
  software,
  word,
} from '../../text/define-figures'

const overlapEfficiency = metric('overlap-efficiency')
const step = metric('step-ms')
const make = metric('make-ms')
const makingOverStep = metric('making-over-step')
const makingHidden = metric('making-hidden')
const deviceCopyRate = metric('device-copy-gb-per-s')
const fill = metric('fill-ms')
const deviceCopy = metric('device-copy-ms')
const batchWait = metric('batch-wait-ms')
const makingAdds = metric('making-adds')
const deviceBusy = metric('device-busy-ratio')
const versusIdeal = metric('versus-ideal')
const hostFree = metric('host-free-ratio')
const savedOfSerial = metric('saved-of-serial')

/** Half of the shorter one hidden is overlap that a person would notice. */
const CLEAR_OVERLAP = 0.5
/** Less than this of the shorter one is none. */
const NO_OVERLAP = 0.2
/** Where one of the two is this small beside the other there is nothing to hide. */
const TINY = 0.15
/** More than the whole of the shorter one cannot be hidden; so much more is no spread. */
const MORE_THAN_ALL = 1.15
/** Over the longer of the two; one after the other cannot take less than 1. */
const LESS_THAN_EITHER = 0.95
/**
 * Waiting for a buffer makes up this much of an upload; then it is the browser's report that takes
 * the time, not the bytes.
 */
const MOSTLY_WAITING = 0.7
/** Computing alone, the host has nothing to do but to submit. */
const FREE_WHILE_COMPUTING = 0.5
/** Making that adds less than this to a step is hidden by the ring already. */
const WORTH_MAKING = 0.15
/** Making that takes this share of a step leaves a worker no rest. */
const NO_REST = 0.9
/** As many, or more. */
const ONE = 1
/**
 * The loop, the worker and the browser's own process want one each, and a device that is the CPU
 * wants the others.
 */
const FEW_CORES = 4
/** A link of 16 lanes, 16 · 32 Gbit/s in blocks of 130 bits for 128. */
const PCIE_5 = gbPerS(63)
/** More than nothing; what is below 0 hid less than nothing. */
const ANYTHING = 2.220446049250313e-16

const hasSamples = measured(overlapEfficiency('$best'))
const clearlyHidden = overlapEfficiency('$best').surelyAtLeast(CLEAR_OVERLAP)
const split = paramIs('submission', 'split')
const inLoop = measured(step('inline'))
const inWorker = measured(step('$worker'))
const compared = all(inLoop, inWorker)
const neverRests = any(step('ring-2').below(make('$worker')), makingOverStep('$worker').atLeast(NO_REST))
const hardlyHidden = makingHidden('$worker').surelyLessThan(CLEAR_OVERLAP)

export const figures = defineFigures({
  stepComputeOnly: step('compute-only'),
  stepUploadOnly: step('upload-only'),
  stepSerial: step('serial'),
  bestRing: word('bestRing'),
  stepBest: step('$best'),
  computeAtLeastUpload: step('compute-only').over(step('upload-only')).atLeast(1),
  computeOverUpload: step('compute-only').over(step('upload-only')).as('times'),
  uploadOverCompute: step('upload-only').over(step('compute-only')).as('times'),
  sumBelowSerial: step('compute-only').plus(step('upload-only')).below(step('serial')),
  hasStepSerial: measured(step('serial')),
  uploadEstimateMsMs: derived('uploadEstimateMs').as('ms'),
  targetComputeMsMs: derived('targetComputeMs').as('ms'),
  overlapEfficiencyMainBelowAnything: overlapEfficiency('$main').lessThan(ANYTHING),
  mainOverlaps: overlapEfficiency('$main').surelyAtLeast(NO_OVERLAP),
  hasOverlapEfficiencyMain: measured(overlapEfficiency('$main')),
  mainRing: word('mainRing'),
  stepMain: step('$main'),
  longerOfTheTwo: max(step('compute-only'), step('upload-only')),
  overlapEfficiencyMainAtLeast1: overlapEfficiency('$main').atLeast(1),
  overlapEfficiencyMain: overlapEfficiency('$main'),
  overlapEfficiencyMainAtLeastAnything: overlapEfficiency('$main').atLeast(ANYTHING),
  split,
  ringOfOneOverlaps: all(split, overlapEfficiency('ring-1').surelyAtLeast(NO_OVERLAP)),
  stepRing1: step('ring-1'),
  stepRing1LikeSerial: step('ring-1').overlaps(step('serial')),
  stepRing1BelowSerial: step('ring-1').below(step('serial')),
  stepSerialBelowRing1: step('serial').below(step('ring-1')),
  stepDeepestLikeMain: step('$deepest').overlaps(step('$main')),
  stepDeepest: step('$deepest'),
  deepestRing: word('deepestRing'),
  stepDeepestBelowMain: step('$deepest').below(step('$main')),
  stepMainBelowDeepest: step('$main').below(step('$deepest')),
  deviceCopyRateMainAtLeastPcie5: deviceCopyRate('$main').surelyAtLeast(PCIE_5),
  deviceCopyRateMainBelowPcie5: deviceCopyRate('$main').lessThan(PCIE_5),
  fillMain: fill('$main'),
  fillRateMain: bytes(1).times(derived('batchBytes')).over(fill('$main')),
  deviceCopyRateMain: deviceCopyRate('$main'),
  deviceCopyMain: deviceCopy('$main'),
  stepRing2: step('ring-2'),
  stepInline: step('inline'),
  stepWorker: step('$worker'),
  makeInline: make('inline'),
  augmentationsBelowOne: derived('augmentations').lessThan(ONE),
  augmentations: derived('augmentations'),
  workerAhead: word('workerAhead'),
  makeWorker: make('$worker'),
  makingHiddenWorkerAtLeast1: makingHidden('$worker').atLeast(1),
  makingHiddenWorkerAtLeastAnything: makingHidden('$worker').atLeast(ANYTHING),
  makingHiddenWorker: makingHidden('$worker'),
  makingHiddenWorkerBelowAnything: makingHidden('$worker').lessThan(ANYTHING),
  hasBatchWaitWorker: measured(batchWait('$worker')),
  batchWaitWorker: batchWait('$worker'),
  inWorker,
  stepFurtherLikeWorker: step('$further').overlaps(step('$worker')),
  furtherAhead: word('furtherAhead'),
  stepFurther: step('$further'),
  stepFurtherBelowWorker: step('$further').below(step('$worker')),
  stepWorkerBelowFurther: step('$worker').below(step('$further')),
  noWorker: derived('loaderFailed').atLeast(1),
  loaderProblem: derived('loaderProblem'),
  makingAddsInline: makingAdds('inline'),
  oneSide: any(all(inLoop, not(inWorker)), all(inWorker, not(inLoop))),
  madeInPassing: all(compared, makingAdds('inline').lessThan(WORTH_MAKING)),
  betterThanAtHand: all(compared, makingHidden('$worker').atLeast(MORE_THAN_ALL)),
  workerHides: all(compared, makingHidden('$worker').surelyAtLeast(CLEAR_OVERLAP)),
  inlineIdlerThanRing2: deviceBusy('inline').below(deviceBusy('ring-2')),
  deviceBusyInline: deviceBusy('inline'),
  deviceBusyRing2: deviceBusy('ring-2'),
  noCoreToSpare: all(compared, software, hardlyHidden),
  hostCoresBelowFewCores: derived('hostCores').lessThan(FEW_CORES),
  hostCores: derived('hostCores'),
  workerTooSlow: all(compared, hardlyHidden, neverRests),
  stepRing2BelowMakeWorker: step('ring-2').below(make('$worker')),
  makingOverStepWorker: makingOverStep('$worker'),
  workerHidesLittle: all(compared, hardlyHidden),
  makingUnclear: any(inLoop, inWorker),
  hasMakingHiddenWorker: measured(makingHidden('$worker')),
  serialTooFast: any(
    step('serial').below(max(step('compute-only'), step('upload-only'))),
    versusIdeal('serial').lessThan(LESS_THAN_EITHER),
  ),
  nothingToHide: all(
    hasSamples,
    min(step('compute-only'), step('upload-only'))
      .over(max(step('compute-only'), step('upload-only')))
      .lessThan(TINY),
  ),
  reportedLate: derived('roundTripMs')
    .over(derived('uploadDepth'))
    .over(step('upload-only'))
    .atLeast(MOSTLY_WAITING),
  roundTripMsMs: derived('roundTripMs').as('ms'),
  submitBlocks: hostFree('compute-only').surelyLessThan(FREE_WHILE_COMPUTING),
  hostFreeComputeOnly: hostFree('compute-only'),
  moreThanAll: any(
    overlapEfficiency('$best').surelyAtLeast(1),
    overlapEfficiency('$best').atLeast(MORE_THAN_ALL),
  ),
  overlapEfficiencyBest: overlapEfficiency('$best'),
  serialBeatsSum: all(clearlyHidden, overlapEfficiency('serial').atLeast(NO_OVERLAP)),
  overlapEfficiencySerial: overlapEfficiency('serial'),
  overlap: all(clearlyHidden, savedOfSerial('$best').surelyAtLeast(CLEAR_OVERLAP)),
  overlapEfficiencyBestAtLeast1: overlapEfficiency('$best').atLeast(1),
  serialAsFast: all(clearlyHidden, savedOfSerial('$best').surelyLessThan(CLEAR_OVERLAP)),
  savedOfSerialBestAtLeastAnything: savedOfSerial('$best').atLeast(ANYTHING),
  savedOfSerialBest: savedOfSerial('$best'),
  coresShared: all(software, overlapEfficiency('$best').surelyLessThan(CLEAR_OVERLAP)),
  noOverlap: overlapEfficiency('$best').surelyLessThan(NO_OVERLAP),
  overlapEfficiencyBestAtLeastAnything: overlapEfficiency('$best').atLeast(ANYTHING),
  partialOverlap: all(
    overlapEfficiency('$best').surelyAtLeast(NO_OVERLAP),
    overlapEfficiency('$best').surelyLessThan(CLEAR_OVERLAP),
  ),
  clearlyHidden,
  hasSamples,
})
