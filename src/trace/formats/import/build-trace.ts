/**
 * The events of a file as a trace: lanes, spans, instants, counters, arrows. Host time in ns from
 * the file's first time (of a file that the lab wrote: from its own zero). Spans of a lane may nest
 * and overlap, and none is dropped for it. Device lanes stand on a clock of the host's kind: the
 * writer has placed them already; the step of that clock is the bound that the file shows of it. Of
 * a file that the lab wrote they stand on the device's own clock again, where that can be restored
 * (lab-clocks.ts).
 */
import { counted, durationText } from '../../../base/figures'
import { isOnAxis, LIMITS } from '../../budget'
import { TraceBuilder } from '../../builder'
import type { RunInfo, SpanKind, SpanSource, Trace } from '../../schema'
import { EventArguments } from './arguments'
import * as category from '../../vendors'
import { jax } from '../../vendors/jax'
import { classify, LOST, type Classes } from './classes'
import { CollectiveReader, messageBytes } from './collectives'
import { joinByCorrelation, type Correlations } from './correlations'
import { DetailReader } from './details'
import type { EventFile } from './event-reader'
import type { FileNames } from './file-names'
import { bindFlows } from './flow-events'
import { addKinetoFlows, kindOfCall, kindOfCategory } from './kineto-flows'
import { LaneDrafts, type LaneDraft } from './lanes'
import { Launches } from './launches'
import { nameLanes, type NewLane } from './lane-names'
import { instantTick, spanTicks, threadName, type LabClock } from './lab-clocks'
import { labSpanKind, labSpanRole, readLabFile, type LabFile } from './lab-file'
import { isHalf, pairUp } from './pairs'
import { isMps, MPS } from './mps'
import { ProfilerSteps } from './profiler-steps'
import { describeRun, type TraceFormat } from './run-info'
import { AXIS_NS, findTimeBase, OFF_AXIS, type TimeBase } from './time-base'

export interface BuiltTrace {
  readonly trace: Trace
  readonly format: TraceFormat
  readonly notes: readonly string[]
}

const PH = {
  complete: 0x58, // X
  metadata: 0x4d, // M
  counter: 0x43, // C
  instants: new Set([0x69, 0x49, 0x6e, 0x52]), // i I n R
  flows: new Set([0x73, 0x74, 0x66]), // s t f
}
const ROWS_PER_TURN = 50_000
/** More than there may be. */
const NO_LANE = 0xffff
const MAX_COUNTERS = LIMITS.counters.most

/** Yields its progress from 0 to 1. */
export function* buildTrace(file: EventFile): Generator<number, BuiltTrace> {
  const own = readLabFile(file.top)
  const args = new EventArguments(file)
  const classes = classify(file, args)
  const { devices, hasCalls, vendor } = classes
  // A profile of a CPU alone has neither.
  const isKineto =
    !own && (vendor !== null || devices.size > 0 || hasCalls || file.top['schemaVersion'] !== undefined)
  const base = findTimeBase(file, classes.of, own ? 0 : null)
  const joins = yield* part(0, 0.3, joinByCorrelation(file, classes.of, base))
  const lanes = new LaneDrafts(own ? new Set() : devices)
  const builder = new Building(file, args, classes, base, joins, lanes, own)
  yield* part(0.3, 1, builder.build(isKineto))
  return builder.result(vendor === jax ? 'xla-profiler' : isKineto ? 'torch-profiler' : 'trace-event')
}

function* part<T>(from: number, to: number, steps: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    yield from + (to - from) * step.value
  }
}

class Building {
  readonly #file: EventFile
  readonly #classes: Uint8Array
  readonly #names: FileNames
  readonly #stepOf: Classes['steps']
  readonly #base: TimeBase
  readonly #joins: Correlations
  readonly #lanes: LaneDrafts
  readonly #own: LabFile | null
  readonly #arguments: EventArguments
  readonly #collectives: CollectiveReader
  readonly #details: DetailReader
  readonly #launches: Launches
  readonly #spanOf: Int32Array
  readonly #counters = new Map<string, number>()
  /** By name: of calls. */
  readonly #uses: category.CallUse[] = []
  /** By category: of the lab's own files. */
  readonly #ownKinds: SpanKind[] = []
  /** By lane: the device's clock, where the file has told it. */
  #clockOfLane: readonly (LabClock | undefined)[] = []
  #builder: TraceBuilder | null = null
  #steps: ProfilerSteps | null = null
  #lastNs = 0

  constructor(
    file: EventFile,
    args: EventArguments,
    { of: classes, names, steps }: Classes,
    base: TimeBase,
    joins: Correlations,
    lanes: LaneDrafts,
    own: LabFile | null,
  ) {
    this.#file = file
    this.#classes = classes
    this.#names = names
    this.#stepOf = steps
    this.#base = base
    this.#joins = joins
    this.#lanes = lanes
    this.#own = own
    this.#arguments = args
    this.#collectives = new CollectiveReader(file, classes, joins, this.#arguments)
    this.#details = new DetailReader(file)
    this.#launches = new Launches(file, classes, base, joins)
    this.#spanOf = new Int32Array(file.events.length).fill(-1)
  }

  result(format: TraceFormat): BuiltTrace {
    const { leads, leadNs, unjoined, outOfOrder: records, strayNs } = this.#joins
    const notes = [
      ...(records > 0
        ? [
            `${counted(records, 'record')} of a device ${records === 1 ? 'is' : 'are'} out of order, up to ${durationText(strayNs)} before the call that launched it: left out.`,
          ]
        : []),
      ...(leads > 0
        ? [
            `The device is seen at work before its call began ${counted(leads, 'time')}, by up to ${durationText(leadNs)}: its times are off by at least that.`,
          ]
        : []),
      ...(this.#lanes.devices.size === 0 && isMps(this.#file) ? [MPS] : []),
      ...(unjoined > 0 ? [`${String(unjoined)} spans of a device name no call of the host.`] : []),
    ]
    return { trace: this.#out.freeze(), format, notes }
  }

  get #out(): TraceBuilder {
    if (!this.#builder) throw new Error('the trace is not begun')
    return this.#builder
  }

  *build(isKineto: boolean): Generator<number, void> {
    const { events } = this.#file
    const { columns, length } = events
    const halves: number[] = []
    const flows: number[] = []
    const laneOf = new Uint16Array(length).fill(NO_LANE)
    let spans = 0
    // Lanes first, in the order they will have: a builder's lanes cannot be moved.
    for (let row = 0; row < length; row += 1) {
      if (row % ROWS_PER_TURN === 0) yield (0.1 * row) / length
      const phase = columns.phase[row] ?? 0
      const isSpan = phase === PH.complete || isHalf(phase)
      if (!isSpan && phase !== PH.counter && !PH.instants.has(phase)) continue
      if (isSpan) spans += 1
      const lane = this.#lanes.of(columns.pid[row] ?? 0, columns.tid[row] ?? 0, this.#groupOf(row))
      if (lane) laneOf[row] = lane.order
    }
    this.#begin(isKineto, laneOf, spans)
    if (isKineto) this.#steps = new ProfilerSteps(this.#file, this.#base, this.#classes, this.#stepOf)
    for (let row = 0; row < length; row += 1) {
      if (row % ROWS_PER_TURN === 0) yield 0.1 + (0.7 * row) / length
      const phase = columns.phase[row] ?? 0
      if (phase === PH.metadata || this.#classes[row] === LOST) continue
      if (PH.flows.has(phase)) {
        flows.push(row)
        continue
      }
      const lane = this.#laneAt(laneOf, row)
      const startNs = this.#base.nsOf(row)
      if (!lane)
        this.#skip(
          isHalf(phase) || phase === PH.complete
            ? 'there are too many lanes'
            : `phase '${String.fromCharCode(phase)}' is not drawn`,
          row,
        )
      else if (!isOnAxis(this.#time(startNs)))
        this.#skip(Number.isNaN(columns.wholeUs[row]) ? 'its time (ts) is no finite number' : OFF_AXIS, row)
      else if (phase === PH.complete) this.#addComplete(row, lane, startNs)
      else if (isHalf(phase)) halves.push(row)
      else if (phase === PH.counter) this.#addCounter(row, lane, startNs)
      else this.#addInstant(row, lane, this.#time(startNs))
    }
    yield 0.8
    const pairs = pairUp(this.#file, this.#base, halves)
    yield 0.82
    for (const { begin, startNs, endNs } of pairs) {
      const lane = this.#laneAt(laneOf, begin)
      const isOpen = Number.isNaN(endNs)
      if (lane) this.#addSpan(begin, lane, startNs, isOpen ? Math.max(startNs, this.#lastNs) : endNs, isOpen)
    }
    if (isKineto)
      yield* addKinetoFlows(this.#file, this.#base, this.#classes, this.#joins, this.#spanOf, this.#out)
    yield 0.9
    bindFlows(this.#file, this.#base, flows, this.#spanOf, this.#out)
    yield 1
  }

  #begin(isKineto: boolean, laneOf: Uint16Array, spans: number): void {
    const lanes: NewLane[] = []
    const clockOfLane: (LabClock | undefined)[] = []
    nameLanes(this.#file, this.#names, this.#lanes, this.#own, (lane, { pid, tid }) => {
      const thread = threadName(this.#file.texts.text(pid), this.#file.texts.text(tid))
      if (lane.kind === 'device')
        clockOfLane[lanes.length] = this.#own?.clocks.find(({ threads }) => threads.has(thread))
      return lanes.push(lane) - 1
    })
    const untrue = this.#untrueClocks(clockOfLane, laneOf)
    this.#clockOfLane = clockOfLane.map((clock) => (clock && untrue.has(clock) ? undefined : clock))
    const { info, originMs, stepNs, deviceStepNs } = describeRun(
      this.#file,
      this.#own,
      this.#base,
      isKineto,
      this.#lanes.devices,
      this.#joins.leadNs,
      this.#arguments,
      lanes.some(({ kind }, id) => kind === 'device' && !this.#clockOfLane[id]),
    )
    const builder = new TraceBuilder(info satisfies RunInfo, { originMs, stepNs }, spans)
    this.#builder = builder
    const needsDeviceClock = deviceStepNs !== stepNs
    const drawnClock = needsDeviceClock
      ? builder.addClock({
          kind: 'host', // one clock: the file's writer has put the device on it
          name: 'device, as the file places it',
          originMs,
          originTick: '0',
          stepNs: deviceStepNs,
        })
      : 0
    const restored = new Map<LabClock, number>()
    for (const clock of this.#own?.clocks ?? []) {
      if (!this.#clockOfLane.includes(clock)) continue
      const { name, stepNs: tickNs, originTick, brackets } = clock
      const id = builder.addClock({ kind: 'device', name, originMs: 0, originTick, stepNs: tickNs })
      for (const bracket of brackets) builder.addSnapshot({ clock: id, ...bracket })
      restored.set(clock, id)
    }
    for (const [id, lane] of lanes.entries()) {
      const own = this.#clockOfLane[id]
      const clock = own ? restored.get(own) : undefined
      builder.addLane({ ...lane, clock: clock ?? (lane.kind === 'device' ? drawnClock : 0) })
    }
  }

  /** Clocks of whose lanes something is drawn elsewhere than its ticks say, or has none. */
  #untrueClocks(clockOfLane: readonly (LabClock | undefined)[], laneOf: Uint16Array): ReadonlySet<LabClock> {
    const untrue = new Set<LabClock>()
    if (!this.#own) return untrue
    const { columns, length } = this.#file.events
    for (let row = 0; row < length; row += 1) {
      const clock = clockOfLane[this.#laneAt(laneOf, row)?.id ?? -1]
      if (!clock || untrue.has(clock)) continue
      const phase = columns.phase[row] ?? 0
      const startNs = this.#time(this.#base.nsOf(row))
      // What is left out anyway, for its times, is not asked.
      if (phase === PH.counter || Number.isNaN(startNs)) continue
      const said = this.#arguments.ofSpan(row)
      const durationNs = columns.durationNs[row] ?? Number.NaN
      const isComplete = phase === PH.complete
      if (isComplete && !(durationNs >= 0 && durationNs <= AXIS_NS)) continue
      const ticks = isComplete
        ? spanTicks(clock, said, startNs, startNs + durationNs)
        : PH.instants.has(phase)
          ? instantTick(clock, said, startNs)
          : null
      if (ticks === null) untrue.add(clock)
    }
    return untrue
  }

  /** Null: it is not drawn. */
  #laneAt(laneOf: Uint16Array, row: number): LaneDraft | null {
    return this.#lanes.all[laneOf[row] ?? NO_LANE] ?? null
  }

  #groupOf(row: number): number {
    return this.#classes[row] ?? 0
  }

  #nameOf(row: number): string {
    return this.#file.texts.text(this.#file.events.columns.name[row] ?? 0)
  }

  #time(ns: number): number {
    return ns + (this.#own?.zeroNs ?? 0)
  }

  #skip(reason: string, row: number): void {
    const { columns } = this.#file.events
    this.#file.warnings.add(reason, columns.index[row] ?? 0, columns.byte[row] ?? 0)
  }

  #addComplete(row: number, lane: LaneDraft, startNs: number): void {
    const durationNs = this.#file.events.columns.durationNs[row] ?? Number.NaN
    if (durationNs < 0) this.#skip('its duration is negative', row)
    else if (durationNs > AXIS_NS || !isOnAxis(this.#time(startNs + durationNs))) this.#skip(OFF_AXIS, row)
    else if (!(durationNs >= 0)) this.#skip('its duration (dur) is no finite number', row)
    else this.#addSpan(row, lane, startNs, startNs + durationNs, false)
  }

  #addSpan(row: number, lane: LaneDraft, startNs: number, endNs: number, isOpen: boolean): void {
    const { columns } = this.#file.events
    this.#lastNs = Math.max(this.#lastNs, endNs)
    const group = this.#groupOf(row)
    if (category.isDeviceWork(group) && this.#joins.strays.has(row)) return
    const source: SpanSource = isOpen ? 'inferred' : 'imported'
    if (this.#own) {
      this.#addOwnSpan(row, lane, startNs, endNs, isOpen)
      return
    }
    const correlation = this.#joins.ofRow[row] ?? 0
    const call = category.isDeviceWork(group) ? (this.#joins.calls[correlation] ?? -1) : row
    const collective = this.#collectives.has(row) ? this.#collectives.read(row) : null
    // Every property, always: a literal of one shape is what makes a million of them quick.
    const span = this.#out.addSpan({
      lane: lane.id,
      kind: collective ? 'collective' : this.#kindOf(row, group, correlation),
      role: group === category.CALL && this.#launches.has(row) ? 'launch' : undefined,
      source,
      start: this.#time(startNs),
      end: this.#time(endNs),
      name: this.#nameOf(row),
      submission: category.isDeviceWork(group) || group === category.CALL ? this.#joins.submissions[row] : -1,
      variant: undefined,
      repeat: undefined,
      step: call < 0 ? undefined : this.#steps?.at(columns.pid[call] ?? 0, this.#base.nsOf(call)),
      line: undefined,
      bytes: collective ? messageBytes(collective) : this.#joins.sizeBytes.get(row),
      flops: undefined,
    })
    this.#spanOf[row] = span
    if (collective) this.#out.addCollective({ ...collective, span })
    if (group !== category.OPERATOR && group !== category.KERNEL) return
    const detail = this.#details.read(row, group, this.#nameOf(row), span)
    if (detail) this.#out.addDetail(detail)
  }

  #addInstant(row: number, lane: LaneDraft, timeNs: number): void {
    const clock = this.#clockOfLane[lane.id]
    const tick = clock ? instantTick(clock, this.#arguments.ofSpan(row), timeNs) : null
    this.#out.addInstant({ lane: lane.id, time: tick ?? timeNs, name: this.#nameOf(row) })
  }

  #addOwnSpan(row: number, lane: LaneDraft, startNs: number, endNs: number, isOpen: boolean): void {
    const { texts, events } = this.#file
    const said = this.#arguments.ofSpan(row)
    const category = events.columns.category[row] ?? 0
    const source = texts.text(said.source)
    const clock = this.#clockOfLane[lane.id]
    const [fromNs, toNs] = [this.#time(startNs), this.#time(endNs)]
    const ticks = clock ? spanTicks(clock, said, fromNs, toNs) : null
    const ownSource = source === 'inferred' || source === 'imported' ? source : 'measured'
    const kind = (this.#ownKinds[category] ??= labSpanKind(texts.text(category)))
    const name = this.#nameOf(row)
    const span = this.#out.addSpan({
      lane: lane.id,
      kind,
      role: labSpanRole(texts.text(said.role)),
      source: isOpen ? 'inferred' : ownSource,
      start: ticks ? ticks.start : fromNs,
      end: ticks ? ticks.end : toNs,
      name,
      submission: said.submission,
      variant: said.variant === 0 ? undefined : texts.text(said.variant),
      repeat: said.repeat,
      step: said.step,
      line: said.line !== undefined && said.line >= 1 ? said.line : undefined,
      bytes: said.bytes,
      flops: said.flops,
    })
    this.#spanOf[row] = span
    if (kind !== 'collective') return
    const { operation, ...rest } = this.#arguments.ofCollective(row)
    if (operation !== undefined) this.#out.addCollective({ operation, ...rest, span })
  }

  #kindOf(row: number, group: number, correlation: number): SpanKind {
    if (category.isOnHost(group) && this.#steps?.isStep(row) === true) return 'window'
    if (group !== category.CALL) return kindOfCategory(group)
    const name = this.#file.events.columns.name[row] ?? 0
    const use = (this.#uses[name] ??= category.callUseOf(this.#file.texts.text(name)))
    return kindOfCall(use, this.#joins.causes[correlation] === 1)
  }

  #addCounter(row: number, lane: LaneDraft, timeNs: number): void {
    const name = this.#nameOf(row)
    const series = this.#arguments.series(row)
    if (series.length === 0) this.#skip('a counter without a finite number', row)
    for (const { key, value } of series) {
      const id = `${String(lane.id)} ${key} ${name}`
      let counter = this.#counters.get(id)
      if (counter === undefined) {
        if (this.#counters.size >= MAX_COUNTERS) {
          this.#skip(`there are more than ${String(MAX_COUNTERS)} counters`, row)
          continue
        }
        const unit = this.#own ? (key === 'value' ? '' : key) : ''
        const shown = this.#own || key === '' || key === 'value' ? name : `${name} ${key}`
        counter = this.#out.addCounter({ name: shown, unit, lane: lane.id })
        this.#counters.set(id, counter)
      }
      this.#out.addCounterSample(counter, this.#time(timeNs), value)
    }
  }
}
