/**
 * The four tables of a profile (table.ts), as torch.profiler's key_averages() counts: own time
 * without, all time with what is called.
 */
import { madeOnce } from '../../base/lists'
import { HostStacks, isLibrary } from '../host-stacks'
import { SPAN_KINDS } from '../../trace/schema'
import type { PlacedTrace } from '../../trace/place'
import { isFloat32Product, type OwnPeak } from './peaks'
import { COLUMNS, type Row, type Table, type TableKind } from './table'
import { launchText, shapeText } from './table-text'
import { OPERATORS } from '../set-up'
import { Walk, type Costed } from './walk'

const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')

export interface TableOptions {
  /** Rows of one name are apart where their inputs differ; of kernels, where grid or block do. */
  readonly byShape?: boolean
  readonly own?: OwnPeak
}

/** By column. */
const noSums = () => ({ calls: 0, selfHost: 0, host: 0, selfDevice: 0, device: 0, backward: 0 })
type Sums = ReturnType<typeof noSums>

/** Sums of one row. */
class Tally {
  readonly all = noSums()
  /** Of what lies in the steps. */
  readonly steps = noSums()
  flops = 0
  bytes = 0
  /** Device time of those whose work is known, and of those whose bound is. */
  costedNs = 0
  boundedNs = 0
  boundNs = 0
  span = -1
  longestNs = -1
  readonly shape: string

  constructor(shape = '') {
    this.shape = shape
  }

  add(column: keyof Sums, value: number, isInSteps: boolean): void {
    this.all[column] += value
    if (isInSteps) this.steps[column] += value
  }

  see(span: number, lengthNs: number, isInSteps: boolean): void {
    this.add('calls', 1, isInSteps)
    if (lengthNs <= this.longestNs) return
    this.longestNs = lengthNs
    this.span = span
  }
}

export class Tables {
  readonly #walk: Walk
  readonly #stacks: HostStacks

  /** One walk serves all tables of the same options. */
  constructor(placed: PlacedTrace, options: TableOptions = {}) {
    this.#walk = new Walk(placed, options.own)
    this.#stacks = new HostStacks(placed)
    this.#options = options
  }

  readonly #options: TableOptions
  /** By index into `strings`. */
  readonly #sizesOf: string[] = []

  get walk(): Walk {
    return this.#walk
  }

  table(kind: TableKind): Table {
    const rows = this.#rows(kind).sort((a, b) => weight(b, kind) - weight(a, kind))
    return { kind, columns: this.#columns(kind, rows), rows, steps: this.#steps, stepNs: this.#stepNs }
  }

  get #steps(): number {
    return Math.max(0, this.#walk.steps.edgesNs.length - 1)
  }

  get #stepNs(): number {
    return this.#walk.inSteps.lengthNs / Math.max(1, this.#steps)
  }

  /**
   * Leaves out columns in which no row has a value: a profile of the CPU alone has nothing of a
   * device.
   */
  #columns(kind: TableKind, rows: readonly Row[]): Table['columns'] {
    return COLUMNS[kind].filter(({ id }) => rows.some(({ cells }) => Boolean(cells[id])))
  }

  #rows(kind: TableKind): Row[] {
    switch (kind) {
      case 'operators':
        return this.#hostRows(kind, (span) => this.#walk.isOperator(span))
      case 'kernels':
        return this.#kernelRows()
      case 'modules':
        return this.#hostRows(kind, this.#walk.isModule)
      case 'lines':
        return this.#hostRows(kind, this.#walk.isReaders)
    }
  }

  /**
   * Own time is without what lies in it that `isSuch` too: of a module that of modules, of a
   * function that of the reader's functions. All time of those that call themselves is that of
   * their outermost calls, but of operators it is that of each call, as PyTorch counts them.
   */
  #hostRows(kind: TableKind, isSuch: (span: number) => boolean): Row[] {
    const isOfOperators = kind === 'operators'
    const byShape = isOfOperators && this.#options.byShape === true
    const walk = this.#walk
    const { names, lanes } = walk
    const { holds } = walk.inSteps
    const backwardNs = isOfOperators ? null : walk.backwardNs()
    const tallies = new Map<string, Tally>()
    for (const lane of lanes) {
      const { span, startNs, endNs, parent, ownNs, allNs, overheadNs } = lane
      const tallyAt: (Tally | undefined)[] = []
      /** The nearest such span that encloses a position, or is at it. */
      const near = new Int32Array(span.length).fill(-1)
      const inner = isOfOperators ? repeated(lane, isSuch, names.idOf.bind(names)) : []
      for (let at = 0; at < span.length; at += 1) {
        const own = span[at] ?? -1
        const outer = near[parent[at] ?? -1] ?? -1
        const isRow = isSuch(own) && inner[at] !== 1
        const isInSteps = holds(own)
        near[at] = isRow ? at : outer
        const nearest = tallyAt[near[at] ?? -1]
        if (!isRow) {
          nearest?.add('selfDevice', ownNs[at] ?? 0, isInSteps)
          nearest?.add('selfHost', -(overheadNs[at] ?? 0), isInSteps)
          const passNs = backwardNs?.[own] ?? 0
          if (passNs === 0) continue
          const around = new Set<Tally | undefined>()
          for (let up = outer; up >= 0; up = near[parent[up] ?? -1] ?? -1) around.add(tallyAt[up])
          for (const each of around) each?.add('backward', passNs, isInSteps)
          continue
        }
        const lengthNs = (endNs[at] ?? 0) - (startNs[at] ?? 0)
        const outerTally = tallyAt[outer]
        outerTally?.add('selfHost', -lengthNs, holds(span[outer] ?? -1))
        const name = names.idOf(own)
        const shape = byShape ? this.#sizes(walk.shapeOf(own)) : ''
        const key = `${String(name)} ${shape}`
        const tally = madeOnce(tallies, key, () => new Tally(shape))
        tallyAt[at] = tally
        tally.see(own, Math.max(lengthNs, allNs[at] ?? 0), isInSteps)
        tally.add('selfHost', lengthNs - (overheadNs[at] ?? 0), isInSteps)
        let same = isOfOperators ? -1 : outer
        while (same >= 0 && tallyAt[same] !== tally) same = near[parent[same] ?? -1] ?? -1
        if (same < 0) tally.add('host', lengthNs, isInSteps)
        // Launches of a call belong to its operator.
        const isOfOuter = outerTally !== undefined && names.kindOf(own) === 'call'
        const launching = isOfOuter ? outerTally : tally
        launching.add('selfDevice', ownNs[at] ?? 0, isInSteps)
        if (!isOfOuter && same < 0) tally.add('device', allNs[at] ?? 0, isInSteps)
        const costed = walk.costed().get(own)
        if (costed) addCost(tally, costed, 1, costed.deviceNs)
      }
    }
    return [...tallies.values()].map((tally) => this.#hostRow(tally))
  }

  /** Reads a text of the file once: inputs that are no tensors make no rows of their own. */
  #sizes(index: number): string {
    return (this.#sizesOf[index] ??= shapeText(this.#walk.textOf(index)))
  }

  #hostRow(tally: Tally): Row {
    const { all, steps, span, shape } = tally
    const name = this.#walk.names.of(span)
    return {
      key: `${plainName(name)} ${shape}`,
      span,
      line: this.#lineOf(span),
      cells: {
        name: name.replace(/^nn\.Module: /, ''),
        shape,
        share: this.#shareOf(steps.selfDevice),
        ...all,
        ...ratesOf(tally),
      },
      step: this.#perStep(steps),
    }
  }

  #kernelRows(): Row[] {
    const walk = this.#walk
    const { placed, names } = walk
    const { spans, lanes } = placed.trace
    const byShape = this.#options.byShape === true
    interface Kernel {
      readonly tally: Tally
      readonly launches: Set<string>
      readonly streams: Set<string>
      readonly operators: Map<string, number>
      readonly isTensor: boolean
    }
    const kernels = new Map<string, Kernel>()
    const operatorOf = walk.nearest((span) => OPERATORS.has(names.kindOf(span)))
    for (let span = 0; span < spans.length; span += 1) {
      const kind = spans.kind[span]
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || (kind !== COMPUTE && kind !== TRANSFER && kind !== COLLECTIVE)) continue
      const name = names.idOf(span)
      const launch = launchText(walk.textOf(walk.shapeOf(span)), walk.textOf(walk.formOf(span)))
      const key = `${String(name)} ${byShape ? launch : ''}`
      const { tally, launches, streams, operators } = madeOnce(kernels, key, (): Kernel => ({
        tally: new Tally(),
        launches: new Set(),
        streams: new Set(),
        operators: new Map(),
        isTensor: walk.usesTensorCores(span),
      }))
      const ns = walk.lengthNs(span)
      const isInSteps = walk.inSteps.holds(span)
      tally.see(span, ns, isInSteps)
      tally.add('device', ns, isInSteps)
      if (launch !== '') launches.add(launch)
      streams.add(lane.name)
      const operator = operatorOf[walk.callOf[span] ?? -1] ?? -1
      if (operator >= 0) operators.set(names.of(operator), (operators.get(names.of(operator)) ?? 0) + ns)
      // Copies and memsets along the way are not the operator's own work.
      const known = kind === COMPUTE ? walk.shareOf(span) : null
      if (known && known.share > 0) addCost(tally, known.costed, known.share, ns)
      const moved = spans.bytes[span] ?? Number.NaN
      if (kind === TRANSFER && moved > 0) {
        tally.bytes += moved
        tally.costedNs += ns
      }
    }
    return [...kernels.values()].map(({ tally, launches, streams, operators, isTensor }) => {
      const { span, all, steps } = tally
      const [most] = [...operators].sort((a, b) => b[1] - a[1])
      return {
        key: `${names.of(span)} ${byShape ? [...launches].join() : ''}`,
        span,
        line: this.#lineOf(walk.callOf[span] ?? -1),
        cells: {
          name: names.of(span),
          calls: all.calls,
          share: this.#shareOf(steps.device),
          device: all.device,
          mean: all.device / all.calls,
          launch: severalText(launches, 'sizes'),
          stream: severalText(streams, 'streams'),
          tensor: isTensor ? 'yes' : isFloat32Product(names.of(span)) ? 'no' : '',
          operator: most?.[0] ?? '',
          ...ratesOf(tally),
        },
        step: this.#perStep(steps),
      }
    })
  }

  #lineOf(span: number): string {
    if (span < 0) return ''
    const frame = this.#stacks.frameAmong(this.#stacks.around(span))
    return frame && !isLibrary(frame.file) ? `${frame.file}(${String(frame.line)}): ${frame.name}` : ''
  }

  #perStep(sums: Sums): Row['step'] {
    return Object.fromEntries(Object.entries(sums).map(([id, sum]) => [id, sum / Math.max(1, this.#steps)]))
  }

  #shareOf(deviceNs: number): number | null {
    const { lengthNs } = this.#walk.inSteps
    return lengthNs > 0 ? deviceNs / lengthNs : null
  }
}

/** Operators lie in each other, so their own time counts; of the device before that of the host. */
function weight({ cells }: Row, kind: TableKind): number {
  const [device = '', host = ''] = kind === 'operators' ? ['selfDevice', 'selfHost'] : ['device', 'host']
  return Number(cells[device] ?? 0) * 1e6 + Number(cells[host] ?? 0)
}

/** @param share of its work that takes `ns` */
function addCost(tally: Tally, { cost, boundNs }: Costed, share: number, ns: number): void {
  tally.flops += share * cost.flops
  tally.bytes += share * cost.bytes
  tally.costedNs += ns
  if (Number.isNaN(boundNs)) return
  tally.boundNs += share * boundNs
  tally.boundedNs += ns
}

/** Per ns. */
const ratesOf = ({ flops, bytes, costedNs, boundNs, boundedNs }: Tally) => ({
  flops: flops > 0 ? flops / costedNs : null,
  bytes: costedNs > 0 ? bytes / costedNs : null,
  bound: boundedNs > 0 ? boundNs / boundedNs : null,
})

/**
 * 1 where a span is all that lies in another of its name: PyTorch counts the two as one
 * (EventList._remove_dup_nodes).
 */
function repeated(
  { span, parent }: { readonly span: Uint32Array; readonly parent: Int32Array },
  isSuch: (span: number) => boolean,
  nameOf: (span: number) => number,
): Uint8Array {
  const children = new Int32Array(span.length)
  const near = new Int32Array(span.length).fill(-1)
  const isSuchAt = new Uint8Array(span.length)
  for (let at = 0; at < span.length; at += 1) {
    const outer = near[parent[at] ?? -1] ?? -1
    isSuchAt[at] = Number(isSuch(span[at] ?? -1))
    near[at] = isSuchAt[at] === 1 ? at : outer
    if (isSuchAt[at] === 1 && outer >= 0) children[outer] = (children[outer] ?? 0) + 1
  }
  return Uint8Array.from(span, (own, at) => {
    const outer = near[parent[at] ?? -1] ?? -1
    const isOnly = isSuchAt[at] === 1 && outer >= 0 && children[outer] === 1
    return Number(isOnly && nameOf(own) === nameOf(span[outer] ?? -1))
  })
}

const severalText = (texts: ReadonlySet<string>, what: string): string =>
  texts.size > 1 ? `${String(texts.size)} ${what}` : ([...texts][0] ?? '')

/** Without numbers that differ from run to run: addresses of objects. */
const plainName = (name: string): string => name.replace(/ at 0x[0-9a-f]+/, '')
