/** Figures and conditions of the words beside it. */
import { all, defineFigures, measured, metric, recording } from '../../text/define-figures'

const torch = recording('torch-staging-buffers')
const torchRing = recording('torch-staging-buffers-ring')
const torchPageable = recording('torch-staging-buffers-pageable')
const torchPinnedAnew = recording('torch-staging-buffers-pinned-anew')

const step = metric('step-ms')
const stall = metric('stall-ms')
const loader = metric('loader-ms')

export const figures = defineFigures({
  torchPageableOverRing: torch('points[mib=64].pageableMs').over(torch('points[mib=64].ringMs')),
  torchRingAt64MiB: torch('points[mib=64].ringMs'),
  torchPageableAt64MiB: torch('points[mib=64].pageableMs'),
  torchPinnedAt64MiB: torch('points[mib=64].pinnedMs'),
  torchRingAt1MiB: torch('points[mib=1].ringMs'),
  torchPageableAt1MiB: torch('points[mib=1].pageableMs'),
  torchFillAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].fillMs')),
  torchPinnedAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].pinnedMs')),
  torchPinAnewAt64MiB: torch('points[mib=64].pinAnewMs'),
  torchPinAnewOverPageable: torch('points[mib=64].pinAnewMs')
    .over(torch('points[mib=64].pageableMs'))
    .as('times'),
  torchPinMemoryAt64MiB: torch('points[mib=64].pinMemoryMs'),
  torchPinMemoryCachedBelowFirst: torch('pinMemory.cachedMs').below(torch('pinMemory.firstMs')),
  torchPinMemoryFirst: torch('pinMemory.firstMs'),
  torchPinMemoryCached: torch('pinMemory.cachedMs'),
  stepWriteBuffer: step('write-buffer'),
  stepRing2: step('ring-2'),
  stepRing4: step('ring-4'),
  stepWriteBufferBelowRing2: step('write-buffer').below(step('ring-2')),
  stepRing2BelowWriteBuffer: step('ring-2').below(step('write-buffer')),
  fourBuffersBeatTwo: all(step('ring-4').below(step('ring-2')), stall('ring-4').below(stall('ring-2'))),
  stepRing2BelowRing4: step('ring-2').below(step('ring-4')),
  stallReused: stall('reused'),
  stallRing2: stall('ring-2'),
  stallRing4: stall('ring-4'),
  stallRing2BelowReused: stall('ring-2').below(stall('reused')),
  hasLoaderRing2AndStepRing2: measured(loader('ring-2'), step('ring-2')),
  loaderRing2: loader('ring-2'),
  torchRingStepBelowPageableStep: torchRing('step-ms').below(torchPageable('step-ms')),
  torchPageableCopyShare: torchPageable('copy-ratio'),
  pinnedAnewIsAsQuick: torchPinnedAnew('step-ms').over(torchRing('step-ms')).lessThan(1.1),
  torchPinnedAnewStep: torchPinnedAnew('step-ms'),
  torchRingStep: torchRing('step-ms'),
  torchPageableStep: torchPageable('step-ms'),
})
