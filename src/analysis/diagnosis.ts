/**
 * What is wrong with a device's time, most costly first: of any trace, by what it shows and nothing else. Idle time is split by reason
 * (idle-reasons.ts), the rest by what ran alone (device-time.ts): each moment of the device's extent, first begin to last end, counts
 * once, so shares add up to 1 at most. What comes before the first work and after the last is no fault. Times in µs, as in devices.ts.
 */
import { isOfRanks } from '../trace/collectives'
import type { PlacedTrace } from '../trace/place'
import { spanKindIndex } from '../trace/schema'
import type { DeviceSummary } from './devices'
import { deviceTime, DeviceWork, type AloneTime, type DeviceTime, type WorkKind } from './device-time'
import { evidenceOf, FAULT_WORDS, verdictWords } from './diagnosis-words'
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
import { HostStacks } from './host-stacks'
import { IndexedSet } from './intervals'
import { IdleReasons, type ReasonedGap } from './idle-reasons'
import { sortedMedian } from './sorted-median'
import { SourceTally } from './source-tally'

/** A diagnosis for each device, in their order. `devices`: of the same trace (devices.ts). */
export function diagnose(placed: PlacedTrace, devices: readonly DeviceSummary[]): readonly Diagnosis[] {
  if (devices.length === 0) return []
  const { trace } = placed
  if (trace.info.experiment !== '') return devices.map((device) => ofLabRun(device))
  const work = new DeviceWork(placed)
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
  const stacks = new HostStacks(placed)
  const reasons = new IdleReasons(placed, stacks, work)
  return devices.map((device) =>
    new DeviceDiagnosis(
      placed,
      device,
      { work: spansOf.get(device.id) ?? [], waits: waitsOf.get(device.id) ?? [] },
      { work, stacks, reasons },
    ).result(),
  )
}

const WAIT = spanKindIndex('collective-wait')

/** Of the gaps of one reason, how many are looked up in the thread's calls: what most of these were in, most of all were in. */
const MOST_LOOKS = 2000

interface Asked {
  readonly work: DeviceWork
  readonly stacks: HostStacks
  readonly reasons: IdleReasons
}

/** What adds up to one finding. */
class Tally {
  lengthsUs: number[] = []
  us = 0
  idleUs = 0
  longestUs = 0
  longest: Example | null = null
  readonly waits = new Map<string, number>()
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
  readonly #asked: Asked
  readonly #time: DeviceTime
  readonly #tallies = new Map<IdleReason, Tally>()
  readonly #sources = new Map<Fault, SourceTally>()

  constructor(
    placed: PlacedTrace,
    device: DeviceSummary,
    { work, waits }: { readonly work: readonly number[]; readonly waits: readonly number[] },
    asked: Asked,
  ) {
    this.#placed = placed
    this.#device = device
    this.#spans = work
    this.#waits = waits
    this.#asked = asked
    this.#time = deviceTime(placed, asked.work, work, waits, device.busyUs * 1e3)
  }

  result(): Diagnosis {
    this.#addGaps()
    this.#addAlone()
    const { spanUs, busyRatio, id } = this.#device
    const idleUs = this.#idleUs
    const found = FAULTS.map((fault) => this.#finding(fault))
      .filter((finding) => finding !== null)
      .sort((a, b) => b.us - a.us)
    const named = found.filter(({ share }) => share >= NAMED_SHARE)
    const together = found.reduce((sum, { share }) => sum + share, 0)
    const minor = found.filter(({ share }) => share >= MINOR_SHARE)
    const isScattered = named.length === 0 && together >= SCATTERED_SHARE
    const findings = isScattered ? minor : named
    const excused = EXCUSES.flatMap((excuse) => this.#excused(excuse))
    const verdict = this.#verdict(findings, excused)
    const { collectives, copies, waits, workNs } = this.#time
    return {
      device: id,
      verdict,
      ...verdictWords({ verdict, findings, excused, isScattered, idleUs, device: this.#device, minor }),
      busyRatio,
      spanUs,
      parts: {
        workUs: workNs / 1e3,
        copyUs: copies.ns / 1e3,
        waitUs: waits.ns / 1e3,
        collectiveUs: collectives.ns / 1e3,
        idleUs,
      },
      findings,
      minor: isScattered ? [] : minor.filter((finding) => !named.includes(finding)),
      excused,
    }
  }

  get #idleUs(): number {
    return this.#device.spanUs - this.#device.busyUs
  }

  #verdict(findings: readonly Finding[], excused: Diagnosis['excused']): VerdictKind {
    if (this.#device.busyRatio === null) return 'no-work'
    if (findings.length > 0) return 'faults'
    const shareOf = (...which: readonly Excuse[]) =>
      excused.filter(({ excuse }) => which.includes(excuse)).reduce((sum, { share }) => sum + share, 0)
    if (shareOf('unknown') >= NAMED_SHARE) return 'unexplained'
    return shareOf('profiler', 'first-step', 'between-kernels') >= SCATTERED_SHARE ? 'excused' : 'well-fed'
  }

  #tally(reason: IdleReason): Tally {
    let tally = this.#tallies.get(reason)
    if (!tally) this.#tallies.set(reason, (tally = new Tally()))
    return tally
  }

  #source(fault: Fault): SourceTally {
    let source = this.#sources.get(fault)
    if (!source) this.#sources.set(fault, (source = new SourceTally(this.#placed, this.#asked.stacks)))
    return source
  }

  #addGaps(): void {
    const { gaps } = this.#device
    const reasoned = this.#asked.reasons.of(gaps, this.#spans)
    for (let index = 0; index < reasoned.length; index += 1) {
      const [gap, found] = [gaps[index], reasoned[index]]
      if (!gap || !found) break
      const us = gap.durationNs / 1e3
      const tally = this.#tally(found.reason)
      tally.idleUs += us
      if (found.follows) tally.follow(us)
      else tally.add(us, us, 'gap', index)
    }
    for (let index = 0; index < reasoned.length; index += 1) {
      const [gap, found] = [gaps[index], reasoned[index]]
      if (!gap || !found) break
      const tally = this.#tally(found.reason)
      const gapCount = tally.lengthsUs.length + tally.following.count
      if (tally.looks % Math.ceil(gapCount / MOST_LOOKS) === 0) this.#look(found, gap.durationNs / 1e3, tally)
      tally.looks += 1
    }
  }

  /** Where the reader's program was. */
  #look({ reason, at, wait }: ReasonedGap, us: number, tally: Tally): void {
    if (wait >= 0) {
      const operator = this.#asked.reasons.operatorOf(wait)
      const words = `${this.#nameOf(wait)}()${operator === '' ? '' : ` under ${operator}`}`
      tally.waits.set(words, (tally.waits.get(words) ?? 0) + us)
    }
    if (!at || !isFault(reason)) return
    if ('span' in at) this.#source(reason).add(at.span, us)
    else this.#source(reason).addMoments(at.lane, at.timesNs, us)
  }

  #addAlone(): void {
    const { pageable, lone, collectives, waits } = this.#time
    const ofKind = (kind: WorkKind) => this.#spans.filter((span) => this.#asked.work.kindOf(span) === kind)
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
      const call = this.#asked.reasons.callOf(span)
      if (call >= 0) this.#source(fault).add(call, aloneUs)
    }
  }

  #finding(fault: Fault): Finding | null {
    const tally = this.#tallies.get(fault)
    if (!tally?.longest || tally.us <= 0) return null
    const { spanUs, copies } = this.#device
    const share = tally.us / spanUs
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
    const source = this.#sources.get(fault)
    const { title, sentence, mend } = FAULT_WORDS[fault]
    return {
      ...facts,
      example: tally.longest,
      title,
      sentence: sentence(share),
      evidence: evidenceOf(facts, {
        wait: most(tally.waits),
        following: tally.following,
        activity: source?.activity() ?? null,
        pace: fault === 'small-kernels' ? this.#asked.reasons.paceOf(this.#spans) : null,
        copies,
      }),
      mend,
      source: source?.line() ?? null,
    }
  }

  #excused(excuse: Excuse): Diagnosis['excused'] {
    const us = this.#tallies.get(excuse)?.us ?? 0
    return us > 0 ? [{ excuse, us, share: us / this.#device.spanUs }] : []
  }

  #nameOf(span: number): string {
    const { spans, strings } = this.#placed.trace
    return strings[spans.name[span] ?? -1] ?? ''
  }
}

const isFault = (reason: IdleReason): reason is Fault => (FAULTS as readonly string[]).includes(reason)

/** The key of the largest value. */
function most(of: ReadonlyMap<string, number>): string | null {
  let [found, largest]: [string | null, number] = [null, -Infinity]
  for (const [key, value] of of) if (value > largest) [found, largest] = [key, value]
  return found
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
    parts: { workUs: busyUs, copyUs: 0, waitUs: 0, collectiveUs: 0, idleUs: spanUs - busyUs },
    findings: [],
    minor: [],
    excused: [],
  }
}
