/**
 * What is wrong with a device's time, most costly first: of any trace, by what it shows and nothing else. Idle time is split by reason
 * (idle-reasons.ts), the rest by what ran alone (device-time.ts): each moment of the device's extent, first begin to last end, counts
 * once, so shares add up to 1 at most. What comes before the first work and after the last is no fault. What is not recorded is in no share,
 * and where it is more than a little the sentence begins with it. Times in µs, as in devices.ts.
 */
import { isOfRanks } from '../trace/collectives'
import type { PlacedTrace } from '../trace/place'
import { RECORDED_PAGE, spanKindIndex } from '../trace/schema'
import { isPartial } from './coverage'
import { isWithin, knownUs, reasonsOf, type DeviceSummary } from './devices'
import { deviceTime, type AloneTime, type DeviceTime, type WorkKind } from './device-time'
import { evidenceOf, FAULT_WORDS, verdictWords, type Lost } from './diagnosis-words'
import {
  EXCUSES,
  FAULTS,
  MINOR_SHARE,
  NAMED_SHARE,
  SCATTERED_SHARE,
  type Diagnosis,
  type Excuse,
  type Example,
  type Fault,
  type Finding,
  type IdleReason,
  type VerdictKind,
} from './faults'
import { IndexedSet } from './intervals'
import { HostLook } from './host-look'
import type { IdleReasons } from './idle-reasons'
import { sortedMedian } from './sorted-median'

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

/** Of the gaps of one reason, how many are looked up in the thread's calls: what most of these were in, most of all were in. */
const MOST_LOOKS = 2000

/** What adds up to one finding. */
class Tally {
  lengthsUs: number[] = []
  us = 0
  idleUs = 0
  longestUs = 0
  longest: Example | null = null
  readonly following = { count: 0, us: 0 }
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

  /** One gap that another of them left behind. */
  follow(us: number): void {
    this.us += us
    this.following.us += us
    this.following.count += 1
  }

  /** What is counted from now on is of another kind; the sums stay. */
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
  readonly #tallies = new Map<Fault | IdleReason, Tally>()
  readonly #looks = new Map<Fault | IdleReason, HostLook>()

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
    const found = FAULTS.map((fault) => this.#finding(fault))
      .filter((finding) => finding !== null)
      .sort((a, b) => b.us - a.us)
    const named = found.filter(({ share }) => share >= NAMED_SHARE)
    const together = found.reduce((sum, { share }) => sum + share, 0)
    const minor = found.filter(({ share }) => share >= MINOR_SHARE)
    const isScattered = named.length === 0 && together >= SCATTERED_SHARE
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
        isPage: this.#isPage,
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
      findings,
      minor: isScattered ? [] : minor.filter((finding) => !named.includes(finding)),
      excused,
    }
  }

  get #isPage(): boolean {
    return this.#placed.trace.info.experiment === RECORDED_PAGE
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

  #tally(reason: Fault | IdleReason): Tally {
    let tally = this.#tallies.get(reason)
    if (!tally) this.#tallies.set(reason, (tally = new Tally()))
    return tally
  }

  #look(of: Fault | IdleReason): HostLook {
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
      if (reasoned[index]?.how === 'over') tally.follow(us)
      else tally.add(us, us, 'gap', index)
    }
    for (const [index, gap] of gaps.entries()) {
      const found = reasoned[index]
      if (!found) break
      const tally = this.#tally(found.cause)
      const gapCount = tally.lengthsUs.length + tally.following.count
      if (tally.looks % Math.ceil(gapCount / MOST_LOOKS) === 0) this.#look(found.cause).add(found, gap)
      tally.looks += 1
    }
  }

  #addAlone(): void {
    const { pageable, lone, collectives, waits } = this.#time
    const ofKind = (kind: WorkKind) => this.#spans.filter((span) => this.#reasons.work.kindOf(span) === kind)
    this.#addSpans('pageable-copies', ofKind('pageable-copy'), pageable)
    this.#addSpans('lone-copies', ofKind('copy'), lone)
    this.#addSpans('rank-wait', this.#waits, waits)
    this.#addSpans(
      isOfRanks(this.#placed.trace) ? 'lone-collectives' : 'collectives',
      ofKind('collective'),
      collectives,
    )
  }

  /** Work that ran alone for some of its time: by that time. */
  #addSpans(fault: Fault, spans: readonly number[], { alone, ns }: AloneTime): void {
    if (ns === 0) return
    const { start, end } = this.#placed.trace.spans
    const tally = this.#tally(fault)
    // The gaps round copies are part of what they cost; what is counted is copies.
    tally.restart()
    tally.us += ns / 1e3
    const set = IndexedSet.of(alone)
    for (const span of spans) {
      const aloneUs = set.totalWithin(start[span] ?? 0, end[span] ?? 0) / 1e3
      if (aloneUs <= 0) continue
      tally.add(0, aloneUs, 'span', span)
      const call = this.#reasons.callOf(span)
      if (call >= 0) this.#look(fault).source.add(call, aloneUs)
    }
  }

  #finding(fault: Fault): Finding | null {
    const tally = this.#tallies.get(fault)
    if (!tally?.longest || tally.us <= 0) return null
    const share = tally.us / this.#recordedUs
    const idleShare = tally.idleUs > 0 && this.#idleUs > 0 ? tally.idleUs / this.#idleUs : null
    const facts = {
      fault,
      us: tally.us,
      share,
      idleShare,
      count: tally.lengthsUs.length,
      medianUs: sortedMedian(Float64Array.from(tally.lengthsUs).sort()),
      longestUs: tally.longestUs,
    }
    const look = this.#looks.get(fault)
    const { title, sentence, mend, onPage } = FAULT_WORDS[fault]
    const activity = look?.source.activity() ?? null
    return {
      ...facts,
      example: tally.longest,
      title,
      sentence: sentence(share),
      evidence: evidenceOf(facts, {
        wait: look?.wait() ?? null,
        following: tally.following,
        activity: this.#isPage && activity === '' ? null : activity,
        pace: fault === 'small-kernels' ? this.#reasons.paceOf(this.#spans) : null,
        copies: this.#device.copies,
      }),
      mend: this.#isPage ? (onPage ?? mend) : mend,
      source: look?.source.line() ?? null,
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
    findings: [],
    minor: [],
    excused: [],
  }
}
