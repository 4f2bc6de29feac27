/**
 * Arguments of events, read when they are wanted: names from metadata, what the lab itself wrote of
 * a span, a counter's values.
 */
import { LIMITS } from '../../budget'
import { ArgumentReader, isScalar, type EventFile } from './event-reader'
import type { Collective } from '../../collectives'
import { rawTickIn, type RawTick } from './raw-tick'
import { ascii, equals, numberIn, NUMBER, OBJECT, STRING, type JsonCursor } from './json-cursor'

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

const KEY = {
  step: ascii('step'),
  role: ascii('role'),
  line: ascii('line'),
  bytes: ascii('bytes'),
  flops: ascii('flops'),
  repeat: ascii('repeat'),
  source: ascii('source'),
  variant: ascii('variant'),
  submission: ascii('submission'),
  uncertainty: ascii('uncertainty_us'),
  begin: ascii('begin_ns'),
  end: ascii('end_ns'),
  at: ascii('at_ns'),
}
/**
 * Keys of torch.profiler, which the lab's own files have too; but for the last two, which only
 * these have.
 */
const COLLECTIVE_KEYS = {
  operation: 'Collective name',
  group: 'Process Group Name',
  ranks: 'Process Group Ranks',
  dtype: 'dtype',
  groupSize: 'Group size',
  to: 'Dst Rank',
  from: 'Src Rank',
  sequence: 'Seq',
  elementsIn: 'In msg nelems',
  elementsOut: 'Out msg nelems',
  externalId: 'External id',
  match: 'match',
  waitUs: 'wait_us',
} as const
const COLLECTIVE_KEY = Object.entries(COLLECTIVE_KEYS).map(
  ([what, key]) => [what as keyof typeof COLLECTIVE_KEYS, ascii(key)] as const, // a key of the table
)

/** What a file says of a collective. */
export interface CollectiveArguments extends Omit<Collective, 'row' | 'span' | 'operation'> {
  readonly operation: string | undefined
  /** '' where there is none. */
  readonly externalId: string
}
const LARGEST = 2 ** 31 - 1

function finiteIn(bytes: Uint8Array, start: number, stop: number): number | undefined {
  const value = numberIn(bytes, start, stop)
  return Number.isFinite(value) ? value : undefined
}
function integerIn(bytes: Uint8Array, start: number, stop: number): number | undefined {
  const value = numberIn(bytes, start, stop)
  return Number.isInteger(value) && Math.abs(value) <= LARGEST ? value : undefined
}

export class EventArguments {
  readonly #file: EventFile
  readonly #reader: ArgumentReader

  constructor(file: EventFile) {
    this.#file = file
    this.#reader = new ArgumentReader(file)
  }

  /** One argument as text; '' where it is not there. */
  text(row: number, name: string): string {
    const { bytes, texts } = this.#file
    const wanted = ascii(name)
    let text = 0
    this.#reader.each(row, (member) => {
      if (isScalar(member) && equals(bytes, member.keyStart, member.keyEnd, wanted))
        text = texts.intern(member.start, member.stop)
    })
    return texts.text(text)
  }

  /** What the lab wrote of a span (trace-event.ts). Valid until the next call. */
  ofSpan(row: number): Readonly<SpanArguments> {
    const said = this.#span
    said.variant = said.source = said.role = said.uncertaintyUs = 0
    said.beginTick = said.endTick = said.atTick = null
    said.repeat = said.step = said.line = said.submission = said.bytes = said.flops = undefined
    this.#reader.each(row, this.#readSpan)
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

  readonly #readSpan = (member: JsonCursor): void => {
    const { bytes, keyStart, keyEnd, start, stop } = member
    if (!isScalar(member)) return
    const said = this.#span
    const is = (key: Uint8Array) => equals(bytes, keyStart, keyEnd, key)
    if (is(KEY.variant)) said.variant = this.#file.texts.intern(start, stop)
    else if (is(KEY.source)) said.source = this.#file.texts.intern(start, stop)
    else if (is(KEY.role)) said.role = this.#file.texts.intern(start, stop)
    else if (is(KEY.repeat)) said.repeat = integerIn(bytes, start, stop)
    else if (is(KEY.step)) said.step = integerIn(bytes, start, stop)
    else if (is(KEY.line)) said.line = integerIn(bytes, start, stop)
    else if (is(KEY.submission)) said.submission = integerIn(bytes, start, stop)
    else if (is(KEY.bytes)) said.bytes = finiteIn(bytes, start, stop)
    else if (is(KEY.flops)) said.flops = finiteIn(bytes, start, stop)
    else if (is(KEY.uncertainty)) said.uncertaintyUs = finiteIn(bytes, start, stop) ?? 0
    else if (is(KEY.begin)) said.beginTick = rawTickIn(bytes, start, stop)
    else if (is(KEY.end)) said.endTick = rawTickIn(bytes, start, stop)
    else if (is(KEY.at)) said.atTick = rawTickIn(bytes, start, stop)
  }

  ofCollective(row: number): CollectiveArguments {
    const { bytes, texts } = this.#file
    const found: Partial<Record<keyof typeof COLLECTIVE_KEYS, string>> = {}
    this.#reader.each(row, ({ keyStart, keyEnd, start, stop, type }) => {
      // A list of ranks may be written as a list or as its text.
      if (type === OBJECT || stop <= start) return
      const key = COLLECTIVE_KEY.find(([, name]) => equals(bytes, keyStart, keyEnd, name))?.[0]
      if (key) found[key] = texts.text(texts.intern(start, stop))
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
    const { bytes, texts } = this.#file
    const found: { key: string; value: number }[] = []
    this.#reader.each(row, ({ keyStart, keyEnd, start, stop, type }) => {
      if ((type !== NUMBER && type !== STRING) || found.length >= LIMITS.counters.most) return
      const value = numberIn(bytes, start, stop)
      if (Number.isFinite(value)) found.push({ key: texts.text(texts.intern(keyStart, keyEnd)), value })
    })
    return found
  }
}
