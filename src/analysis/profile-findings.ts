/** The findings of a replayed profile: each cause with what its removal gains, most gain first, plainer of those that can't be told apart. */
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { CAUSE_WORDS } from './cause-words'
import { changeOf, gainText, isSlowed, leadOf, timesText, togetherText } from './finding-words'
import {
  MINOR_SHARE,
  NAMED_GAIN,
  type Example,
  type Finding,
  type Gain,
  type SourceLine,
  type StepFacts,
} from './findings'
import { pythonFrame, tensorMethod, type HostStacks } from './host-stacks'
import { CAUSES, type Cause } from './replay/causes'
import type { DeviceReplay } from './replay/device-replay'
import type { Stretch } from './replay/program'
import { SpanNames } from './replay/span-names'
import type { Removed } from './replay/without'

/**
 * At most this number of a cause's stretches is looked up: they stand for all of them.
 */
const MOST_LOOKS = 2000
/** A pair of changes must gain more than one change: among all pairs one reaches 1.02 by chance. */
const PAIR_GAIN = 1.05
/** From this share of a cause's time on, a function is what the cause consists of. */
const ALL_OF_IT = 0.95
/** From this share of a cause's time on, its longest function or operator is named. */
const NAMED_PART = 0.2
/** Functions of the reader's that get a row of their own. */
const MOST_FUNCTIONS = 3

export function stepFacts({ read, replay }: DeviceReplay, unprofiledUs: number | null): StepFacts {
  return {
    count: read.stepCount,
    medianUs: replay.medianNs / 1e3,
    replayedUs: replay.replayedNs / 1e3,
    from: read.steps.from,
    unprofiledUs,
  }
}

export function gainOf({ replay, isOneRank }: DeviceReplay, removed: readonly Removed[]): Gain {
  const { stepNs, lowNs, highNs } = replay.without(removed)
  const nowNs = replay.replayedNs
  const high = (isOneRank ? nowNs : highNs) / 1e3
  return { stepUs: stepNs / 1e3, low: lowNs / 1e3, high, gain: nowNs / stepNs }
}

/** @param gaps of the device, with the causes that the replay gave them */
export function profileFindings(
  placed: PlacedTrace,
  stacks: HostStacks,
  device: DeviceReplay,
  gaps: readonly Gap[],
): readonly Finding[] {
  const { replay, causes } = device
  const finder = new Finder(placed, stacks, device, gaps)
  const found = causes
    // Code that recurs without a name is listed as the program's own.
    .filter(
      (cause) =>
        cause !== 'unknown' || device.read.program.stretches.some((each) => each.cause === 'unknown'),
    )
    .map((cause) => finder.finding(cause))
  const nowUs = replay.replayedNs / 1e3
  const alone = found.filter(({ share }) => share >= MINOR_SHARE)
  if (alone.some(({ without }) => without && without.gain >= NAMED_GAIN)) return ranked(alone)
  const pair = together(device, found, nowUs)
  return pair.length > 0 ? pair : ranked(alone)
}

/** The two causes whose removal gains most together, where neither gains anything alone. */
function together(device: DeviceReplay, found: readonly Finding[], nowUs: number): readonly Finding[] {
  let best: { pair: readonly [Finding, Finding]; gain: Gain } | null = null
  for (const [index, a] of found.entries())
    for (const b of found.slice(index + 1)) {
      const gain = gainOf(device, [removal(a.cause), removal(b.cause)])
      if (gain.gain >= PAIR_GAIN && gain.gain > (best?.gain.gain ?? 0)) best = { pair: [a, b], gain }
    }
  if (!best) return []
  const { pair, gain } = best
  return pair.map((finding, at): Finding => {
    const other = pair[1 - at]?.cause ?? finding.cause
    return {
      ...finding,
      usPerStep: nowUs - gain.stepUs,
      share: 1 - gain.stepUs / nowUs,
      together: { cause: other, gain },
      sentence: togetherText([pair[0].cause, pair[1].cause], gain, nowUs),
    }
  })
}

/** Code that recurs without a name is the program's own: only what comes once is unknown. */
const removal = (cause: Cause): Removed => ({ cause, code: null, isStrict: true })

/**
 * A removal that saves at least this share of the best one's can't be told apart from it:
 * predictions are off by as much.
 */
const AS_GOOD = 2 / 3

/** Most gain first. Of those that can't be told apart the plainer change comes first, in the order of CAUSES. */
function ranked(found: readonly Finding[]): readonly Finding[] {
  const left = [...found].sort((a, b) => b.usPerStep - a.usPerStep)
  const order: Finding[] = []
  while (left.length > 0) {
    const most = left[0]?.usPerStep ?? 0
    const [first] = left
      .filter(({ usPerStep }) => usPerStep >= AS_GOOD * most)
      .sort((a, b) => CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause))
    if (!first) break
    order.push(first)
    left.splice(left.indexOf(first), 1)
  }
  return order
}

/**
 * Time of these stretches. Threads side by side, or a first step that is longer than the others, add
 * up to more than a step: then that of the main thread, within the steps that are counted.
 */
function hostOfStep(hostNs: number, own: readonly Stretch[], { replay, read }: DeviceReplay): number {
  const { stepEndsNs, mainThread } = read.program
  const steps = stepEndsNs.length
  if (hostNs / steps <= replay.recordedNs || steps < 2) return hostNs
  const [fromNs, toNs] = [stepEndsNs[0] ?? 0, stepEndsNs.at(-1) ?? 0]
  const within = own
    .filter(({ thread }) => thread === mainThread)
    .reduce(
      (sum, { startNs, endNs }) => sum + Math.max(0, Math.min(endNs, toNs) - Math.max(startNs, fromNs)),
      0,
    )
  return (within / (steps - 1)) * steps
}

class Finder {
  readonly #placed: PlacedTrace
  readonly #stacks: HostStacks
  readonly #device: DeviceReplay
  readonly #gaps: readonly Gap[]
  readonly #names: SpanNames

  constructor(placed: PlacedTrace, stacks: HostStacks, device: DeviceReplay, gaps: readonly Gap[]) {
    this.#placed = placed
    this.#stacks = stacks
    this.#device = device
    this.#gaps = gaps
    this.#names = new SpanNames(placed.trace)
  }

  finding(cause: Cause): Finding {
    const { replay, read } = this.#device
    const nowUs = replay.replayedNs / 1e3
    const gain = gainOf(this.#device, [removal(cause)])
    const { program } = read
    const steps = program.stepEndsNs.length
    const own = program.stretches.filter((each) => each.cause === cause)
    const work = program.work.filter((each) => each.cause === cause)
    const hostNs = own.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
    const workNs = work.reduce((sum, { lengthNs }) => sum + lengthNs, 0)
    const heldNs = program.work.reduce(
      (sum, each) =>
        sum + (cause === 'host-callback' ? each.callbackNs : cause === 'late-rank' ? each.waitNs : 0),
      0,
    )
    // The device's work is found by its launch.
    const isOf = program.work.map((each) => each.cause === cause)
    const launching = program.stretches.filter(({ launches }) => launches.some((index) => isOf[index]))
    const longest = this.#lineOf(own.length > 0 ? own : launching)
    const line = cause === 'host-code' && longest && longest.share < NAMED_PART ? null : longest
    const what = line && cause === 'host-code' ? `${line.name}()` : this.#whatOf(cause, own)
    // The gain is that of all such code: a function is said to be all of it only where it is.
    const said = line && cause === 'host-code' && line.share < ALL_OF_IT ? `${what} and other code` : what
    const isOfDevice = cause === 'copies-in-line' || cause === 'collectives' || cause === 'slow-kernels'
    const evidence = leadOf({
      cause,
      what: said,
      spentUs: ((isOfDevice ? workNs : hostOfStep(hostNs, own, this.#device)) + heldNs) / 1e3 / steps,
      stepUs: replay.recordedNs / 1e3,
      isSlowed: isSlowed(replay.recordedNs, replay.unprofiledNs),
      steps,
      launches: program.stretches.reduce((sum, each) => sum + (each.launches.length > 0 ? 1 : 0), 0) / steps,
      sharedStream: cause === 'collectives' ? this.#sharedStream() : null,
    })
    const saved = Math.max(0, nowUs - gain.stepUs)
    return {
      cause,
      what,
      line,
      usPerStep: saved,
      share: nowUs > 0 ? saved / nowUs : 0,
      without: gain,
      together: null,
      example: this.#exampleOf(
        cause,
        work.map(({ span }) => span),
      ),
      title: CAUSE_WORDS[cause].title,
      sentence: gainText(changeOf(cause, said), gain, nowUs),
      evidence: [evidence, ...this.#functionsOf(cause, own, gain.gain)].join(' '),
      mend: CAUSE_WORDS[cause].mend,
    }
  }

  /** Says what single functions would gain, if there are several. */
  #functionsOf(cause: Cause, own: readonly Stretch[], all: number): readonly string[] {
    if (cause !== 'host-code') return []
    const { chains } = this.#device.read.program
    const names = new Map<string, number>()
    for (const { code, startNs, endNs } of own) {
      const [innermost] = chains[code] ?? []
      if (innermost !== undefined) names.set(innermost, (names.get(innermost) ?? 0) + endNs - startNs)
    }
    if (names.size < 2) return []
    const rows = [...names]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_FUNCTIONS)
      .map(([name]) => ({ name, gain: gainOf(this.#device, [{ cause, code: name }]).gain }))
      // One that calls operators takes these along: then it is no part of this gain.
      .filter(({ gain }) => gain >= NAMED_GAIN && gain <= all)
    return rows.length === 0
      ? []
      : [
          `Without ${rows.map(({ name, gain }) => `${pythonFrame(name)?.name ?? name}() alone: ${timesText(gain)}`).join('; without ')}.`,
        ]
  }

  /**
   * Names the operator with its call, else the call, that took most of the time; '' if nothing is
   * recorded, or many share it.
   */
  #whatOf(cause: Cause, own: readonly Stretch[]): string {
    if (cause === 'host-callback') return this.#callback()
    if (cause === 'slow-kernels') return this.#slowest()
    const times = new Map<string, number>()
    const step = Math.max(1, Math.ceil(own.length / MOST_LOOKS))
    for (let at = 0; at < own.length; at += step) {
      const stretch = own[at]
      if (!stretch) continue
      const key = stretch.isUnrecorded ? '' : this.#placeOf(stretch.span, cause)
      times.set(key, (times.get(key) ?? 0) + stretch.endNs - stretch.startNs)
    }
    const rows = [...times].sort((a, b) => b[1] - a[1])
    // Both halves of allocating belong to the sentence.
    if (cause === 'allocation')
      return rows
        .slice(0, 2)
        .map(([name]) => name)
        .filter(Boolean)
        .join(' and ')
    const [name, ns] = rows[0] ?? ['', 0]
    return ns >= NAMED_PART * rows.reduce((sum, row) => sum + row[1], 0) ? name : ''
  }

  #placeOf(span: number, cause: Cause): string {
    const names = this.#stacks.around(span).map((each) => this.#names.of(each))
    const [innermost = ''] = names
    const operator = names.find((name) => name.includes('::') && !/^(?:torch::)?autograd::/.test(name))
    if (cause === 'allocation') return innermost.endsWith('empty_cache') ? 'empty_cache' : innermost
    if (cause === 'read-back') return operator ?? innermost
    if (cause === 'host-code') return operator ?? innermost
    return innermost
  }

  /** The operators whose kernels lose most, above their bounds. */
  #slowest(): string {
    const { work } = this.#device.read.program
    const lost = new Map<string, number>()
    for (const { cause, call, lengthNs, leastNs } of work) {
      if (cause !== 'slow-kernels') continue
      const operator = this.#placeOf(call, 'host-code')
      lost.set(operator, (lost.get(operator) ?? 0) + lengthNs - leastNs)
    }
    return [...lost]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 2)
      .map(([name]) => name)
      .join(' and ')
  }

  #callback(): string {
    const { spans } = this.#placed.trace
    for (let span = 0; span < spans.length; span += 1) {
      const [, name] = /^HostNode: ?(.*)$/.exec(this.#names.of(span)) ?? []
      if (name !== undefined) return name
    }
    return ''
  }

  #lineOf(own: readonly Stretch[]): SourceLine | null {
    const { chains } = this.#device.read.program
    const times = new Map<string, { ns: number; longest: Stretch }>()
    let allNs = 0
    for (const stretch of own) {
      const ns = stretch.endNs - stretch.startNs
      allNs += ns
      const [innermost] = chains[stretch.code] ?? []
      if (innermost === undefined) continue
      const known = times.get(innermost)
      if (!known) times.set(innermost, { ns, longest: stretch })
      else {
        known.ns += ns
        if (ns > known.longest.endNs - known.longest.startNs) known.longest = stretch
      }
    }
    const [most] = [...times].sort((a, b) => b[1].ns - a[1].ns)
    const frame = most && pythonFrame(most[0])
    if (!frame) return null
    const method = this.#stacks
      .around(most[1].longest.span)
      .map((span) => tensorMethod(this.#names.of(span)))
      .find((name) => name !== null)
    return { ...frame, method: method ?? null, share: allNs > 0 ? most[1].ns / allNs : 0 }
  }

  /** The longest gap of the cause, else the longest work. */
  #exampleOf(cause: Cause, work: readonly number[]): Example | null {
    let [gap, longestNs] = [-1, 0]
    for (const [index, { cause: of, durationNs }] of this.#gaps.entries())
      if (of === cause && durationNs > longestNs) [gap, longestNs] = [index, durationNs]
    if (gap >= 0) return { type: 'gap', gap }
    const { startNs, endNs } = this.#placed
    const lengthOf = (span: number) => (endNs[span] ?? 0) - (startNs[span] ?? 0)
    const span = work.reduce((most, each) => (most < 0 || lengthOf(each) > lengthOf(most) ? each : most), -1)
    return span < 0 ? null : { type: 'span', span }
  }

  /** 'stream 7', where collectives and kernels are on one. */
  #sharedStream(): string | null {
    const { trace } = this.#placed
    const { work } = this.#device.read.program
    const kernels = new Set(
      work.flatMap(({ cause, stream }) => (cause === null || cause === 'slow-kernels' ? [stream] : [])),
    )
    const shared = work.find(({ cause, stream }) => cause === 'collectives' && kernels.has(stream))
    return shared ? (trace.lanes[trace.spans.lane[shared.span] ?? -1]?.name ?? null) : null
  }
}
