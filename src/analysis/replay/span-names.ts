/** Reads the names of spans. A file has 10^5 spans of a thousand names, each asked once. */
import { SPAN_KINDS, type Trace } from '../../trace/schema'
import { nameKindOf, type NameKind } from './causes'

/** Copies by their names, as CUDA's and HIP's records have them. */
export const COPY = /^Memcpy/
export const FROM_HOST = /^Memcpy HtoD\b/
export const TO_HOST = /^Memcpy DtoH\b/
/** From or to the host, through memory that is not pinned. */
export const PAGEABLE = /^Memcpy (?:HtoD|DtoH) \([^)]*Pageable/i
export const PINNED = /^Memcpy (?:HtoD|DtoH) \((?:Pinned|Device -> Pinned)/
/**
 * Up to this size the driver copies pageable memory into its own and returns: such a copy costs its
 * call, whatever the memory.
 */
export const SMALL_BYTES = 64 * 1024

const WINDOW = SPAN_KINDS.indexOf('window')
const OTHER = SPAN_KINDS.indexOf('other')

export class SpanNames {
  readonly #trace: Trace
  readonly #kinds: NameKind[] = []

  constructor(trace: Trace) {
    this.#trace = trace
  }

  of(span: number): string {
    const { spans, strings } = this.#trace
    return strings[spans.name[span] ?? -1] ?? ''
  }

  /** Index of the name; -1: the span has none. */
  idOf(span: number): number {
    return this.#trace.spans.name[span] ?? -1
  }

  /** By its name alone. */
  kindOf(span: number): NameKind {
    const name = this.idOf(span)
    return (this.#kinds[name] ??= nameKindOf(this.of(span)))
  }

  /** By its name, and by what the profiler says of it: a range of the reader's is no operator. */
  roleOf(span: number): NameKind {
    const kind = this.kindOf(span)
    if (kind !== 'operator') return kind
    const said = this.#trace.spans.kind[span]
    return said === WINDOW || said === OTHER ? 'range' : kind
  }

  /** A test of spans that asks `test` once per name. */
  asked(test: (name: string) => boolean): (span: number) => boolean {
    const { spans, strings } = this.#trace
    const known = new Int8Array(strings.length)
    return (span) => {
      const name = spans.name[span] ?? -1
      if (name < 0) return test('')
      known[name] ||= test(strings[name] ?? '') ? 1 : -1
      return known[name] === 1
    }
  }

  matching(pattern: RegExp): (span: number) => boolean {
    return this.asked((name) => pattern.test(name))
  }
}
