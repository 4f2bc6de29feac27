/**
 * The facts of a cause that a profile shows: its operator or call, the reader's function, and for
 * how long.
 */
import { addTo } from '../base/lists'
import type { PlacedTrace } from '../trace/place'
import { spanKindIndex } from '../trace/schema'
import { callRowOf } from '../trace/vendors'
import { COLLECTOR } from './cause-words'
import { differs, leadOf, timesText } from './finding-words'
import { NAMED_GAIN, type SourceLine } from './findings'
import { pythonFrame, tensorMethod, type HostStacks } from './host-stacks'
import { GARBAGE_COLLECTOR, type Cause } from './replay/causes'
import type { DeviceReplay } from './replay/device-replay'
import type { Program, Stretch } from './replay/program'
import { SpanNames } from './replay/span-names'

/**
 * At most this number of a cause's stretches is looked up: they stand for all of them.
 */
const MOST_LOOKS = 2000
/** From this share of a cause's time on, a function is what the cause consists of. */
const ALL_OF_IT = 0.95
/** From this share of a cause's time on, its longest function or operator is named. */
const NAMED_PART = 0.2
/** Functions of the reader's that get a row of their own. */
const MOST_FUNCTIONS = 3
const WINDOW = spanKindIndex('window')
const CALLBACK = /^HostNode: ?(.*)$/
const OF_DEVICE: readonly Cause[] = ['copies-in-line', 'collectives', 'slow-kernels']

interface CauseNames {
  readonly line: SourceLine | null
  readonly what: string
  /** What sentences call it: a function is said to be all of a cause only where it is. */
  readonly said: string
}

export class CauseFacts {
  readonly #placed: PlacedTrace
  readonly #stacks: HostStacks
  readonly #device: DeviceReplay
  readonly #program: Program
  readonly #names: SpanNames
  readonly #stretches = new Map<Cause | null, Stretch[]>()

  constructor(placed: PlacedTrace, stacks: HostStacks, device: DeviceReplay) {
    this.#placed = placed
    this.#stacks = stacks
    this.#device = device
    this.#program = device.read.program
    this.#names = new SpanNames(placed.trace)
    for (const stretch of this.#program.stretches) addTo(this.#stretches, stretch.cause, stretch)
  }

  namesOf(cause: Cause): CauseNames {
    const { stretches, work } = this.#program
    const own = this.#own(cause)
    // The device's work is found by its launch.
    const launching = () =>
      stretches.filter(({ launches }) => launches.some((at) => work[at]?.cause === cause))
    const longest = this.#lineOf(own.length > 0 ? own : launching())
    if (cause !== 'host-code') {
      const { what } = this.#whatOf(cause, own)
      return { line: longest, what, said: what }
    }
    const line = longest && longest.share < NAMED_PART ? null : longest
    // '<module>' and '<cell line: 0>' are the program, and no function of it.
    const isNamed = line !== null && !line.name.startsWith('<')
    const { what, share } = isNamed ? { what: `${line.name}()`, share: line.share } : this.#whatOf(cause, own)
    return { line, what, said: what !== '' && share < ALL_OF_IT ? `${what} and other code` : what }
  }

  /** @param gainOf the gain without a function @param all the gain without the cause */
  evidenceOf(cause: Cause, said: string, gainOf: (code: string) => number, all: number): string {
    const { replay } = this.#device
    const { stretches, work, stepEndsNs } = this.#program
    const own = this.#own(cause)
    const steps = stepEndsNs.length
    const heldNs = work.reduce(
      (sum, { callbackNs, waitNs }) =>
        sum + (cause === 'host-callback' ? callbackNs : cause === 'late-rank' ? waitNs : 0),
      0,
    )
    const ownNs = OF_DEVICE.includes(cause)
      ? work.reduce((sum, each) => (each.cause === cause ? sum + each.lengthNs : sum), 0) / steps
      : this.#hostNs(own)
    const lead = leadOf({
      cause,
      what: said,
      spentUs: (ownNs + heldNs / steps) / 1e3,
      stepUs: replay.recordedNs / 1e3,
      isOther: differs(replay.recordedNs, replay.unprofiledNs),
      steps,
      launches: stretches.filter(({ launches }) => launches.length > 0).length / steps,
      sharedStream: cause === 'collectives' ? this.#sharedStream() : null,
    })
    return [lead, ...(cause === 'host-code' ? this.#functions(own, gainOf, all) : [])].join(' ')
  }

  launchesGraphs(): boolean {
    const isGraph = this.#names.asked((name) => callRowOf(name)?.brings === 'many')
    return this.#program.stretches.some(({ launches, span }) => launches.length > 0 && isGraph(span))
  }

  #own(cause: Cause): readonly Stretch[] {
    return this.#stretches.get(cause) ?? []
  }

  /**
   * Time of these stretches in a step, within the steps whose mean is told: a first one is often
   * longer. Threads side by side may add up to more than a step: then that of the busiest one.
   */
  #hostNs(own: readonly Stretch[]): number {
    const { stepEndsNs, startNs: firstNs } = this.#program
    const steps = stepEndsNs.length
    const [fromNs, toNs] = steps < 2 ? [firstNs, Infinity] : [stepEndsNs[0] ?? 0, stepEndsNs.at(-1) ?? 0]
    const within = (some: readonly Stretch[]) =>
      some.reduce(
        (sum, { startNs, endNs }) => sum + Math.max(0, Math.min(endNs, toNs) - Math.max(startNs, fromNs)),
        0,
      ) / Math.max(1, steps - 1)
    const [allNs, { recordedNs }] = [within(own), this.#device.replay]
    if (allNs <= recordedNs || steps < 2) return allNs
    // The step is a median, and may be shorter than the mean of these.
    const ofThreads = Array.from({ length: this.#program.threads }, (_, thread) =>
      within(own.filter((each) => each.thread === thread)),
    )
    return Math.min(recordedNs, Math.max(...ofThreads))
  }

  /** Says what single functions would gain, if there are several. */
  #functions(own: readonly Stretch[], gainOf: (code: string) => number, all: number): readonly string[] {
    // '<module>' is the program, and no function of it.
    const names = mostFirst(this.#functionsOf(own)).filter(
      ([name]) => !pythonFrame(name)?.name.startsWith('<'),
    )
    if (names.length < 2) return []
    const rows = names
      .slice(0, MOST_FUNCTIONS)
      .map(([name]) => ({ name, gain: gainOf(name) }))
      // One that calls operators takes these along: then it is no part of this gain.
      .filter(({ gain }) => gain >= NAMED_GAIN && gain <= all)
      .map(({ name, gain }) => {
        const frame = pythonFrame(name)
        return `${frame ? `${frame.name}()` : COLLECTOR} alone: ${timesText(gain)}`
      })
    return rows.length === 0 ? [] : [`Without ${rows.join('; without ')}.`]
  }

  /** Time by the reader's innermost function. */
  #functionsOf(own: readonly Stretch[]): ReadonlyMap<string, number> {
    const names = new Map<string, number>()
    for (const { code, startNs, endNs } of own) {
      const [innermost] = this.#program.chains[code] ?? []
      if (innermost !== undefined) names.set(innermost, (names.get(innermost) ?? 0) + endNs - startNs)
    }
    return names
  }

  /**
   * Names the operator with its call, else the call, that took most of the time; '' if nothing is
   * recorded, or many share it.
   */
  #whatOf(cause: Cause, own: readonly Stretch[]): { readonly what: string; readonly share: number } {
    if (cause === 'host-callback') return { what: this.#callback(), share: 1 }
    if (cause === 'slow-kernels') return { what: this.#slowest(), share: 1 }
    const times = new Map<string, number>()
    const every = Math.max(1, Math.ceil(own.length / MOST_LOOKS))
    for (let at = 0; at < own.length; at += every) {
      const stretch = own[at]
      if (!stretch) continue
      const key = stretch.isUnrecorded ? this.#rangeOf(stretch.span) : this.#placeOf(stretch.span, cause)
      times.set(key, (times.get(key) ?? 0) + stretch.endNs - stretch.startNs)
    }
    const rows = mostFirst(times)
    // Both halves of allocating belong to the sentence.
    if (cause === 'allocation') return { what: namesOfTwo(rows), share: 1 }
    const [name, ns] = rows[0] ?? ['', 0]
    const share = ns / rows.reduce((sum, row) => sum + row[1], 0)
    return share >= NAMED_PART ? { what: name, share } : { what: '', share: 0 }
  }

  /** The reader's range in which nothing else is recorded; '' where that is only the step. */
  #rangeOf(span: number): string {
    const isStep = this.#placed.trace.spans.kind[span] === WINDOW
    return !isStep && this.#names.kindOf(span) === 'range' ? this.#names.of(span) : ''
  }

  #placeOf(span: number, cause: Cause): string {
    const names = this.#stacks.around(span).map((each) => this.#names.of(each))
    const [innermost = ''] = names
    if (cause === 'allocation') return innermost.endsWith('empty_cache') ? 'empty_cache' : innermost
    const operator = names.find((name) => name.includes('::') && !/^(?:torch::)?autograd::/.test(name))
    if (innermost === GARBAGE_COLLECTOR) return COLLECTOR
    return cause === 'read-back' || cause === 'host-code' ? (operator ?? innermost) : innermost
  }

  /** The operators whose kernels lose most, above their bounds. */
  #slowest(): string {
    const lost = new Map<string, number>()
    for (const { cause, call, lengthNs, leastNs } of this.#program.work) {
      if (cause !== 'slow-kernels') continue
      const operator = this.#placeOf(call, 'host-code')
      lost.set(operator, (lost.get(operator) ?? 0) + lengthNs - leastNs)
    }
    return namesOfTwo(mostFirst(lost))
  }

  #callback(): string {
    const [, name = ''] = this.#placed.trace.strings.flatMap((text) => CALLBACK.exec(text) ?? [])
    return name
  }

  #lineOf(own: readonly Stretch[]): SourceLine | null {
    const [most] = mostFirst(this.#functionsOf(own))
    const frame = most && pythonFrame(most[0])
    if (!frame) return null
    let [longest, longestNs, allNs] = [-1, -1, 0]
    for (const { code, span, startNs, endNs } of own) {
      const ns = endNs - startNs
      allNs += ns
      if (this.#program.chains[code]?.[0] === most[0] && ns > longestNs) [longest, longestNs] = [span, ns]
    }
    const method = this.#stacks
      .around(longest)
      .map((span) => tensorMethod(this.#names.of(span)))
      .find((name) => name !== null)
    return { ...frame, method: method ?? null, share: allNs > 0 ? most[1] / allNs : 0 }
  }

  /** 'stream 7', where collectives and kernels are on one. */
  #sharedStream(): string | null {
    const { trace } = this.#placed
    const { work } = this.#program
    const kernels = new Set(
      work.flatMap(({ cause, stream }) => (cause === null || cause === 'slow-kernels' ? [stream] : [])),
    )
    const shared = work.find(({ cause, stream }) => cause === 'collectives' && kernels.has(stream))
    return shared ? (trace.lanes[trace.spans.lane[shared.span] ?? -1]?.name ?? null) : null
  }
}

const mostFirst = (times: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  [...times].sort((a, b) => b[1] - a[1])

const namesOfTwo = (rows: readonly (readonly [string, number])[]): string =>
  rows
    .slice(0, 2)
    .map(([name]) => name)
    .filter(Boolean)
    .join(' and ')
