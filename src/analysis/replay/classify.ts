/** Finds the cause of each stretch and each work, and the code that it lies in. */
import { NAMED_GAIN } from '../findings'
import { IndexedSet } from '../intervals'
import { SPAN_KINDS } from '../../trace/schema'
import { callUseOf } from '../../trace/vendors'
import { isFloat32Matmul } from '../tables/peaks'
import { slowKernels } from '../tables/slow-kernels'
import { shareBlanks } from './blanks'
import { LOCK_WAIT, type Cause } from './causes'
import type { Draft, DraftStretch, DraftWork } from './draft'
import { COPY, FROM_HOST, PAGEABLE, PINNED, SMALL_BYTES, TO_HOST } from './span-names'
import type { NestedLane } from './host-stretches'
import { IN_CALL, IN_HEAVY, IN_OPTIMIZER, IN_WAIT, Surroundings, CodeChains } from './surroundings'
import { LATE_NS } from './tie-work'

const COMPUTE = SPAN_KINDS.indexOf('compute')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
/**
 * The size of what they return is in the data: without its read on the host they are gone, with
 * their kernels.
 */
const SHAPE = /^aten::(?:nonzero|masked_select|_?unique)/
const OTHER_PROCESS = /MultiProcessing/
/** PyTorch's own Python that prepares what operators launch. */
const FRONT_END_CODE =
  /^nn\.Module|^torch[/\\](?:nn|optim|_tensor|autograd|_ops|cuda|utils[/\\]_|_dynamo|_compile)/
/**
 * Dispatch takes some µs, as does a call that neither launches nor waits: an operator that is
 * longer computes on the host, and a call sets up CUDA, once.
 */
const LONG_NS = 1_000_000
/** Host time of DataLoader's `__next__` for a batch that is there: 50 to 100 µs. */
const TAKES_BATCH_NS = 100_000

/** `isBlank`: nothing names what the host did there. */
interface Classified {
  readonly cause: Cause | null
  readonly isRead: boolean
  readonly isBlank?: boolean
}

/** @returns the stretches, of which long pauses have been split, and the chains of code */
export function classify(draft: Draft): {
  readonly stretches: readonly DraftStretch[]
  readonly chains: readonly (readonly string[])[]
} {
  return new Classifier(draft).classify()
}

type Copies = 'from-host' | 'to-host' | 'large-to-host'

class Classifier {
  readonly #draft: Draft
  readonly #codes: CodeChains
  readonly #around = new Map<NestedLane, Surroundings>()
  /** By span of an operator. */
  readonly #readOnly = new Map<number, boolean>()
  readonly #isOf: Readonly<
    Record<
      | 'copy'
      | 'fromHost'
      | 'toHost'
      | 'pageable'
      | 'pinned'
      | 'worker'
      | 'frontEnd'
      | 'shape'
      | 'blocking'
      | 'float32'
      | 'lock',
      (span: number) => boolean
    >
  >

  constructor(draft: Draft) {
    this.#draft = draft
    const { names } = draft
    this.#codes = new CodeChains(names)
    this.#isOf = {
      copy: names.matching(COPY),
      fromHost: names.matching(FROM_HOST),
      toHost: names.matching(TO_HOST),
      pageable: names.matching(PAGEABLE),
      pinned: names.matching(PINNED),
      worker: names.matching(OTHER_PROCESS),
      frontEnd: names.matching(FRONT_END_CODE),
      shape: names.matching(SHAPE),
      blocking: names.asked((name) => callUseOf(name) === 'blocking-copy'),
      float32: names.asked(isFloat32Matmul),
      lock: names.matching(LOCK_WAIT),
    }
  }

  classify(): ReturnType<typeof classify> {
    const { stretches, work, once } = this.#draft
    const doneOnce = IndexedSet.of(once)
    const blanks: number[] = []
    const arrivals: DraftStretch[] = []
    for (const [index, stretch] of stretches.entries()) {
      const { startNs, endNs, span, at, lane } = stretch
      const onceNs = once.length > 0 ? doneOnce.totalWithin(startNs, endNs) : 0
      if (onceNs > (endNs - startNs) / 2) continue
      const { cause, isRead, isBlank } = this.#classOf(stretch)
      stretch.cause = cause
      // A wait for another thread is no code of the function that waits.
      stretch.code = span >= 0 && this.#isOf.lock(span) ? -1 : this.#codes.of(lane, at)
      stretch.isRead = isRead
      if (isBlank === true) blanks.push(index)
      if (span >= 0 && this.#draft.names.kindOf(span) === 'loader' && this.#isOf.worker(span))
        arrivals.push(stretch)
    }
    awaitBatches(arrivals, this.#draft.edgesNs)
    this.#classifyWork(work)
    return { stretches: shareBlanks(this.#draft, blanks), chains: this.#codes.chains }
  }

  #classifyWork(work: readonly DraftWork[]): void {
    const { stretches, placed } = this.#draft
    const { kind } = placed.trace.spans
    const computing = new Set<number>()
    for (const { span, stream } of work) if (kind[span] === COMPUTE) computing.add(stream)
    const slow = slowKernels(placed)
    for (const each of work) {
      const { span, stream } = each
      const { cause = null, isRead = false } = stretches[each.stretch] ?? {}
      if (cause === 'pageable-copies' && this.#isOf.copy(span)) each.cause = cause
      else if (cause === 'read-back' && (each.isRead || isRead)) each.cause = cause
      else if (this.#isOf.pageable(span) && !this.#isOf.toHost(span)) each.cause = 'pageable-copies'
      else if (kind[span] === COLLECTIVE) each.cause = 'collectives'
      else if (this.#isOf.pinned(span) && computing.has(stream)) {
        each.cause = 'copies-in-line'
        each.isRead = false
      } else if (kind[span] === COMPUTE && slow.has(span)) {
        each.cause = 'slow-kernels'
        each.leastNs = slow.get(span) ?? each.lengthNs
      }
      each.isRead ||= isRead
      each.isFloat32 = kind[span] === COMPUTE && this.#isOf.float32(span)
    }
  }

  #classOf(stretch: DraftStretch): Classified {
    const { lane, at, launches } = stretch
    if (at < 0) return { cause: 'unknown', isRead: false, isBlank: true }
    const around = this.#surroundings(lane)
    const { names } = this.#draft
    const supply = around.supply[at] ?? -1
    if (supply >= 0) {
      const isLoader = names.kindOf(lane.span[supply] ?? -1) === 'loader'
      return { cause: isLoader ? 'data-loading' : 'allocation', isRead: false }
    }
    if (this.#isOf.lock(stretch.span)) return { cause: 'unknown', isRead: false, isBlank: true }
    const flags = around.flags[at] ?? 0
    const isCall = (flags & IN_CALL) !== 0
    const read = around.read[at] ?? -1
    const isRead = read >= 0
    const waited = this.#waitOf(stretch, flags, isRead)
    if (waited) return waited
    // The launch queue is full: the device holds the host.
    if (stretch.entersAfter >= 0) return { cause: null, isRead: false }
    const isSetUp = isCall && launches.length === 0 && stretch.lengthNs > LONG_NS
    if (isSetUp) return { cause: null, isRead: false }
    if (isRead && this.#isReadOnly(lane, read)) return { cause: 'read-back', isRead }
    if (isCall) return { cause: 'dispatch', isRead }
    if ((around.operator[at] ?? -1) >= 0) {
      const outermost = around.outermost[at] ?? -1
      const isFrontEnd = (flags & IN_HEAVY) === 0 || around.launches[outermost] === 1
      const isShort = stretch.lengthNs <= LONG_NS
      return { cause: isFrontEnd && isShort ? 'dispatch' : 'host-code', isRead }
    }
    return this.#classOfPython(lane, at, around)
  }

  /** Classifies a call that waits, or copies, by the direction of the bytes. */
  #waitOf(stretch: DraftStretch, flags: number, isRead: boolean): Classified | null {
    const isWait = (flags & IN_WAIT) !== 0
    if (!isWait && (flags & IN_CALL) === 0) return null
    const copies = this.#copyBehind(stretch, isWait)
    if (!isWait && copies === null) return null
    if (copies === 'from-host') return { cause: 'pageable-copies', isRead }
    if (copies === 'large-to-host') return { cause: 'pageable-copies', isRead: true }
    if (copies === 'to-host' || (isWait && isRead)) return { cause: 'read-back', isRead: true }
    return { cause: 'synchronize', isRead: false }
  }

  /** Classifies Python outside of operators. */
  #classOfPython(lane: NestedLane, at: number, around: Surroundings): Classified {
    if (((around.flags[at] ?? 0) & IN_OPTIMIZER) !== 0) return { cause: 'dispatch', isRead: false }
    const framework = around.framework[at] ?? -1
    const python = around.python[at] ?? -1
    // A function that launches nothing is no front end of what it launches, nor is what it calls.
    if (python >= 0 && around.launches[python] !== 1) return { cause: 'host-code', isRead: false }
    const isNamed = this.#isOf.frontEnd(lane.span[framework] ?? -1)
    if (framework >= 0 && (isNamed || around.launches[framework] === 1))
      return { cause: 'dispatch', isRead: false }
    const cause = framework >= 0 || python >= 0 ? 'host-code' : 'unknown'
    return { cause, isRead: false, isBlank: true }
  }

  #surroundings(lane: NestedLane): Surroundings {
    let around = this.#around.get(lane)
    if (!around) {
      around = new Surroundings(this.#draft.placed, this.#draft.names, lane)
      this.#around.set(lane, around)
    }
    return around
  }

  /** The direction of the bytes that this call copies, or waits for. */
  #copyBehind(stretch: DraftStretch, isWait: boolean): Copies | null {
    const { awaits, launches, startNs } = stretch
    const index = isWait ? (awaits.length === 1 ? awaits[0] : undefined) : launches[0]
    const work = this.#draft.work[index ?? -1]
    if (!work) return null
    // A wait that follows later in the program is one of its own.
    if (isWait && startNs - (this.#draft.placed.endNs[work.call] ?? 0) > LATE_NS) return null
    const isPageable = this.#isOf.pageable(work.span) || this.#isOf.blocking(stretch.span)
    if (this.#isOf.toHost(work.span)) {
      if (!(work.bytes > SMALL_BYTES)) return 'to-host'
      // A large copy that nobody waits for keeps what follows it on its stream waiting.
      return isPageable ? 'large-to-host' : isWait ? 'to-host' : null
    }
    return this.#isOf.fromHost(work.span) && (isWait || isPageable) ? 'from-host' : null
  }

  /**
   * `.item()`, `.cpu()`: the operator waits or copies to the host, and no kernel outlasts its read.
   */
  #isReadOnly(lane: NestedLane, at: number): boolean {
    const operator = lane.span[at] ?? -1
    let known = this.#readOnly.get(operator)
    if (known === undefined) this.#readOnly.set(operator, (known = this.#onlyReads(lane, at)))
    return known
  }

  #onlyReads({ span, startNs, endNs }: NestedLane, at: number): boolean {
    const { names, workOfCall } = this.#draft
    const untilNs = endNs[at] ?? 0
    const isShape = this.#isOf.shape(span[at] ?? -1)
    let reads = false
    for (let child = at; (startNs[child] ?? Infinity) < untilNs; child += 1) {
      const call = span[child] ?? -1
      if (names.kindOf(call) === 'wait') reads = true
      for (const work of workOfCall.get(call) ?? []) {
        if (this.#isOf.toHost(work)) reads = true
        else if (!isShape) return false
      }
    }
    return reads
  }
}

/**
 * A loader's other processes make the batch: asked for in vain, it comes when it came. A loader
 * that takes no more of the steps than would be named is ahead of the program, and takes that long
 * to hand over what is there.
 */
function awaitBatches(arrivals: readonly DraftStretch[], edgesNs: readonly number[]): void {
  const waitedNs = arrivals.reduce((sum, { lengthNs }) => sum + lengthNs, 0)
  const wholeNs = (edgesNs.at(-1) ?? 0) - (edgesNs[0] ?? 0)
  if (wholeNs < NAMED_GAIN * (wholeNs - waitedNs)) return
  let leastNs = TAKES_BATCH_NS
  for (const { lengthNs } of arrivals) leastNs = Math.min(leastNs, lengthNs)
  for (const stretch of arrivals) {
    if (stretch.lengthNs <= TAKES_BATCH_NS) continue
    stretch.arrivesNs = stretch.endNs
    stretch.lengthNs = leastNs
  }
}
