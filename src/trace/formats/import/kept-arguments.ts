/**
 * Arguments of events by text numbers: of each event those that something here reads. An event has
 * its count of them and two words for each, the key and the value. Lists are none of them, but for
 * ranks, and no objects.
 */
import { ascii, equals } from './json-cursor'
import { grown } from './text-table'

const KEYS = [
  // Columns of their own have these, up to `LAST_OWN`
  'correlation',
  'correlation_id',
  'Input Dims',
  'Input type',
  'Concrete Inputs',
  'grid',
  'block',
  // Of calls and of work on a device
  'bytes',
  'size',
  'copy kind',
  'direction',
  'src kind',
  'dst kind',
  'memcpy_details',
  'stream',
  'wait_on_stream',
  'wait_on_cuda_event_record_corr_id',
  'step_num',
  // Of collectives
  'Collective name',
  'Process Group Name',
  'Process Group Ranks',
  'dtype',
  'Group size',
  'Dst Rank',
  'Src Rank',
  'Seq',
  'In msg nelems',
  'Out msg nelems',
  'External id',
  'match',
  'wait_us',
  // Of names
  'name',
  'group',
  // What the lab writes
  'variant',
  'source',
  'role',
  'repeat',
  'step',
  'line',
  'submission',
  'flops',
  'uncertainty_us',
  'begin_ns',
  'end_ns',
  'at_ns',
] as const

/** They are the first texts of a file's table, in this order. */
export const KEPT_KEYS: readonly string[] = KEYS
export const KEY = Object.fromEntries(KEYS.map((key, index) => [key, index + 1])) as Readonly<
  Record<(typeof KEYS)[number], number>
>

export const LAST_OWN = KEY.block

const BY_LENGTH: { readonly bytes: Uint8Array; readonly key: number }[][] = []
for (const key of KEYS) (BY_LENGTH[key.length] ??= []).push({ bytes: ascii(key), key: KEY[key] })

/**
 * A key without a string, since most arguments of an event are none of these; 0: it is none of
 * them.
 */
export function keptKey(bytes: Uint8Array, start: number, end: number): number {
  const kept = BY_LENGTH[end - start]
  if (kept === undefined) return 0
  for (const one of kept) if (equals(bytes, start, end, one.bytes)) return one.key
  return 0
}

/** Operators whose inputs that are no tensors are kept: sizes alone do not tell their work. */
export const NEEDS_VALUES = /conv|attention/i
/** In a detail's column of values: it is of a kernel, not of an operator. */
export const KERNEL_DETAIL = -2

const FIRST_WORDS = 2 ** 10

export class KeptArguments {
  #words = new Uint32Array(FIRST_WORDS)
  /** Nothing is at 0. */
  #used = 1
  #count = 0

  /** Of the event that is read; `end` comes behind its last. `count` 0: it is not kept. */
  add(key: number, value: number, count: 0 | 1 = 1): void {
    const at = this.#used + 1 + 2 * this.#count
    if (at + 2 > this.#words.length) this.#words = grown(this.#words, 1.5 * this.#words.length)
    this.#words[at] = key
    this.#words[at + 1] = value
    this.#count += count
  }

  /** Where they are; 0: there are none. */
  end(): number {
    if (this.#count === 0) return 0
    const first = this.#used
    this.#words[first] = this.#count
    this.#used += 1 + 2 * this.#count
    this.#count = 0
    return first
  }

  /** The value of a key among an event's `args`; 0: it is not there. */
  find(at: number, key: number): number {
    const words = this.#words
    for (let next = at + 2 * (words[at] as number) - 1; next > at; next -= 2)
      if (words[next] === key) return words[next + 1] as number
    return 0
  }

  /** All of an event's `args`, in their order. */
  *each(at: number): Generator<readonly [key: number, value: number]> {
    const words = this.#words
    const end = at + 2 * (words[at] as number)
    for (let next = at + 1; next < end; next += 2) yield [words[next] as number, words[next + 1] as number]
  }
}
