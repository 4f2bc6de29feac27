/** Figures and conditions of the words beside it. */
import { all, measured } from '../../text/define-conditions'
import { defineEvidence, parts } from '../../text/define-evidence'
import { defineFigures, metric, recording } from '../../text/define-figures'

export const torch = recording('torch-staging-buffers')
export const torchSteps = recording('torch-steps')
const torchRingStep = torchSteps('staging-buffers.ring.stepMs')
const torchPageableStep = torchSteps('staging-buffers.pageable.stepMs')
const torchPinnedAnewStep = torchSteps('staging-buffers.pinned-anew.stepMs')

export const step = metric('step-ms')
export const stall = metric('stall-ms')
export const loader = metric('loader-ms')

/** Pinned, filled, sent and unpinned. */
export const evidence = defineEvidence({
  pinningIsMostOfIt: parts(torch('points[mib=64].pinAnewMs'), [
    torch('points[mib=64].allocMs'),
    torch('points[mib=64].freeMs'),
    torch('points[mib=64].fillMs'),
    torch('points[mib=64].pinnedMs'),
  ]),
})

export const figures = defineFigures({
  torchPageableOverRing: torch('points[mib=64].pageableMs').over(torch('points[mib=64].ringMs')),
  torchFillAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].fillMs')),
  torchPinnedAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].pinnedMs')),
  workersHandOverSlowly: all(
    torch('loader.pinned0Ms').below(torch('loader.pageable0Ms')),
    torch('loader.pageable0Ms').below(torch('loader.pinned4Ms')),
  ),
  torchPinMemoryCachedBelowFirst: torch('pinMemory.cachedMs').below(torch('pinMemory.firstMs')),
  torchLateFactor: torch('late.pageableMs').over(torch('late.ringMs')).as('times'),
  torchRingFactor: torch('points[mib=64].pageableMs').over(torch('points[mib=64].ringMs')).as('times'),
  torchLateRingBelowPageable: torch('late.ringMs').below(torch('late.pageableMs')),
  stepWriteBufferBelowRing2: step('write-buffer').below(step('ring-2')),
  stepRing2BelowWriteBuffer: step('ring-2').below(step('write-buffer')),
  stepRing2LikeWriteBuffer: step('ring-2').overlaps(step('write-buffer')),
  fourBuffersBeatTwo: all(step('ring-4').below(step('ring-2')), stall('ring-4').below(stall('ring-2'))),
  stepRing2BelowRing4: step('ring-2').below(step('ring-4')),
  stallRing2BelowReused: stall('ring-2').below(stall('reused')),
  hasLoaderRing2AndStepRing2: measured(loader('ring-2'), step('ring-2')),
  torchRingStepBelowPageableStep: torchRingStep.below(torchPageableStep),
  pinnedAnewIsAsQuick: torchPinnedAnewStep.over(torchRingStep).lessThan(1.1),
})
