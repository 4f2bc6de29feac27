/**
 * Arguments of events, read when they are wanted: names from metadata, what the lab itself wrote of
 * a span, a counter's values.
 */
import { LIMITS } from '../../budget'
import { isScalar, type EventFile } from './event-reader'
import type { Collective } from '../../collectives'
import { KEY, type VisitArgument } from './kept-arguments'
import type { RawTick } from './raw-tick'

/**
 * What the lab writes of a span. One object, filled anew for each: a file has a million of them.
 */
export interface SpanArguments {
  /** Text number; 0: none. */
  variant: number
  source: number
  role: number
  repeat: number | undefined
  step: number | undefined
  line: number | undefined
  submission: number | undefined
  bytes: number | undefined
  flops: number | undefined
  uncertaintyUs: number
  /** Raw ticks of a device span, and of an instant; null: none. */
  beginTick: RawTick | null
  endTick: RawTick | null
  atTick: RawTick | null
}

/**
 * Keys of torch.profiler, which the lab's own files have too; but for the last two, which only
 * these have.
 */
const COLLECTIVE_KEY = {
  [KEY['Collective name']]: 'operation',
  [KEY['Process Group Name']]: 'group',
  [KEY['Process Group Ranks']]: 'ranks',
  [KEY.dtype]: 'dtype',
  [KEY['Group size']]: 'groupSize',
  [KEY['Dst Rank']]: 'to',
  [KEY['Src Rank']]: 'from',
  [KEY.Seq]: 'sequence',
  [KEY['In msg nelems']]: 'elementsIn',
  [KEY['Out msg nelems']]: 'elementsOut',
  [KEY['External id']]: 'externalId',
  [KEY.match]: 'match',
  [KEY.wait_us]: 'waitUs',
} as const satisfies Readonly<Record<number, string>>

/** What a file says of a collective. */
export interface CollectiveArguments extends Omit<Collective, 'row' | 'span' | 'operation'> {
  readonly operation: string | undefined
  /** '' where there is none. */
  readonly externalId: string
}
const LARGEST = 2 ** 31 - 1

export class EventArguments {
  readonly #file: EventFile

  constructor(file: EventFile) {
    this.#file = file
  }

  #each(row: number, visit: VisitArgument): void {
    const { args, events } = this.#file
    args.each(events.columns.args[row] ?? 0, visit)
  }

  /** One argument as text; '' where it is not there. */
  text(row: number, wanted: number): string {
    let text = 0
    this.#each(row, (key, type, value) => {
      if (key === wanted && isScalar(type)) text = value
    })
    return this.#file.texts.text(text)
  }

  /** What the lab wrote of a span (trace-event.ts). Valid until the next call. */
  ofSpan(row: number): Readonly<SpanArguments> {
    const said = this.#span
    said.variant = said.source = said.role = said.uncertaintyUs = 0
    said.beginTick = said.endTick = said.atTick = null
    said.repeat = said.step = said.line = said.submission = said.bytes = said.flops = undefined
    this.#each(row, this.#readSpan)
    return said
  }

  readonly #span: SpanArguments = {
    variant: 0,
    source: 0,
    role: 0,
    repeat: undefined,
    step: undefined,
    line: undefined,
    submission: undefined,
    bytes: undefined,
    flops: undefined,
    uncertaintyUs: 0,
    beginTick: null,
    endTick: null,
    atTick: null,
  }

  readonly #readSpan: VisitArgument = (key, type, value) => {
    if (!isScalar(type)) return
    const said = this.#span
    switch (key) {
      case KEY.variant:
        said.variant = value
        break
      case KEY.source:
        said.source = value
        break
      case KEY.role:
        said.role = value
        break
      case KEY.repeat:
        said.repeat = this.#integer(value)
        break
      case KEY.step:
        said.step = this.#integer(value)
        break
      case KEY.line:
        said.line = this.#integer(value)
        break
      case KEY.submission:
        said.submission = this.#integer(value)
        break
      case KEY.bytes:
        said.bytes = this.#finite(value)
        break
      case KEY.flops:
        said.flops = this.#finite(value)
        break
      case KEY.uncertainty_us:
        said.uncertaintyUs = this.#finite(value) ?? 0
        break
      case KEY.begin_ns:
        said.beginTick = this.#file.texts.tick(value)
        break
      case KEY.end_ns:
        said.endTick = this.#file.texts.tick(value)
        break
      case KEY.at_ns:
        said.atTick = this.#file.texts.tick(value)
        break
      default: // of something else
    }
  }

  #finite(text: number): number | undefined {
    const value = this.#file.texts.number(text)
    return Number.isFinite(value) ? value : undefined
  }

  #integer(text: number): number | undefined {
    const value = this.#file.texts.number(text)
    return Number.isInteger(value) && Math.abs(value) <= LARGEST ? value : undefined
  }

  ofCollective(row: number): CollectiveArguments {
    const { texts } = this.#file
    const found: Partial<Record<(typeof COLLECTIVE_KEY)[number], string>> = {}
    // A list of ranks may be written as a list or as its text.
    this.#each(row, (number, _, value) => {
      const key = COLLECTIVE_KEY[number]
      if (key !== undefined && value !== 0) found[key] = texts.text(value)
    })
    const text = (value: string | undefined) => (value === '' ? undefined : value)
    const whole = (value: string | undefined) => {
      const number = value === undefined || value === '' ? Number.NaN : Number(value)
      return Number.isInteger(number) && number >= 0 && number <= LARGEST ? number : undefined
    }
    const float = (value: string | undefined) => {
      const number = value === undefined || value === '' ? Number.NaN : Number(value)
      return number >= 0 && number < Infinity ? number : undefined
    }
    const waitUs = float(found.waitUs)
    return {
      operation: text(found.operation),
      group: text(found.group),
      ranks: text(found.ranks),
      dtype: text(found.dtype),
      groupSize: whole(found.groupSize),
      peer: whole(found.to) ?? whole(found.from),
      sequence: whole(found.sequence),
      elementsIn: float(found.elementsIn),
      elementsOut: float(found.elementsOut),
      match: whole(found.match),
      waitNs: waitUs === undefined ? undefined : waitUs * 1e3,
      externalId: found.externalId ?? '',
    }
  }

  /** A counter event's series, by key: as many as there may be counters. */
  series(row: number): readonly { readonly key: string; readonly value: number }[] {
    const { texts } = this.#file
    const found: { key: string; value: number }[] = []
    this.#each(row, (key, _, text) => {
      if (found.length >= LIMITS.counters.most) return
      const value = texts.number(text)
      if (Number.isFinite(value)) found.push({ key: texts.text(key), value })
    })
    return found
  }
}
