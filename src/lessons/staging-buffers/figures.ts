/** Figures and conditions of the words beside it. */
import { all, defineFigures, measured, metric, recording } from '../../text/define-figures'

const torch = recording('torch-staging-buffers')
const deeper = recording('staging-buffers/deeper')
const torchRing = recording('torch-staging-buffers-ring')
const torchPageable = recording('torch-staging-buffers-pageable')
const torchPinnedAnew = recording('torch-staging-buffers-pinned-anew')

const write = metric('write-ms')
const submit = metric('submit-ms')
const endWait = metric('end-wait-ms')
const fill = metric('fill-ms')
const create = metric('create-ms')
const step = metric('step-ms')
const flight = metric('flight-ms')
const stall = metric('stall-ms')
const loader = metric('loader-ms')

export const figures = defineFigures({
  torchPageableOverRing: torch('points[mib=64].pageableMs').over(torch('points[mib=64].ringMs')),
  torchRingAt64MiB: torch('points[mib=64].ringMs'),
  torchPageableAt64MiB: torch('points[mib=64].pageableMs'),
  torchPinnedAt64MiB: torch('points[mib=64].pinnedMs'),
  hasWriteBufferParts: measured(write('write-buffer'), submit('write-buffer'), endWait('write-buffer')),
  writeWriteBuffer: write('write-buffer'),
  submitWriteBuffer: submit('write-buffer'),
  endWaitWriteBuffer: endWait('write-buffer'),
  fillMappedAtCreationLikeReused: fill('mapped-at-creation').overlaps(fill('reused')),
  fillMappedAtCreation: fill('mapped-at-creation'),
  fillReused: fill('reused'),
  createMappedAtCreation: create('mapped-at-creation'),
  fillReusedBelowMappedAtCreation: fill('reused').below(fill('mapped-at-creation')),
  fillMappedAtCreationBelowReused: fill('mapped-at-creation').below(fill('reused')),
  stepWriteBufferBelowRing2: step('write-buffer').below(step('ring-2')),
  stepWriteBuffer: step('write-buffer'),
  stepRing2: step('ring-2'),
  stepRing2BelowWriteBuffer: step('ring-2').below(step('write-buffer')),
  stepWriteBufferLikeRing2: step('write-buffer').overlaps(step('ring-2')),
  fillRing2BelowFlightRing2: fill('ring-2').below(flight('ring-2')),
  fillRing2: fill('ring-2'),
  flightRing2: flight('ring-2'),
  fourBuffersBeatTwo: all(step('ring-4').below(step('ring-2')), stall('ring-4').below(stall('ring-2'))),
  stallRing2: stall('ring-2'),
  stallRing4: stall('ring-4'),
  stepRing4: step('ring-4'),
  stepRing4BelowRing2: step('ring-4').below(step('ring-2')),
  stepRing4LikeRing2: step('ring-4').overlaps(step('ring-2')),
  stepRing2BelowRing4: step('ring-2').below(step('ring-4')),
  stepRing8LikeRing4: step('ring-8').overlaps(step('ring-4')),
  stepRing8: step('ring-8'),
  stepRing8BelowRing4: step('ring-8').below(step('ring-4')),
  stepRing4BelowRing8: step('ring-4').below(step('ring-8')),
  stepReusedLikeRing2: step('reused').overlaps(step('ring-2')),
  stepReused: step('reused'),
  stepRing2BelowReused: step('ring-2').below(step('reused')),
  stepReusedBelowRing2: step('reused').below(step('ring-2')),
  hasLoaderRing2AndStepRing2: measured(loader('ring-2'), step('ring-2')),
  loaderRing2: loader('ring-2'),
  torchThreads: torch('threads'),
  torchFillAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].fillMs')),
  torchPinnedAt64MiBRate: torch('points[mib=64].mib').over(torch('points[mib=64].pinnedMs')),
  pageableBelowPinning: torch('points[mib=64].pageableMs').below(torch('points[mib=64].pinningMs')),
  torchPinAnewAt64MiB: torch('points[mib=64].pinAnewMs'),
  torchPinningAt64MiB: torch('points[mib=64].pinningMs'),
  torchPinMemoryCachedBelowFirst: torch('pinMemory.cachedMs').below(torch('pinMemory.firstMs')),
  torchPinMemoryMib: torch('pinMemory.mib'),
  torchPinMemoryFirst: torch('pinMemory.firstMs'),
  torchPinMemoryCached: torch('pinMemory.cachedMs'),
  stepReusedBelowMappedAtCreation: step('reused').below(step('mapped-at-creation')),
  stepMappedAtCreation: step('mapped-at-creation'),
  torchManagedMib: torch('managed.mib'),
  torchManagedFirstTouch: torch('managed.firstTouchMs'),
  torchManagedSecondTouch: torch('managed.secondTouchMs'),
  torchManagedFaults: torch('managed.faultsMs'),
  torchManagedResident: torch('managed.residentMs'),
  torchManagedPrefetch: torch('managed.prefetchMs'),
  torchManagedPrefetched: torch('managed.prefetchedMs'),
  torchAllocatorFreeMiB: torch('allocator.freeMiB'),
  torchAllocatorReservedMiB: torch('allocator.reservedMiB'),
  torchAllocatorLargestFreeMiB: torch('allocator.largestFreeMiB'),
  torchAllocatorAskedMiB: torch('allocator.askedMiB'),
  creationCountsFillAlike: all(
    fill('mapped-at-creation').overlaps(fill('reused')),
    create('mapped-at-creation').over(step('mapped-at-creation')).atLeast(0.1),
  ),
  pinMemoryBelowPageable: torch('points[mib=64].pinMemoryMs').below(torch('points[mib=64].pageableMs')),
  torchPinMemoryAt64MiB: torch('points[mib=64].pinMemoryMs'),
  stallRing2BelowReused: stall('ring-2').below(stall('reused')),
  stallReused: stall('reused'),
  stallOverStepRing2AtLeast10Percent: stall('ring-2').over(step('ring-2')).atLeast(0.1),
  stallOverStepRing2: stall('ring-2').over(step('ring-2')),
  deeperRing4WaitsLess: deeper('stall-ms', 'ring-4').below(deeper('stall-ms', 'ring-2')),
  deeperStallRing2: deeper('stall-ms', 'ring-2'),
  deeperStallRing4: deeper('stall-ms', 'ring-4'),
  flightReusedBelowRing2: flight('reused').below(flight('ring-2')),
  flightReused: flight('reused'),
  torchRingStepBelowPageableStep: torchRing('step-ms').below(torchPageable('step-ms')),
  torchPageableCopyShare: torchPageable('copy-ratio'),
  pinnedAnewIsAsQuick: torchPinnedAnew('step-ms').over(torchRing('step-ms')).lessThan(1.1),
  torchPinnedAnewStep: torchPinnedAnew('step-ms'),
  torchRingStep: torchRing('step-ms'),
  torchPageableStep: torchPageable('step-ms'),
  torchRingCopyShareAtLeast5Percent: torchRing('copy-ratio').atLeast(0.05),
  torchRingCopyShare: torchRing('copy-ratio'),
})
