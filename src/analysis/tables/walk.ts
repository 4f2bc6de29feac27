/** A profile's host threads with what each call made the device do, walked once for all tables. */
import { madeOnce } from '../../base/lists'
import { upperBound } from '../../base/search'
import { launchCalls } from '../coverage'
import { isLibrary, pythonFrame } from '../host-stacks'
import { nest, type NestedLane } from '../replay/host-stretches'
import { SpanNames } from '../replay/span-names'
import { OPERATORS } from '../set-up'
import { findSteps, type Steps } from '../replay/steps'
import type { PlacedTrace } from '../../trace/place'
import { FLOW_KINDS, SPAN_KINDS, type Trace } from '../../trace/schema'
import { costOf, type Cost } from './cost'
import {
  boundNs,
  isFloat32Product,
  peakOf,
  usesMatrixCores,
  usesTensorCores,
  type KnownPeak,
  type OwnPeak,
} from './peaks'

const WINDOW = SPAN_KINDS.indexOf('window')
const BACKWARD = FLOW_KINDS.indexOf('fwdbwd')
/** Names that torch.profiler gives to frames of its Python tracer. */
const PYTHON = /^<built-in |^nn\.Module: |\(\d+\): /
/** The bus bounds these, not the device's memory. */
const OVER_BUS = /^Memcpy (?:HtoD|DtoH|PtoP)/
const MODULE = /^nn\.Module: /
/**
 * What CUPTI and the driver take of a call: kineto writes it on a row of its own, without its
 * thread (overheadKindString in libkineto/src/cupti_strings.cpp).
 */
const OVERHEAD =
  /^(?:Activity Buffer Request|Buffer Flush|Command Buffer Full|Driver|Driver Compiler|Instrumentation|Lazy Function Loading|Resource|Runtime Triggered Module Loading)$/

/** Positions are those of the nested lane. */
export interface WalkedLane extends NestedLane {
  /** Device time of what this call launches itself, and with all that lies in it. */
  readonly ownNs: Float64Array
  readonly allNs: Float64Array
  /** Time of the profiler and the driver within this call, and not within one that lies in it. */
  readonly overheadNs: Float64Array
}

/** An operator whose sizes tell what it has to do, once. */
export interface Costed {
  readonly cost: Cost
  readonly deviceNs: number
  /** Least time that the device's peak allows; NaN: not known. */
  readonly boundNs: number
}

export class Walk {
  readonly placed: PlacedTrace
  readonly names: SpanNames
  readonly lanes: readonly WalkedLane[]
  readonly #hostLanes: ReadonlySet<number>
  #steps: Steps | null = null
  #backwardNs: Float64Array | null = null
  #inSteps: Walk['inSteps'] | null = null
  readonly peak: KnownPeak | null
  /** By span of a device: the call that launched it; -1: none is known. */
  readonly callOf: Int32Array
  readonly #isPython: (span: number) => boolean
  readonly isModule: (span: number) => boolean
  /** A function of the reader's own, by its file. */
  readonly isReaders: (span: number) => boolean
  readonly usesTensorCores: (span: number) => boolean
  readonly #isProduct: (span: number) => boolean
  readonly #isOfWeights: (span: number) => boolean
  /** By span: row of its details. */
  readonly #detailOf: Int32Array
  readonly #costs = new Map<string, Cost | null>()
  #costed: ReadonlyMap<number, Costed> | null = null
  #costedOfWork: {
    readonly operatorOf: Int32Array
    readonly productNs: ReadonlyMap<number, readonly number[]>
  } | null = null

  constructor(placed: PlacedTrace, own: OwnPeak = {}) {
    this.placed = placed
    const { trace } = placed
    this.names = new SpanNames(trace)
    this.#isPython = this.names.matching(PYTHON)
    this.isModule = this.names.matching(MODULE)
    this.isReaders = this.names.asked((name) => {
      const frame = pythonFrame(name)
      return frame !== null && !isLibrary(frame.file)
    })
    this.usesTensorCores = this.names.asked(usesTensorCores)
    this.#isProduct = this.names.asked((name) => usesTensorCores(name) || isFloat32Product(name))
    this.#isOfWeights = this.names.matching(/wgrad|wrw|bwd_weight/i)
    this.callOf = launchCalls(trace)
    this.#detailOf = new Int32Array(trace.spans.length).fill(-1)
    for (let row = 0; row < trace.details.length; row += 1) this.#detailOf[trace.details.span[row] ?? 0] = row
    this.peak = peakOf(deviceName(trace), own)
    const workNs = this.#workNs()
    const hostLanes = placed.lanes.filter(({ lane }) => trace.lanes[lane]?.kind === 'host')
    this.lanes = hostLanes.map((lane) => this.#walked(nest(lane), workNs))
    this.#addOverheads()
    this.#hostLanes = new Set(hostLanes.map(({ lane }) => lane))
  }

  get steps(): Steps {
    if (this.#steps) return this.#steps
    const { startNs } = this.placed
    const launches = Int32Array.from(new Set(this.callOf.filter((call) => call >= 0))).sort(
      (a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0),
    )
    this.#steps = findSteps(this.placed, launches, this.#hostLanes)
    return this.#steps
  }

  /**
   * Length of all steps: the host's or, where it runs ahead, that of the work they launched. By
   * span: whether it began in them, or was launched there.
   */
  get inSteps(): { readonly lengthNs: number; readonly holds: (span: number) => boolean } {
    if (this.#inSteps) return this.#inSteps
    const { startNs, endNs } = this.placed
    const { edgesNs } = this.steps
    if (edgesNs.length < 2) return (this.#inSteps = { lengthNs: 0, holds: () => true })
    const [from, to] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
    const isWithin = (span: number) => (startNs[span] ?? 0) >= from && (startNs[span] ?? 0) < to
    let [first, last] = [Infinity, -Infinity]
    for (const [work, call] of this.callOf.entries()) {
      if (call < 0 || !isWithin(call)) continue
      first = Math.min(first, startNs[work] ?? first)
      last = Math.max(last, endNs[work] ?? last)
    }
    const isOfHost = Uint8Array.from(this.placed.trace.lanes, ({ id }) => Number(this.#hostLanes.has(id)))
    return (this.#inSteps = {
      lengthNs: Math.max(to - from, last - first),
      holds: (span) => {
        const call = this.callOf[span] ?? -1
        if (call >= 0) return isWithin(call)
        if (isOfHost[this.placed.trace.spans.lane[span] ?? -1] === 1 || last < first) return isWithin(span)
        // Work without a known call is of the steps unless it was queued before them.
        return (startNs[span] ?? 0) >= first && (startNs[span] ?? 0) < last
      },
    })
  }

  /**
   * Operators, autograd's nodes, calls of the runtime and ranges of the reader's; not the marks of
   * steps.
   */
  isOperator(span: number): boolean {
    return this.placed.trace.spans.kind[span] !== WINDOW && !this.#isPython(span)
  }

  lengthNs(span: number): number {
    return (this.placed.endNs[span] ?? 0) - (this.placed.startNs[span] ?? 0)
  }

  /** Index of the text in `strings`; -1: none. */
  shapeOf(span: number): number {
    return this.placed.trace.details.shape[this.#detailOf[span] ?? -1] ?? -1
  }

  formOf(span: number): number {
    return this.placed.trace.details.form[this.#detailOf[span] ?? -1] ?? -1
  }

  textOf(index: number): string {
    return this.placed.trace.strings[index] ?? ''
  }

  /** By span of an operator with known work that has device time. */
  costed(): ReadonlyMap<number, Costed> {
    this.#costed ??= this.#findCosted()
    return this.#costed
  }

  /**
   * What a span of a device does of its operator's work, 0 to 1: of a product its kernels do all,
   * and others change layouts. The two gradients of a convolution take as many operations.
   */
  shareOf(work: number): { readonly costed: Costed; readonly share: number } | null {
    const { operatorOf, productNs } = (this.#costedOfWork ??= this.#findCostedOfWork())
    const operator = operatorOf[work] ?? -1
    const costed = this.costed().get(operator)
    if (!costed) return null
    const ns = this.lengthNs(work)
    const products = productNs.get(operator)
    if (!products) return { costed, share: ns / costed.deviceNs }
    if (!this.#isProduct(work)) return { costed, share: 0 }
    const parts = products.filter((each) => each > 0).length
    return { costed, share: ns / (products[Number(this.#isOfWeights(work))] ?? 0) / parts }
  }

  /** By span of a device: the innermost operator with known work that launched it; -1: none. */
  #findCostedOfWork() {
    const costed = this.costed()
    const nearest = this.nearest((span) => costed.has(span))
    const operatorOf = this.callOf.map((call) => nearest[call] ?? -1)
    const productNs = new Map<number, number[]>()
    for (const [work, operator] of operatorOf.entries()) {
      if (operator < 0 || !this.#isProduct(work)) continue
      const products = madeOnce(productNs, operator, () => [0, 0])
      const part = Number(this.#isOfWeights(work))
      products[part] = (products[part] ?? 0) + this.lengthNs(work)
    }
    return { operatorOf, productNs }
  }

  /** By span: the innermost such span that it is or lies in; -1: none. */
  nearest(isSuch: (span: number) => boolean): Int32Array {
    const nearest = new Int32Array(this.placed.trace.spans.length).fill(-1)
    for (const { span, parent } of this.lanes)
      for (const [at, own] of span.entries())
        nearest[own] = isSuch(own) ? own : (nearest[span[parent[at] ?? -1] ?? -1] ?? -1)
    return nearest
  }

  /** By span of an operator: device time of its backward pass, by PyTorch's arrows. */
  backwardNs(): Float64Array {
    if (this.#backwardNs) return this.#backwardNs
    const { flows, spans } = this.placed.trace
    const isNode = this.names.matching(/^autograd::engine::evaluate_function/)
    const passNs = new Float64Array(spans.length)
    for (const { span, parent, allNs } of this.lanes) {
      /** Position of the node of autograd that a position is or lies in. */
      const node = new Int32Array(span.length)
      for (const [at, own] of span.entries()) {
        node[at] = isNode(own) ? at : (node[parent[at] ?? -1] ?? -1)
        passNs[own] = allNs[node[at] ?? -1] ?? allNs[at] ?? 0
      }
    }
    this.#backwardNs = new Float64Array(spans.length)
    for (let flow = 0; flow < flows.length; flow += 1) {
      const from = flows.from[flow] ?? -1
      if (flows.kind[flow] === BACKWARD)
        this.#backwardNs[from] = (this.#backwardNs[from] ?? 0) + (passNs[flows.to[flow] ?? -1] ?? 0)
    }
    return this.#backwardNs
  }

  costOf(span: number): Cost | null {
    const { details, spans } = this.placed.trace
    const row = this.#detailOf[span] ?? -1
    if (row < 0) return null
    const [shape = -1, form = -1, values = -1] = [details.shape[row], details.form[row], details.values[row]]
    const key = `${String(spans.name[span])} ${String(shape)} ${String(form)} ${String(values)}`
    return madeOnce(this.#costs, key, () =>
      costOf(this.names.of(span), this.textOf(shape), this.textOf(form), this.textOf(values)),
    )
  }

  /** By call: the device time of what it launched. */
  #workNs(): Float64Array {
    const ns = new Float64Array(this.placed.trace.spans.length)
    for (let work = 0; work < ns.length; work += 1) {
      const call = this.callOf[work] ?? -1
      if (call >= 0) ns[call] = (ns[call] ?? 0) + this.lengthNs(work)
    }
    return ns
  }

  #walked(lane: NestedLane, workNs: Float64Array): WalkedLane {
    const { span, parent } = lane
    const ownNs = Float64Array.from(span, (each) => workNs[each] ?? 0)
    const allNs = ownNs.slice()
    // Spans inside a span come after it.
    for (let at = span.length - 1; at >= 0; at -= 1) {
      const outer = parent[at] ?? -1
      if (outer >= 0) allNs[outer] = (allNs[outer] ?? 0) + (allNs[at] ?? 0)
    }
    return { ...lane, ownNs, allNs, overheadNs: new Float64Array(span.length) }
  }

  /** Each on the one thread with a call that it lies in. */
  #addOverheads(): void {
    const { trace, startNs, endNs, lanes } = this.placed
    const isOverhead = this.names.matching(OVERHEAD)
    const others = lanes.filter(({ lane }) => trace.lanes[lane]?.kind === 'other')
    for (const own of others.flatMap(({ span }) => [...span]).filter(isOverhead)) {
      const [from, to] = [startNs[own] ?? 0, endNs[own] ?? 0]
      const around = this.lanes.flatMap((lane) => {
        let at = upperBound(lane.startNs, from) - 1
        while (at >= 0 && (lane.endNs[at] ?? 0) < to) at = lane.parent[at] ?? -1
        return at < 0 ? [] : [{ lane, at }]
      })
      const [only] = around
      if (only && around.length === 1)
        only.lane.overheadNs[only.at] = (only.lane.overheadNs[only.at] ?? 0) + to - from
    }
  }

  #findCosted(): ReadonlyMap<number, Costed> {
    const found = new Map<number, Costed>()
    if (this.placed.trace.details.length === 0) return found
    const launchesTensor = new Uint8Array(this.placed.trace.spans.length)
    const isOverBus = this.names.matching(OVER_BUS)
    // On AMD's matrix cores f32 is no TF32.
    const isTensor = this.names.asked((name) => usesTensorCores(name) && !usesMatrixCores(name))
    const copiesOverBus = new Uint8Array(this.placed.trace.spans.length)
    for (let work = 0; work < launchesTensor.length; work += 1) {
      const call = this.callOf[work] ?? -1
      if (call < 0) continue
      if (isTensor(work)) launchesTensor[call] = 1
      if (isOverBus(work)) copiesOverBus[call] = 1
    }
    for (const { span, parent, allNs } of this.lanes) {
      const onTensorCores = Uint8Array.from(span, (each) => launchesTensor[each] ?? 0)
      const overBus = Uint8Array.from(span, (each) => copiesOverBus[each] ?? 0)
      for (let at = span.length - 1; at >= 0; at -= 1) {
        const outer = parent[at] ?? -1
        if (outer < 0) continue
        if (onTensorCores[at] === 1) onTensorCores[outer] = 1
        if (overBus[at] === 1) overBus[outer] = 1
      }
      for (let at = 0; at < span.length; at += 1) {
        const deviceNs = allNs[at] ?? 0
        const own = span[at] ?? -1
        if (deviceNs === 0) continue
        // An operator that does all of what another does has its cost: of cuDNN's attention, say.
        const outer = parent[at] ?? -1
        const isAll = allNs[outer] === deviceNs && OPERATORS.has(this.names.kindOf(own))
        const cost = this.costOf(own) ?? (isAll ? found.get(span[outer] ?? -1)?.cost : null)
        if (!cost) continue
        const leastNs =
          this.peak && overBus[at] === 0 ? boundNs(cost, this.peak, onTensorCores[at] === 1) : Number.NaN
        found.set(own, { cost, deviceNs, boundNs: leastNs })
      }
    }
    return found
  }
}

/** Name of the first device: profiles with devices of two kinds are rare. */
export function deviceName({ lanes, info }: Trace): string {
  const group = lanes.find(({ kind }) => kind === 'device')?.group ?? ''
  const said = info.derived[group]
  return typeof said === 'string' ? said : (info.adapter?.description ?? '')
}
