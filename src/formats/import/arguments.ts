/** Arguments of events, read when they are wanted: names from metadata, what the lab itself wrote of a span, a counter's values. */
import { ArgumentReader, isScalar, type EventFile } from './event-reader'
import { latin, numberIn, NUMBER, STRING } from './json-cursor'

export interface SpanArguments {
  readonly variant?: string
  readonly repeat?: number
  readonly step?: number
  readonly submission?: number
  readonly bytes?: number
  readonly flops?: number
  readonly source?: string
  readonly uncertaintyUs?: number
}

const LARGEST = 2 ** 31 - 1

export class EventArguments {
  readonly #file: EventFile
  readonly #reader: ArgumentReader

  constructor(file: EventFile) {
    this.#file = file
    this.#reader = new ArgumentReader(file.bytes)
  }

  /** Scalars by name, as text; names of up to 64 bytes. */
  #scalars(row: number): ReadonlyMap<string, { readonly text: number; readonly value: number }> {
    const { bytes, texts } = this.#file
    const found = new Map<string, { text: number; value: number }>()
    this.#each(row, (member) => {
      const { keyStart, keyEnd, start, stop, type } = member
      if (!isScalar(member) || keyEnd - keyStart > 64) return
      const value = type === NUMBER || type === STRING ? numberIn(bytes, start, stop) : Number.NaN
      found.set(latin(bytes, keyStart, keyEnd), { text: texts.intern(start, stop), value })
    })
    return found
  }

  #each(row: number, visit: Parameters<ArgumentReader['each']>[2]): void {
    const { columns } = this.#file.events
    this.#reader.each(columns.argsStart[row] ?? 0, columns.argsEnd[row] ?? 0, visit)
  }

  /** One argument as text; '' where it is not there. */
  text(row: number, name: string): string {
    const found = this.#scalars(row).get(name)
    return found ? this.#file.texts.text(found.text) : ''
  }

  /** What the lab wrote of a span (trace-event.ts). */
  ofSpan(row: number): SpanArguments {
    const found = this.#scalars(row)
    const number = (name: string) => {
      const value = found.get(name)?.value
      return value !== undefined && Number.isFinite(value) ? value : undefined
    }
    const integer = (name: string) => {
      const value = number(name)
      return value !== undefined && Number.isInteger(value) && Math.abs(value) <= LARGEST ? value : undefined
    }
    const text = (name: string) => {
      const at = found.get(name)
      return at && this.#file.texts.text(at.text)
    }
    const given = {
      variant: text('variant'),
      repeat: integer('repeat'),
      step: integer('step'),
      submission: integer('submission'),
      bytes: number('bytes'),
      flops: number('flops'),
      source: text('source'),
      uncertaintyUs: number('uncertainty_us'),
    }
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  }

  /** A counter event's series, by key. */
  series(row: number): readonly { readonly key: string; readonly value: number }[] {
    const { bytes, texts } = this.#file
    const found: { key: string; value: number }[] = []
    this.#each(row, ({ keyStart, keyEnd, start, stop, type }) => {
      if (type !== NUMBER && type !== STRING) return
      const value = numberIn(bytes, start, stop)
      if (Number.isFinite(value)) found.push({ key: texts.text(texts.intern(keyStart, keyEnd)), value })
    })
    return found
  }
}
