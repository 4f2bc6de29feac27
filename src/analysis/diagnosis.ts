/**
 * Diagnoses a device's time. A profile that can be replayed shows what a step would gain without
 * each cause (replay/). Other traces show idle time by reason (idle-reasons.ts) and what ran alone
 * (device-time.ts); there, each moment of the device's extent counts once. Time that is not
 * recorded is in no share, and if it is more than a little the sentence begins with it. Times in
 * µs, as in devices.ts.
 */
import type { PlacedTrace } from '../trace/place'
import { RECORDED_PAGE, spanKindIndex } from '../trace/schema'
import { isPartial } from './coverage'
import { isWithin, knownUs, reasonsOf, type DeviceSummary } from './devices'
import { deviceTime, type AloneTime, type DeviceTime, type WorkKind } from './device-time'
import { CAUSE_WORDS, ONE_RANK, evidenceOf, slowdownText, verdictWords, type Lost } from './diagnosis-words'
import {
  EXCUSES,
  MINOR_SHARE,
  NAMED_GAIN,
  NAMED_PAGE_GAIN,
  NAMED_SHARE,
  SCATTERED_SHARE,
  type Diagnosis,
  type Excuse,
  type Example,
  type Finding,
  type IdleReason,
  type VerdictKind,
} from './findings'
import { IndexedSet } from './intervals'
import { HostLook } from './host-look'
import type { IdleReasons } from './idle-reasons'
import { pageGains } from './page-gains'
import { pagePace } from './page-words'
import { profileFindings, stepFacts } from './profile-findings'
import { CAUSES, type Cause } from './replay/causes'
import { percentText } from '../base/figures'
import { median } from '../base/stats'

/** A diagnosis for each device, in their order. `devices`: of the same trace, and `reasons` (devices.ts). */
export function diagnose(
  placed: PlacedTrace,
  devices: readonly DeviceSummary[],
  reasons: IdleReasons | null = reasonsOf(placed),
): readonly Diagnosis[] {
  if (devices.length === 0) return []
  const { trace } = placed
  if (reasons === null) return devices.map((device) => ofLabRun(device))
  const { work } = reasons
  const spansOf = new Map<string, number[]>(devices.map(({ id }) => [id, []]))
  const listOfLane = trace.lanes.map(({ kind, group }) =>
    kind === 'device' ? spansOf.get(group) : undefined,
  )
  const waitsOf = new Map<string, number[]>(devices.map(({ id }) => [id, []]))
  const waitsOfLane = trace.lanes.map(({ kind, group }) =>
    kind === 'device' ? waitsOf.get(group) : undefined,
  )
  for (let span = 0; span < trace.spans.length; span += 1) {
    if (work.kindOf(span)) listOfLane[trace.spans.lane[span] ?? -1]?.push(span)
    if (trace.spans.kind[span] !== WAIT) continue
    waitsOfLane[trace.spans.lane[span] ?? -1]?.push(span)
  }
  return devices.map((device) =>
    new DeviceDiagnosis(
      placed,
      device,
      { work: spansOf.get(device.id) ?? [], waits: waitsOf.get(device.id) ?? [] },
      reasons,
    ).result(),
  )
}

const WAIT = spanKindIndex('collective-wait')

/**
 * At most this number of gaps of one reason is looked up in the thread's calls: they stand for all
 * of them.
 */
const MOST_LOOKS = 2000

/** Adds up one finding. */
class Tally {
  lengthsUs: number[] = []
  us = 0
  idleUs = 0
  longestUs = 0
  longest: Example | null = null
  /** Gaps that were counted on the way to those that are looked at. */
  looks = 0

  /** One gap, copy or collective: `us` of what it costs. */
  add(us: number, lengthUs: number, type: Example['type'], index: number): void {
    this.us += us
    this.lengthsUs.push(lengthUs)
    if (this.longest && lengthUs <= this.longestUs) return
    this.longestUs = lengthUs
    this.longest = type === 'gap' ? { type, gap: index } : { type, span: index }
  }

  /** The next counts are of another kind; the sums stay. */
  restart(): void {
    this.lengthsUs = []
    this.longestUs = 0
    this.longest = null
  }
}

class DeviceDiagnosis {
  readonly #placed: PlacedTrace
  readonly #device: DeviceSummary
  readonly #spans: readonly number[]
  readonly #waits: readonly number[]
  readonly #reasons: IdleReasons
  readonly #time: DeviceTime
  readonly #tallies = new Map<Cause | IdleReason, Tally>()
  readonly #looks = new Map<Cause | IdleReason, HostLook>()

  constructor(
    placed: PlacedTrace,
    device: DeviceSummary,
    { work, waits }: { readonly work: readonly number[]; readonly waits: readonly number[] },
    reasons: IdleReasons,
  ) {
    this.#placed = placed
    this.#device = device
    this.#spans = work
    this.#waits = waits
    this.#reasons = reasons
    this.#time = deviceTime(placed, reasons, work, waits, device.busyUs * 1e3)
  }

  result(): Diagnosis {
    this.#addGaps()
    this.#addAlone()
    const { spanUs, busyRatio, id, coverage } = this.#device
    const [idleUs, recordedUs] = [this.#idleUs, this.#recordedUs]
    const replayed = this.#reasons.replayOf(id)
    const isReplayed = typeof replayed !== 'string'
    const found = isReplayed
      ? this.#isPage
        ? pageGains(this.#placed, replayed, this.#device.gaps)
        : profileFindings(this.#placed, this.#reasons.stacks, replayed, this.#device.gaps)
      : CAUSES.map((cause) => this.#finding(cause))
          .filter((finding) => finding !== null)
          .sort((a, b) => b.usPerStep - a.usPerStep)
    const steps = isReplayed ? stepFacts(replayed, this.#reasons.unprofiledUs) : null
    const leastGain = this.#isPage ? NAMED_PAGE_GAIN : NAMED_GAIN
    // A smaller share of a page is no cause, though a frame may just miss the display for it.
    const isNamed = ({ without, together, share }: Finding) =>
      together !== null ||
      (without ? without.gain >= leastGain && (!this.#isPage || share >= NAMED_SHARE) : share >= NAMED_SHARE)
    const named = found.filter(isNamed)
    const together = found.reduce((sum, { share }) => sum + share, 0)
    const minor = found.filter(({ share }) => share >= MINOR_SHARE)
    const isScattered = !isReplayed && named.length === 0 && together >= SCATTERED_SHARE
    const findings = isScattered ? minor : named
    const excused = EXCUSES.flatMap((excuse) => this.#excused(excuse))
    const lost = this.#lost()
    const verdict = this.#verdict(findings, excused, lost !== null)
    const { collectives, copies, waits, workNs, unsureNs } = this.#time
    return {
      device: id,
      verdict,
      ...verdictWords({
        verdict,
        findings,
        excused,
        isScattered,
        idleShare: recordedUs > 0 ? idleUs / recordedUs : 0,
        device: this.#device,
        minor,
        lost,
        pace: this.#isPage ? pagePace(this.#placed.trace) : null,
        queuedShare: this.#queuedShare,
        steps,
        problem: isReplayed
          ? this.#isPage
            ? ''
            : [
                ...(replayed.isOneRank ? [ONE_RANK] : []),
                slowdownText(this.#reasons.unprofiledUs, replayed.replay.recordedNs / 1e3),
              ]
                .filter(Boolean)
                .join(' ')
          : replayed,
      }),
      busyRatio,
      spanUs,
      recordedUs,
      coverage,
      parts: {
        workUs: workNs / 1e3,
        copyUs: copies.ns / 1e3,
        waitUs: waits.ns / 1e3,
        collectiveUs: collectives.ns / 1e3,
        idleUs,
        unrecordedUs: this.#device.unrecordedUs + unsureNs / 1e3,
      },
      steps,
      findings,
      minor: isScattered ? [] : minor.filter((finding) => !named.includes(finding)),
      excused,
    }
  }

  get #isPage(): boolean {
    return this.#placed.trace.info.experiment === RECORDED_PAGE
  }

  get #queuedShare(): number {
    const { gaps, reasoned } = this.#device
    let [queuedNs, allNs] = [0, 0]
    for (const [index, { cause, durationNs }] of gaps.entries()) {
      if (cause !== 'unknown') continue
      allNs += durationNs
      if ((reasoned[index]?.at ?? -1) >= 0) queuedNs += durationNs
    }
    return allNs > 0 ? queuedNs / allNs : 0
  }

  get #idleUs(): number {
    return knownUs(this.#device) - this.#device.busyUs
  }

  get #recordedUs(): number {
    return knownUs(this.#device) - this.#time.unsureNs / 1e3
  }

  /** Null: what has no record is too little for a word in the sentence. */
  #lost(): Lost | null {
    const { coverage, spanUs, gaps } = this.#device
    const besideUs = gaps.reduce((sum, gap) => (isWithin(gap) ? sum : sum + gap.durationNs / 1e3), 0)
    const wholeUs = spanUs + besideUs
    const unknownShare = wholeUs > 0 ? (wholeUs - this.#recordedUs) / wholeUs : 0
    const said = coverage ?? this.#reasons.records.coverage
    return said && isPartial(said, unknownShare)
      ? { coverage: said, isOfFile: coverage === null, unknownShare }
      : null
  }

  #verdict(findings: readonly Finding[], excused: Diagnosis['excused'], isPartial: boolean): VerdictKind {
    if (this.#device.busyRatio === null) return 'no-work'
    if (findings.length > 0) return 'faults'
    const shareOf = (...which: readonly Excuse[]) =>
      excused.filter(({ excuse }) => which.includes(excuse)).reduce((sum, { share }) => sum + share, 0)
    if (shareOf('unknown') >= NAMED_SHARE) return 'unexplained'
    if (shareOf('profiler', 'first-step', 'between-kernels', 'between-frames') >= SCATTERED_SHARE)
      return 'excused'
    return isPartial ? 'partial' : 'well-fed'
  }

  #tally(reason: Cause | IdleReason): Tally {
    let tally = this.#tallies.get(reason)
    if (!tally) this.#tallies.set(reason, (tally = new Tally()))
    return tally
  }

  #look(of: Cause | IdleReason): HostLook {
    let look = this.#looks.get(of)
    if (!look) this.#looks.set(of, (look = new HostLook(this.#placed, this.#reasons)))
    return look
  }

  #addGaps(): void {
    const { gaps, reasoned } = this.#device
    for (const [index, gap] of gaps.entries()) {
      const us = gap.durationNs / 1e3
      const tally = this.#tally(gap.cause as IdleReason) // of a profile
      tally.idleUs += us
      tally.add(us, us, 'gap', index)
    }
    for (const [index, gap] of gaps.entries()) {
      const found = reasoned[index]
      if (!found) break
      const tally = this.#tally(found.cause)
      const gapCount = tally.lengthsUs.length
      if (tally.looks % Math.ceil(gapCount / MOST_LOOKS) === 0) this.#look(found.cause).add(found, gap)
      tally.looks += 1
    }
  }

  #addAlone(): void {
    const { pageable, lone, collectives, waits } = this.#time
    const ofKind = (kind: WorkKind) => this.#spans.filter((span) => this.#reasons.work.kindOf(span) === kind)
    this.#addSpans('pageable-copies', ofKind('pageable-copy'), pageable)
    this.#addSpans('copies-in-line', ofKind('copy'), lone)
    this.#addSpans('late-rank', this.#waits, waits)
    this.#addSpans('collectives', ofKind('collective'), collectives)
  }

  /** Work that ran alone for some of its time: by that time. */
  #addSpans(cause: Cause, spans: readonly number[], { alone, ns }: AloneTime): void {
    if (ns === 0) return
    const { start, end } = this.#placed.trace.spans
    const tally = this.#tally(cause)
    // The gaps round copies are part of what they cost; what is counted is copies.
    tally.restart()
    tally.us += ns / 1e3
    const set = IndexedSet.of(alone)
    for (const span of spans) {
      const aloneUs = set.totalWithin(start[span] ?? 0, end[span] ?? 0) / 1e3
      if (aloneUs <= 0) continue
      tally.add(0, aloneUs, 'span', span)
      const call = this.#reasons.callOf(span)
      if (call >= 0) this.#look(cause).source.add(call, aloneUs)
    }
  }

  #finding(cause: Cause): Finding | null {
    // Idle time of an unknown reason is an excuse and no finding.
    if (cause === 'unknown') return null
    const tally = this.#tallies.get(cause)
    if (!tally?.longest || tally.us <= 0) return null
    const share = tally.us / this.#recordedUs
    const look = this.#looks.get(cause)
    const { title, beside, mend, onPage } = CAUSE_WORDS[cause]
    const activity = look?.source.activity() ?? null
    const wait = look?.wait() ?? null
    return {
      cause,
      what: wait ?? activity ?? '',
      line: look?.source.line() ?? null,
      usPerStep: tally.us,
      share,
      without: null,
      together: null,
      example: tally.longest,
      title,
      sentence: `For ${percentText(share)} of the time the GPU was idle, or did nothing else, while ${beside}.`,
      evidence: evidenceOf(cause, {
        count: tally.lengthsUs.length,
        us: tally.us,
        medianUs: median(tally.lengthsUs),
        longestUs: tally.longestUs,
        idleShare: tally.idleUs > 0 && this.#idleUs > 0 ? tally.idleUs / this.#idleUs : null,
        wait,
        activity: this.#isPage && activity === '' ? null : activity,
        copies: this.#device.copies,
      }),
      mend: this.#isPage ? (onPage ?? mend) : mend,
    }
  }

  #excused(excuse: Excuse): Diagnosis['excused'] {
    const us = this.#tallies.get(excuse)?.us ?? 0
    return us > 0 ? [{ excuse, us, share: us / this.#recordedUs }] : []
  }
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
    findings: [],
    minor: [],
    excused: [],
  }
}
