/**
 * The events of a file as a trace: lanes, spans, instants, counters, arrows. Host time in ns from
 * the file's first time (of a file that the lab wrote: from its own zero). Spans of a lane may nest
 * and overlap, and none is dropped for it. Device lanes stand on a clock of the host's kind: the
 * writer has placed them already; the step of that clock is the bound that the file shows of it. Of
 * a file that the lab wrote they stand on the device's own clock again (lab-file.ts). Spans take
 * the place of the events that they are of (event-table.ts).
 */
import { counted, durationText } from '../../../base/figures'
import { lowerBound } from '../../../base/search'
import { isOnAxis, LIMITS } from '../../budget'
import { KIND_INDEX, ROLE_INDEX, SOURCE_INDEX, type TraceBuilder } from '../../builder'
import type { SpanKind, Trace } from '../../schema'
import * as category from '../../vendors'
import { jax } from '../../vendors/jax'
import { beginTrace } from './begin-trace'
import { CLASSES, classify, LOST, type Classes } from './classes'
import { collectiveReader, messageBytes } from './collectives'
import { joinByCorrelation, type Correlations } from './correlations'
import type { EventFile } from './event-file'
import { DRAWN, DRAWN_OPEN } from './event-table'
import { bindFlows, pairUp, type Pair } from './paired-events'
import { addKinetoFlows, kindOfCall, kindOfCategory } from './kineto-flows'
import { ticksFrom } from './exact-times'
import { KERNEL_DETAIL, KEY } from './kept-arguments'
import { LaneDrafts, type LaneDraft } from './lanes'
import { launchesOf } from './launches'
import {
  labSpanKind,
  labSpanRole,
  readLabFile,
  type LabFile,
  NO_TICKS,
  spanTicks,
  type LabClock,
  type TickTimes,
} from './lab-file'
import { COMPLETE, COUNTER, hasLane, isFlow, isHalf, METADATA } from './phases'
import { profilerSteps } from './profiler-steps'
import { type TraceFormat, whyNoDevice } from './run-info'
import { AXIS_NS, findTimeBase, OFF_AXIS } from './time-base'

export interface BuiltTrace {
  readonly trace: Trace
  readonly format: TraceFormat
  readonly notes: readonly string[]
}

const KIND_OF_CLASS = Uint8Array.from({ length: LOST }, (_, group) => KIND_INDEX[kindOfCategory(group)])
const { none: NO_ROLE, launch: LAUNCH } = ROLE_INDEX

/** About 20 ms. */
const ROWS_PER_TURN = 200_000
const MAX_COUNTERS = LIMITS.counters.most

/** Yields its progress from 0 to 1. */
export function* buildTrace(file: EventFile): Generator<number, BuiltTrace> {
  const building = new Building(file)
  yield 0.3
  yield* building.build()
  return building.result()
}

class Building {
  readonly #file: EventFile
  readonly #own: LabFile | null
  readonly #classes: Classes
  readonly #joins: Correlations
  readonly #lanes: LaneDrafts
  readonly #isKineto: boolean
  readonly #whyNoDevice: string | null
  readonly #collectives: ReturnType<typeof collectiveReader>
  readonly #isLaunch: ReturnType<typeof launchesOf>
  readonly #steps: ReturnType<typeof profilerSteps> | null
  readonly #out: TraceBuilder
  readonly #collectiveRows = new Set<number>()
  /** Row of the begin -> that of its span. */
  readonly #pairs = new Map<number, number>()
  readonly #counters = new Map<string, number>()
  readonly #kindsOf: (name: number) => { readonly ofCause: number; readonly ofOther: number }
  /** By category: of the lab's own files. */
  readonly #ownKind: (category: number) => SpanKind
  /** By lane: the device's clock, of the lab's own files. */
  readonly #clockOfLane: readonly (LabClock | undefined)[]
  #lastNs = 0

  constructor(file: EventFile) {
    this.#file = file
    this.#own = readLabFile(file.top)
    this.#classes = classify(file)
    const { baseUs, nsOf } = findTimeBase(file, this.#own ? 0 : null)
    this.#joins = joinByCorrelation(file, nsOf)
    const { devices, hasHost, vendor, steps } = this.#classes
    const isProfile =
      vendor !== null || devices.size > 0 || hasHost || file.top['schemaVersion'] !== undefined
    this.#isKineto = !this.#own && isProfile
    this.#lanes = new LaneDrafts(this.#own ? new Set() : devices, file.threads)
    this.#whyNoDevice = this.#lanes.devices.size === 0 ? whyNoDevice(file) : null
    this.#kindsOf = file.texts.asked((name) => {
      const use = category.callUseOf(name)
      const [ofCause, ofOther] = [true, false].map((isCause) => KIND_INDEX[kindOfCall(use, isCause)])
      return { ofCause: ofCause ?? 0, ofOther: ofOther ?? 0 }
    })
    this.#ownKind = file.texts.asked(labSpanKind)
    this.#collectives = collectiveReader(file, this.#joins)
    this.#isLaunch = launchesOf(file, this.#joins)
    this.#steps = this.#isKineto ? profilerSteps(file, steps) : null
    // Lanes first, in the order they will have: a builder's lanes cannot be moved.
    const { columns, length } = file.events
    const isKnown = new Uint8Array(CLASSES * (file.threads.pid.length + 1))
    columns.group.subarray(0, length).forEach((group, row) => {
      const thread = columns.thread[row] ?? 0
      const both = CLASSES * thread + group
      if (isKnown[both] === 1 || !hasLane(columns.phase[row] ?? 0)) return
      isKnown[both] = 1
      this.#lanes.of(thread, group)
    })
    const begun = beginTrace(file, this.#own, this.#classes.names, this.#lanes, {
      baseUs,
      isKineto: this.#isKineto,
      leadNs: this.#joins.leadNs,
    })
    this.#out = begun.builder
    this.#clockOfLane = begun.clockOfLane
  }

  result(): BuiltTrace {
    const { vendor } = this.#classes
    const format = vendor === jax ? 'xla-profiler' : this.#isKineto ? 'torch-profiler' : 'trace-event'
    const { leads, leadNs, unjoined, outOfOrder: records, strayNs } = this.#joins
    const notes = [
      ...(records > 0
        ? [
            `${counted(records, 'device record')} ${records === 1 ? 'is' : 'are'} out of order, up to ${durationText(strayNs)} before the launching call: left out.`,
          ]
        : []),
      ...(leads > 0
        ? [
            `Device work begins before its call ${counted(leads, 'time')}, by up to ${durationText(leadNs)}: its times are off by at least that.`,
          ]
        : []),
      ...(this.#whyNoDevice === null ? [] : [this.#whyNoDevice]),
      ...(unjoined > 0
        ? [`The file does not say which call launched ${counted(unjoined, 'device span')}.`]
        : []),
    ]
    return { trace: this.#out.freeze(), format, notes }
  }

  *build(): Generator<number, void> {
    const { events } = this.#file
    const { columns, length } = events
    const halves: number[] = []
    const flows: number[] = []
    const rows = columns.phase.subarray(0, length)
    for (let from = 0; from < length; from += ROWS_PER_TURN) {
      yield 0.3 + (0.3 * from) / length
      rows.subarray(from, from + ROWS_PER_TURN).forEach((phase, at) => {
        const row = from + at
        if (phase === METADATA || columns.group[row] === LOST) return
        if (phase === COMPLETE) this.#drawComplete(row)
        else if (isFlow(phase)) flows.push(row)
        else this.#read(row, phase, halves)
      })
    }
    yield 0.6
    for (const pair of pairUp(this.#file, halves)) this.#drawPair(pair)
    const spanOf = (row: number) => (events.columns.drawn[row] ? row : (this.#pairs.get(row) ?? -1))
    if (this.#isKineto) addKinetoFlows(this.#file, this.#joins, spanOf, this.#out)
    bindFlows(this.#file, flows, spanOf, this.#out)
    yield* this.#write(length)
  }

  #read(row: number, phase: number, halves: number[]): void {
    const lane = this.#laneAt(row)
    const startNs = this.#file.events.nsOf(row)
    if (!lane || !isOnAxis(this.#time(startNs))) this.#skip(row, phase)
    else if (isHalf(phase)) halves.push(row)
    else if (phase === COUNTER) this.#addCounter(row, lane, startNs)
    else this.#addInstant(row, lane, this.#time(startNs))
  }

  /** Leaves out what has no lane, no time or no duration. */
  #skip(row: number, phase: number): void {
    const { step, time, durationNs } = this.#file.events.columns
    const startNs = time[row] ?? Number.NaN
    const lastsNs = durationNs[row] ?? Number.NaN
    const reason = !this.#laneAt(row)
      ? isHalf(phase) || phase === COMPLETE
        ? 'there are too many lanes'
        : `phase '${String.fromCharCode(phase)}' is not drawn`
      : Number.isNaN(startNs) && step[row] === 0
        ? 'its time (ts) is not a finite number'
        : !isOnAxis(this.#time(startNs)) || lastsNs >= 0
          ? OFF_AXIS
          : lastsNs < 0
            ? 'its duration is negative'
            : 'its duration (dur) is not a finite number'
    this.#file.skip(reason, row)
  }

  /** Of the lab's own files: undefined where the row is on no device's clock. */
  #clockOf(row: number): LabClock | undefined {
    return this.#clockOfLane[this.#laneAt(row)?.id ?? -1]
  }

  #ticksOf(row: number): TickTimes | null {
    const clock = this.#clockOf(row)
    return clock
      ? spanTicks(clock, this.#file.tick(row, KEY.begin_ns), this.#file.tick(row, KEY.end_ns))
      : null
  }

  /** Null: it is not drawn. */
  #laneAt(row: number): LaneDraft | null {
    const { phase, thread, group } = this.#file.events.columns
    return hasLane(phase[row] ?? 0) ? this.#lanes.find(thread[row] ?? 0, group[row] ?? 0) : null
  }

  #nameOf(row: number): string {
    return this.#file.texts.text(this.#file.events.columns.name[row] ?? 0)
  }

  #time(ns: number): number {
    return ns + (this.#own?.zeroNs ?? 0)
  }

  #drawComplete(row: number): void {
    const { time, durationNs } = this.#file.events.columns
    const startNs = time[row] ?? Number.NaN
    const lastsNs = durationNs[row] ?? Number.NaN
    const endNs = startNs + lastsNs
    const hasTimes = isOnAxis(this.#time(startNs)) && lastsNs >= 0 && isOnAxis(this.#time(endNs))
    if (hasTimes && lastsNs <= AXIS_NS && this.#laneAt(row)) this.#draw(row, row, endNs, DRAWN)
    else this.#skip(row, COMPLETE)
  }

  /** A row of its own, behind all others, with the end in the place of its duration. */
  #drawPair({ begin, startNs, endNs: saidNs }: Pair): void {
    const { events, details } = this.#file
    if (!this.#laneAt(begin)) return
    const isOpen = Number.isNaN(saidNs)
    const endNs = isOpen ? Math.max(startNs, this.#lastNs) : saidNs
    const row = events.copyRow(begin)
    events.columns.durationNs[row] = endNs
    const detail = lowerBound(details.columns.span, begin, details.length)
    if (details.columns.span[detail] === begin && detail < details.length)
      details.columns.span[details.copyRow(detail)] = row
    this.#pairs.set(begin, row)
    this.#draw(row, begin, endNs, isOpen ? DRAWN_OPEN : DRAWN)
  }

  /** @param event its row, or of a pair that of the begin */
  #draw(row: number, event: number, endNs: number, how: number): void {
    const { events, pidOf } = this.#file
    const { columns } = events
    this.#lastNs = Math.max(this.#lastNs, endNs)
    const group = columns.group[row] ?? 0
    const isWork = category.isDeviceWork(group)
    const { calls, strays } = this.#joins
    if (isWork && strays.size > 0 && strays.has(event)) return
    if (this.#own && this.#clockOf(row) && !this.#ticksOf(row)) {
      this.#file.skip(NO_TICKS, row)
      return
    }
    columns.drawn[row] = how
    if (this.#own) {
      if (this.#ownKindOf(row) !== 'collective') return
      const { operation, ...rest } = this.#file.collective(row)
      if (operation !== undefined) this.#out.addCollective({ operation, ...rest, span: row })
      return
    }
    const call = isWork ? (calls[columns.key[row] ?? 0] ?? -1) : row
    columns.step[row] = call < 0 ? -1 : (this.#steps?.at(pidOf(call), events.nsOf(call)) ?? -1)
    if (!this.#collectives.has(row, event)) return
    const collective = this.#collectives.read(row)
    columns.bytes[row] = messageBytes(collective) ?? Number.NaN
    this.#collectiveRows.add(row)
    this.#out.addCollective({ ...collective, span: row })
  }

  /** Spans and details in the place of the events; those that are left out have none. */
  *#write(read: number): Generator<number, void> {
    const { events, details } = this.#file
    const { columns, length } = events
    const rows = columns.drawn.subarray(0, length)
    const numberOf = new Uint32Array(length)
    const strings = new Int32Array(this.#file.texts.size)
    let spans = 0
    rows.forEach((drawn, row) => {
      if (drawn === 0) return
      numberOf[row] = spans
      strings[columns.name[row] ?? 0] = 1
      spans += 1
    })
    this.#numberDetails(numberOf, strings)
    for (let text = strings.indexOf(1); text >= 0; text = strings.indexOf(1, text + 1))
      strings[text] = this.#out.string(this.#file.texts.text(text))
    const special = this.#specialKinds(numberOf)
    const eventOf = new Map(Array.from(this.#pairs, ([event, row]) => [row, event]))
    for (let from = 0; from < length; from += ROWS_PER_TURN) {
      yield 0.7 + (0.3 * from) / length
      rows.subarray(from, from + ROWS_PER_TURN).forEach((drawn, at) => {
        if (drawn === 0) return
        const row = from + at
        const span = numberOf[row] ?? 0
        const endNs = row < read ? events.endNsOf(row) : (columns.durationNs[row] ?? 0)
        if (this.#own) this.#writeOwn(span, row, endNs)
        else this.#writeSpan(span, row, row < read ? row : (eventOf.get(row) ?? row), endNs, strings)
      })
    }
    const { kind, variant, repeat, line, flops } = events.spans.columns
    if (!this.#own) {
      for (const column of [variant, repeat, line]) column.fill(-1, 0, spans)
      flops.fill(Number.NaN, 0, spans)
    }
    for (const [span, is] of special) kind[span] = KIND_INDEX[is]
    const { shape, form, values } = details.columns
    const stringOf = (text = 0) => (text > 0 ? (strings[text] ?? 0) : -1)
    shape.subarray(0, details.length).forEach((text, at) => {
      shape[at] = stringOf(text)
      form[at] = stringOf(form[at])
      values[at] = stringOf(values[at])
    })
    this.#out.renumberSpans(spans, numberOf)
  }

  /** Keeps the details of spans that are what the details are of. */
  #numberDetails(numberOf: Uint32Array, strings: Int32Array): void {
    const { details, events } = this.#file
    const { span, shape, form, values } = details.columns
    const { drawn, group } = events.columns
    const [unnamed = 0] = strings
    let kept = 0
    span.subarray(0, details.length).forEach((row, at) => {
      const isMeant = values[at] === KERNEL_DETAIL ? category.KERNEL : category.OPERATOR
      if (drawn[row] === 0 || group[row] !== isMeant) return
      span[kept] = numberOf[row] ?? 0
      shape[kept] = shape[at] ?? 0
      form[kept] = form[at] ?? 0
      values[kept] = Math.max(0, values[at] ?? 0)
      strings[shape[kept] ?? 0] = strings[form[kept] ?? 0] = strings[values[kept] ?? 0] = 1
      kept += 1
    })
    strings[0] = unnamed // details without a text have no string
    details.cut(kept)
  }

  /** Kinds of spans that the class does not tell, by span: few. */
  #specialKinds(numberOf: Uint32Array): ReadonlyMap<number, SpanKind> {
    const { drawn, group } = this.#file.events.columns
    const kinds = new Map<number, SpanKind>()
    for (const event of this.#steps?.rows ?? []) {
      const row = this.#pairs.get(event) ?? event
      if (drawn[row] !== 0 && category.isOnHost(group[row] ?? 0)) kinds.set(numberOf[row] ?? 0, 'window')
    }
    for (const row of this.#collectiveRows) kinds.set(numberOf[row] ?? 0, 'collective')
    return kinds
  }

  /** What no profile says is written for all at once. */
  #writeSpan(span: number, row: number, event: number, endNs: number, strings: Int32Array): void {
    const { columns, spans } = this.#file.events
    const to = spans.columns
    const group = columns.group[row] ?? 0
    const isCall = group === category.CALL
    const submission = isCall || category.isDeviceWork(group) ? this.#joins.submissionOf(row) : -1
    const role = isCall && this.#isLaunch(row, event) ? LAUNCH : NO_ROLE
    const kind = isCall ? this.#kindOfCall(row) : (KIND_OF_CLASS[group] ?? 0)
    to.lane[span] = this.#lanes.find(columns.thread[row] ?? 0, group)?.id ?? 0
    to.kind[span] = kind
    to.role[span] = role
    to.source[span] = columns.drawn[row] === DRAWN_OPEN ? SOURCE_INDEX.inferred : SOURCE_INDEX.imported
    to.start[span] = this.#time(columns.time[row] ?? 0)
    to.end[span] = this.#time(endNs)
    to.name[span] = strings[columns.name[row] ?? 0] ?? 0
    to.submission[span] = submission
    to.step[span] = columns.step[row] ?? -1
    to.bytes[span] = columns.bytes[row] ?? Number.NaN
  }

  #addInstant(row: number, lane: LaneDraft, timeNs: number): void {
    const [clock, tick] = [this.#clockOf(row), this.#file.tick(row, KEY.at_ns)]
    const time = !clock ? timeNs : tick ? ticksFrom(clock.origin, tick) : Number.NaN
    if (isOnAxis(time)) this.#out.addInstant({ lane: lane.id, time, name: this.#nameOf(row) })
    else this.#file.skip(NO_TICKS, row)
  }

  #writeOwn(span: number, row: number, endNs: number): void {
    const lane = this.#laneAt(row)
    if (!lane) return
    const file = this.#file
    const { events } = file
    const source = file.text(row, KEY.source)
    const line = file.integer(row, KEY.line)
    const ticks = this.#ticksOf(row)
    const ownSource = source === 'inferred' || source === 'imported' ? source : 'measured'
    this.#out.setSpan(span, {
      lane: lane.id,
      kind: this.#ownKindOf(row),
      role: labSpanRole(file.text(row, KEY.role)),
      source: events.columns.drawn[row] === DRAWN_OPEN ? 'inferred' : ownSource,
      start: ticks ? ticks.start : this.#time(events.nsOf(row)),
      end: ticks ? ticks.end : this.#time(endNs),
      name: this.#nameOf(row),
      submission: file.integer(row, KEY.submission),
      variant: file.text(row, KEY.variant) || undefined,
      repeat: file.integer(row, KEY.repeat),
      step: file.integer(row, KEY.step),
      line: line !== undefined && line >= 1 ? line : undefined,
      bytes: file.finite(row, KEY.bytes),
      flops: file.finite(row, KEY.flops),
    })
  }

  #ownKindOf(row: number): SpanKind {
    return this.#ownKind(this.#file.events.columns.category[row] ?? 0)
  }

  #kindOfCall(row: number): number {
    const { name, key } = this.#file.events.columns
    const kinds = this.#kindsOf(name[row] ?? 0)
    return this.#joins.causes[key[row] ?? 0] === 1 ? kinds.ofCause : kinds.ofOther
  }

  #addCounter(row: number, lane: LaneDraft, timeNs: number): void {
    const name = this.#nameOf(row)
    const series = this.#file.series(row)
    if (series.length === 0) this.#file.skip('a counter without a finite number', row)
    for (const { key, value } of series) {
      const id = `${String(lane.id)} ${key} ${name}`
      let counter = this.#counters.get(id)
      if (counter === undefined) {
        if (this.#counters.size >= MAX_COUNTERS) {
          this.#file.skip(`there are more than ${String(MAX_COUNTERS)} counters`, row)
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
