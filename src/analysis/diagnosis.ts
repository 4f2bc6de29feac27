/**
 * Diagnoses a device's time. A profile or page that can be replayed shows what a step would gain
 * without each cause (replay/); other traces show which share of the time each cause takes
 * (share-findings.ts). Time that is not recorded is in no share, and if it is more than a little
 * the sentence begins with it. Times in µs, as in devices.ts.
 */
import type { PlacedTrace } from '../trace/place'
import { RECORDED_PAGE, spanKindIndex } from '../trace/schema'
import { isPartial } from './coverage'
import { isWithin, knownUs, reasonsOf, summariseDevices, type DeviceSummary } from './devices'
import { deviceTime } from './device-time'
import { total, union } from './intervals'
import { SpanNames } from './replay/span-names'
import type { DeviceReplay } from './replay/device-replay'
import { FLOAT32 } from './replay/without'
import { isFloat32Matmul, isFloat32Product, tensorTypes } from './tables/peaks'
import { deviceName } from './tables/walk'
import { verdictWords, type Lost } from './diagnosis-words'
import { ONE_RANK, slowdownText, THREADS } from './finding-words'
import {
  EXCUSES,
  MINOR_SHARE,
  NAMED_GAIN,
  NAMED_PAGE_GAIN,
  NAMED_SHARE,
  EXCUSED_SHARE,
  type Diagnosis,
  type Excuse,
  type Finding,
  type Float32Facts,
  type VerdictKind,
} from './findings'
import type { IdleReasons } from './idle-reasons'
import { gainOf, pageGains, profileFindings, stepFacts } from './device-findings'
import { pagePace } from './page-words'
import { shareFindings } from './share-findings'

/**
 * Each device of a trace with what is wrong with its time.
 * @param stepMs a step without the profiler; null: as the file says
 */
export function analyse(placed: PlacedTrace, stepMs: number | null = null) {
  const reasons = reasonsOf(placed, stepMs)
  const devices = summariseDevices(placed, reasons)
  return { placed, reasons, devices, diagnoses: diagnose(placed, devices, reasons) }
}

/**
 * A diagnosis for each device, in their order. `devices`: of the same trace, and `reasons`
 * (devices.ts).
 */
export function diagnose(
  placed: PlacedTrace,
  devices: readonly DeviceSummary[],
  reasons: IdleReasons | null,
): readonly Diagnosis[] {
  if (!reasons) return devices.map(ofLabRun)
  const { spans, lanes } = placed.trace
  const ownOf = new Map(devices.map(({ id }): [string, number[]] => [id, []]))
  const listOfLane = lanes.map(({ kind, group }) => (kind === 'device' ? ownOf.get(group) : undefined))
  for (let span = 0; span < spans.length; span += 1) listOfLane[spans.lane[span] ?? -1]?.push(span)
  let isAdvised = false
  return devices.map((device) => {
    const found = diagnoseDevice(placed, device, ownOf.get(device.id) ?? [], reasons, isAdvised)
    isAdvised ||= found.float32 !== null
    return found
  })
}

const WAIT = spanKindIndex('collective-wait')
/**
 * Where nothing is replayed, a device that works for a smaller part of what its host does tells
 * little.
 */
const LEAST_EXTENT = 0.5

/** @param own the device's spans */
function diagnoseDevice(
  placed: PlacedTrace,
  device: DeviceSummary,
  own: readonly number[],
  reasons: IdleReasons,
  isAdvised: boolean,
): Diagnosis {
  const { trace } = placed
  const work = own.filter((span) => reasons.work.kindOf(span) !== null)
  const waits = own.filter((span) => trace.spans.kind[span] === WAIT)
  const time = deviceTime(placed, reasons, work, waits, device.busyUs * 1e3)
  const { spanUs, busyRatio, id, coverage, unrecordedUs } = device
  const recordedUs = knownUs(device) - time.unsureNs / 1e3
  const idleUs = knownUs(device) - device.busyUs
  const isPage = trace.info.experiment === RECORDED_PAGE

  const replayed = reasons.replayOf(id)
  const isReplayed = typeof replayed !== 'string'
  const found = reasons.isCut
    ? []
    : !isReplayed
      ? shareFindings({ placed, device, reasons, work, waits, time, recordedUs, isPage })
      : isPage
        ? pageGains(placed, replayed, device.gaps)
        : profileFindings(placed, reasons.stacks, replayed, device.gaps)
  const steps = isReplayed
    ? stepFacts(replayed, reasons.unprofiledUs, isPage ? 'page' : recordedBy(placed))
    : null
  const leastGain = isPage ? NAMED_PAGE_GAIN : NAMED_GAIN
  // A smaller share of a page is no cause, though a frame may just miss the display for it.
  const isNamed = ({ without, together, share }: Finding) =>
    together !== null ||
    (without ? without.gain >= leastGain && (!isPage || share >= NAMED_SHARE) : share >= NAMED_SHARE)
  const findings = found.filter(isNamed)
  const minor = found.filter(({ share }) => share >= MINOR_SHARE)
  const excused = EXCUSES.flatMap((excuse) => {
    const us = device.totals[excuse]?.us ?? 0
    return us > 0 ? [{ excuse, us, share: us / recordedUs }] : []
  })
  const lost = lostOf(device, reasons, recordedUs)
  const types = tensorTypes(deviceName(trace))
  const shareOf = (isSuch: (kernel: string) => boolean) =>
    types.length > 0 ? usOf(placed, work, isSuch) / recordedUs : 0
  const float32 = float32Facts(
    { all: shareOf(isFloat32Product), matmuls: shareOf(isFloat32Matmul) },
    isReplayed ? replayed : null,
    findings,
  )
  const isShort = !isReplayed && !isPage && spanUs < LEAST_EXTENT * hostExtentUs(placed)
  const verdict =
    reasons.isCut && busyRatio !== null
      ? 'partial'
      : verdictOf(
          device,
          findings,
          excused,
          lost !== null || isShort,
          isReplayed && !isPage ? paceOf(replayed) : null,
        )
  return {
    device: id,
    verdict,
    ...verdictWords({
      verdict,
      findings,
      excused,
      idleShare: recordedUs > 0 ? idleUs / recordedUs : 0,
      device,
      minor,
      lost,
      pace: isPage ? pagePace(trace) : null,
      isCut: reasons.isCut,
      queuedShare: queuedShareOf(device, reasons, placed),
      steps,
      float32,
      tensorTypes: types,
      isAdvised,
      problem: !isReplayed
        ? replayed
        : isPage || !steps
          ? ''
          : [
              ...(replayed.isOneRank ? [ONE_RANK] : []),
              ...(replayed.read.program.threads > 1 ? [THREADS] : []),
              slowdownText(steps, replayed.replay.recordedNs / 1e3),
            ]
              .filter(Boolean)
              .join(' '),
    }),
    busyRatio,
    spanUs,
    recordedUs,
    coverage,
    parts: {
      workUs: time.workNs / 1e3,
      copyUs: time.copies.ns / 1e3,
      waitUs: time.waits.ns / 1e3,
      collectiveUs: time.collectives.ns / 1e3,
      idleUs,
      unrecordedUs: unrecordedUs + time.unsureNs / 1e3,
    },
    steps,
    float32,
    findings,
    minor: minor.filter((finding) => !findings.includes(finding)),
    excused,
  }
}

/**
 * From this share on, float32 is named; from the larger one on it comes first, if nobody knows what
 * TF32 gains.
 */
const LEAST_FLOAT32 = { named: 0.25, first: 0.5 }

/** @param share of products in the recorded time; `device`: null where nothing was replayed */
function float32Facts(
  share: { readonly all: number; readonly matmuls: number },
  device: DeviceReplay | null,
  findings: readonly Finding[],
): Float32Facts | null {
  if (share.all < LEAST_FLOAT32.named) return null
  // What convolutions would gain in another type is not known.
  const areMatmuls = share.matmuls >= LEAST_FLOAT32.named
  const without = areMatmuls && device?.replay.occurs([FLOAT32]) ? gainOf(device, [FLOAT32]) : null
  if (without && without.gain < NAMED_GAIN) return null
  const nowUs = (device?.replay.replayedNs ?? 0) / 1e3
  const isUnsure = device !== null && (findings[0]?.without?.high ?? 0) >= nowUs
  const isSure = without ? without.high < nowUs : share.all > LEAST_FLOAT32.first
  return {
    share: without ? share.matmuls : share.all,
    without,
    isFirst: isSure && (isUnsure || (without !== null && findings.length === 0)),
  }
}

/** µs in which kernels of such names run. */
function usOf(placed: PlacedTrace, work: readonly number[], isSuch: (kernel: string) => boolean): number {
  const { trace, startNs, endNs } = placed
  const kernels = work.filter(new SpanNames(trace).asked(isSuch))
  return total(union(kernels.map((at) => ({ start: startNs[at] ?? 0, end: endNs[at] ?? 0 })))) / 1e3
}

/** From the first span of the host to the last. */
/** PyTorch's operators have names such as 'aten::mm'. */
const recordedBy = ({ trace }: PlacedTrace) =>
  trace.strings.some((text) => text.startsWith('aten::')) ? 'PyTorch' : 'other'

function hostExtentUs({ trace, lanes, startNs, endNs }: PlacedTrace): number {
  let [first, last] = [Infinity, 0]
  for (const { lane, span, length } of lanes) {
    if (trace.lanes[lane]?.kind !== 'host') continue
    for (let at = 0; at < length; at += 1) {
      first = Math.min(first, startNs[span[at] ?? -1] ?? Infinity)
      last = Math.max(last, endNs[span[at] ?? -1] ?? 0)
    }
  }
  return Math.max(0, last - first) / 1e3
}

/** The part of the unexplained idle time in which work had been submitted. */
function queuedShareOf({ gaps }: DeviceSummary, reasons: IdleReasons, { startNs }: PlacedTrace): number {
  let [queuedNs, allNs] = [0, 0]
  for (const { cause, durationNs, after, startNs: beganNs } of gaps) {
    if (cause !== 'unknown') continue
    allNs += durationNs
    if ((startNs[reasons.callOf(after)] ?? Infinity) <= beganNs) queuedNs += durationNs
  }
  return allNs > 0 ? queuedNs / allNs : 0
}

/** Null: what has no record is too little for a word in the sentence. */
function lostOf(
  { coverage, spanUs, gaps }: DeviceSummary,
  { records }: IdleReasons,
  recordedUs: number,
): Lost | null {
  const besideUs = gaps.reduce((sum, gap) => (isWithin(gap) ? sum : sum + gap.durationNs / 1e3), 0)
  const wholeUs = spanUs + besideUs
  const unknownShare = wholeUs > 0 ? (wholeUs - recordedUs) / wholeUs : 0
  const said = coverage ?? records.coverage
  return said && isPartial(said, unknownShare)
    ? { coverage: said, isOfFile: coverage === null, unknownShare }
    : null
}

/** How much longer a step took in the file than the one that is told. */
const paceOf = ({ replay }: DeviceReplay): number => replay.recordedNs / replay.replayedNs
/**
 * A device that no change helps is at work for as much of its time, or something that the replay
 * does not see holds it: 0.92 and more in 38 profiles that nothing holds up, 0.03 to
 * 0.08 where threads wait for each other.
 */
const LEAST_FED = 0.8

/**
 * @param pace of a step in the file, over the one that is told; null: nothing was replayed, or a
 *   page
 */
function verdictOf(
  { busyRatio }: DeviceSummary,
  findings: readonly Finding[],
  excused: Diagnosis['excused'],
  isPartial: boolean,
  pace: number | null,
): VerdictKind {
  if (busyRatio === null) return 'no-work'
  if (findings.length > 0) return 'faults'
  const shareOf = (...which: readonly Excuse[]) =>
    excused.filter(({ excuse }) => which.includes(excuse)).reduce((sum, { share }) => sum + share, 0)
  const isOnce = shareOf('profiler', 'first-step') > shareOf('unknown')
  if (shareOf('unknown') >= NAMED_SHARE && !isOnce) return 'unexplained'
  if (shareOf('profiler', 'first-step', 'between-kernels', 'between-frames') >= EXCUSED_SHARE)
    return 'excused'
  if (isPartial) return 'partial'
  if (pace === null) return 'well-fed'
  const all = excused.reduce((sum, { share }) => sum + share, busyRatio * pace)
  return all < LEAST_FED ? 'unexplained' : 'well-fed'
}

function ofLabRun({ id, busyRatio, busyUs, spanUs }: DeviceSummary): Diagnosis {
  return {
    device: id,
    verdict: 'lab-run',
    sentence:
      'A run of this lab: its variants are measured one after the other, so no one verdict is true of all of it.',
    note: 'The page of the experiment has a verdict for each. Below are the sums over the whole recording, with warm-up and probes.',
    busyRatio,
    spanUs,
    recordedUs: spanUs,
    coverage: null,
    parts: {
      workUs: busyUs,
      copyUs: 0,
      waitUs: 0,
      collectiveUs: 0,
      idleUs: spanUs - busyUs,
      unrecordedUs: 0,
    },
    steps: null,
    float32: null,
    findings: [],
    minor: [],
    excused: [],
  }
}
