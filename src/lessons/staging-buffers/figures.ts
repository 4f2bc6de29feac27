/** Figures and conditions of the words beside it. */
import {
  defineFigures,
  metric,
  recording,
  all,
  defineEvidence,
  parts,
  named,
} from '../../text/define-figures'

const torch = recording('torch-staging-buffers')
const torchSteps = recording('torch-steps')
const torchRingStep = torchSteps('staging-buffers.ring.stepMs')
const torchPageableStep = torchSteps('staging-buffers.pageable.stepMs')
const torchPinnedAnewStep = torchSteps('staging-buffers.pinned-anew.stepMs')

const step = metric('step-ms')
const stall = metric('stall-ms')

/** The parts of a batch are pinning, filling, sending and unpinning. */
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
  torchThreads: torch('threads'),
  torchOneThread: torchSteps('overlapped-uploads.upload-alone.stepMs'),
  torchRingAt64MiB: torch('points[mib=64].ringMs'),
  torchPageableAt64MiB: torch('points[mib=64].pageableMs'),
  torchPinnedAt64MiB: torch('points[mib=64].pinnedMs'),
  torchRingAt1MiB: torch('points[mib=1].ringMs'),
  torchPageableAt1MiB: torch('points[mib=1].pageableMs'),
  torchFillAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].fillMs')),
  torchPinnedAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].pinnedMs')),
  torchPinAnewAt64MiB: torch('points[mib=64].pinAnewMs'),
  torchPinAt64MiB: torch('points[mib=64].allocMs'),
  torchUnpinAt64MiB: torch('points[mib=64].freeMs'),
  torchLoader0Pageable: torch('loader.pageable0Ms').as('ms'),
  torchLoader0Pinned: torch('loader.pinned0Ms').as('ms'),
  torchLoader4Pinned: torch('loader.pinned4Ms').as('ms'),
  workersHandOverSlowly: all(
    torch('loader.pinned0Ms').below(torch('loader.pageable0Ms')),
    torch('loader.pageable0Ms').below(torch('loader.pinned4Ms')),
  ),
  torchPinMemoryAt64MiB: torch('points[mib=64].pinMemoryMs'),
  torchPinMemoryCachedBelowFirst: torch('pinMemory.cachedMs').below(torch('pinMemory.firstMs')),
  torchPinMemoryFirst: torch('pinMemory.firstMs'),
  torchPinMemoryCached: torch('pinMemory.cachedMs'),
  torchLateLoader: torch('late.makeMs').as('ms'),
  torchLateFactor: torch('late.pageableMs').over(torch('late.ringMs')).as('times'),
  torchRingFactor: torch('points[mib=64].pageableMs').over(torch('points[mib=64].ringMs')).as('times'),
  torchLateRingBelowPageable: torch('late.ringMs').below(torch('late.pageableMs')),
  ...named({ step }, 'write-buffer', 'ring-2', 'ring-4'),
  stepWriteBufferBelowRing2: step('write-buffer').below(step('ring-2')),
  stepRing2BelowWriteBuffer: step('ring-2').below(step('write-buffer')),
  stepRing2LikeWriteBuffer: step('ring-2').overlaps(step('write-buffer')),
  fourBuffersBeatTwo: all(step('ring-4').below(step('ring-2')), stall('ring-4').below(stall('ring-2'))),
  stepRing2BelowRing4: step('ring-2').below(step('ring-4')),
  ...named({ stall }, 'reused', 'ring-2', 'ring-4'),
  stallRing2BelowReused: stall('ring-2').below(stall('reused')),
  torchRingStepBelowPageableStep: torchRingStep.below(torchPageableStep),
  pinnedAnewIsAsQuick: torchPinnedAnewStep.over(torchRingStep).lessThan(1.1),
  torchPinnedAnewStep,
  torchRingStep,
  torchPageableStep,
})
