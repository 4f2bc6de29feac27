/**
 * What a learner hands in: one line of text with what was predicted, measured and mended. It finds errors of typing and copying, and tells
 * one assignment from another. It proves nothing: whoever can read this file can write such a line, and no page without a server could do better.
 *
 * `HDL1` and groups of five letters in Crockford's base 32 (no I, L, O, U; case and hyphens do not count, O is read as 0, I and L as 1). The
 * bytes, big-endian: version 1, number of the lesson 2, of the assignment 4, flags 2, day 2, done 1, asked 1; then 3 bytes for each figure
 * that there is (predicted; measured, low, high); unit and name, each a length and UTF-8; and a CRC-32 of all that. A change of one letter
 * touches five bits in a row, of two neighbours ten: the CRC finds each such change.
 */
import { fail, succeed, type Result } from '../base/result'
import { crc32 } from './crc32'

const OUTCOMES = ['none', 'shown', 'not-shown', 'inconclusive', 'invalid'] as const
type Outcome = (typeof OUTCOMES)[number]
const ADAPTER_CLASSES = ['unknown', 'software', 'integrated', 'discrete', 'recorded'] as const
/** `unknown`: a GPU that does not say which kind it is. `recorded`: the figure is of a recording, not of the learner's machine. */
export type AdapterClass = (typeof ADAPTER_CLASSES)[number]
/** `untold`: nothing is wrong with it, but one check could not be told on that machine. */
const MENDS = ['none', 'failed', 'mended', 'untold'] as const
export type Mended = (typeof MENDS)[number]
const PREDICTIONS = ['none', 'skipped', 'made'] as const

interface Measured {
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface Completion {
  readonly lesson: string
  /** assignmentNumber(), 0 for none. */
  readonly assignment: number
  /** In `unit`; null for none, 'skipped' where it was skipped openly. */
  readonly predicted: number | 'skipped' | null
  /** In `unit`, with its interval; null where nothing was measured. */
  readonly measured: Measured | null
  readonly unit: string
  readonly outcome: Outcome
  readonly adapter: AdapterClass
  readonly mended: Mended
  /** Of what is asked: how many are done, 0 to 255. */
  readonly done: number
  readonly asked: number
  /** 'YYYY-MM-DD', as the learner's calendar had it. */
  readonly day: string
  /** What the learner typed: a name or a number. */
  readonly name: string
}

const VERSION = 1
const PREFIX = `HDL${String(VERSION)}`
/** Of a name and of a unit, bytes of UTF-8. */
const MAX_NAME_BYTES = 60
const MAX_UNIT_BYTES = 15
/** The longest code has 13 + 12 + 16 + 61 + 4 = 106 bytes: 170 letters, and a hyphen for every five. A line may have a little more around it. */
export const MAX_CODE = 300

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 5
const FIRST_DAY = Date.UTC(2020, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000

const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Lessons are told apart by the first 16 bits of their id's CRC; a test holds that no two have the same. */
const lessonNumber = (id: string): number => crc32(bytesOf(id)) >>> 16

/** As much of a name as a code holds: whole characters. */
export function nameToFit(name: string): string {
  let fitting = ''
  for (const character of name.trim()) {
    if (bytesOf(fitting + character).length > MAX_NAME_BYTES) break
    fitting += character
  }
  return fitting
}

const view = new DataView(new ArrayBuffer(4))
/** The upper 24 bits of a float32, rounded: five figures. */
function figureBits(value: number): number {
  view.setFloat32(0, value)
  const bits = view.getUint32(0) + 0x80
  return Math.min(bits, 0xffffffff) >>> 8
}
function figureOf(bits: number): number {
  view.setUint32(0, bits * 256)
  return view.getFloat32(0)
}
/** A figure as a code holds it. */
const asHeld = (value: number): number => figureOf(figureBits(value))

const isFigure = (value: number): boolean => Number.isFinite(asHeld(value))

/** Days since 2020; of a date that there is not: NaN. */
function dayNumber(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return (ms - FIRST_DAY) / DAY_MS
}
const dayOf = (number: number): string => new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10)

/** @throws where a figure is not finite, a day is none of 2020 to 2199, or a count does not fit */
export function writeCode(completion: Completion): string {
  const { lesson, assignment, predicted, measured, unit, outcome, adapter, mended, done, asked, day, name } =
    completion
  const figures = [
    ...(typeof predicted === 'number' ? [predicted] : []),
    ...(measured ? [measured.value, measured.low, measured.high] : []),
  ]
  if (!figures.every(isFigure)) throw new RangeError('A figure of a completion code is not finite.')
  const number = dayNumber(day)
  if (!(number >= 0 && number < 2 ** 16)) throw new RangeError(`'${day}' is no day of a completion code.`)
  if (![done, asked].every((count) => Number.isInteger(count) && count >= 0 && count < 256))
    throw new RangeError('A count of a completion code does not fit.')
  const kind = predicted === null ? 0 : predicted === 'skipped' ? 1 : 2
  const flags =
    kind |
    (Number(measured !== null) << 2) |
    (OUTCOMES.indexOf(outcome) << 3) |
    (ADAPTER_CLASSES.indexOf(adapter) << 6) |
    (MENDS.indexOf(mended) << 9)
  const [unitBytes, nameBytes] = [bytesOf(unit), bytesOf(nameToFit(name))]
  if (unitBytes.length > MAX_UNIT_BYTES) throw new RangeError(`The unit '${unit}' is too long.`)
  const bytes: number[] = [VERSION]
  const put = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at -= 1) bytes.push(Math.floor(value / 256 ** at) % 256)
  }
  put(lessonNumber(lesson), 2)
  put(assignment, 4)
  put(flags, 2)
  put(number, 2)
  put(done, 1)
  put(asked, 1)
  for (const figure of figures) put(figureBits(figure), 3)
  for (const text of [unitBytes, nameBytes]) bytes.push(text.length, ...text)
  put(crc32(Uint8Array.from(bytes)), 4)
  return [PREFIX, ...grouped(toLetters(bytes))].join('-')
}

/** The last letter is filled up with zeros. */
function toLetters(bytes: readonly number[]): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += LETTERS[(held >>> bits) & 31] ?? ''
      held &= (1 << bits) - 1
    }
  }
  return bits === 0 ? text : text + (LETTERS[(held << (5 - bits)) & 31] ?? '')
}

/** Null where a character is none of the letters, or the letters do not end where a byte does. */
function fromLetters(text: string): Uint8Array | null {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const letter of text) {
    const value = LETTERS.indexOf(letter)
    if (value < 0) return null
    held = (held << 5) | value
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >>> bits) & 255)
      held &= (1 << bits) - 1
    }
  }
  // What is left is the filling: fewer bits than a letter has, all of them 0.
  return bits < 5 && held === 0 ? Uint8Array.from(bytes) : null
}

const grouped = (text: string): readonly string[] =>
  text.match(new RegExp(`.{1,${String(GROUP)}}`, 'g')) ?? []

/** As somebody may have typed it. */
const letters = (text: string): string =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const MISTYPED = 'It does not check: a character is wrong, missing or too many.'

/** Reads big-endian; NaN, or a shorter text, beyond the end. */
class Reader {
  #at = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }
  number(count: number): number {
    let value = 0
    for (let index = 0; index < count; index += 1)
      value = value * 256 + (this.#bytes[this.#at++] ?? Number.NaN)
    return value
  }
  text(): string | null {
    const length = this.number(1)
    const end = this.#at + length
    if (!(end <= this.#bytes.length)) return null
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      return null
    }
  }
}

/**
 * @param lessons ids of those that there are
 * @returns a sentence where it is none, or one that no page of ours wrote
 */
export function readCode(line: string, lessons: readonly string[]): Result<Completion, string> {
  if (line.length > MAX_CODE) return fail('It is longer than any code.')
  const text = letters(line)
  // The prefix as it is read: its L is a 1 by then.
  const [prefix, start] = [letters(PREFIX), letters('HDL')]
  if (!text.startsWith(start)) return fail('It does not begin like a code: HDL1-….')
  if (!text.startsWith(prefix))
    return fail(
      `It begins with HDL${text.charAt(start.length)}: mistyped, or written by another version of the lab.`,
    )
  const bytes = fromLetters(text.slice(prefix.length))
  if (!bytes || bytes.length < 5) return fail(MISTYPED)
  const body = bytes.subarray(0, -4)
  const sum = new Reader(bytes.subarray(-4)).number(4)
  if (crc32(body) !== sum) return fail(MISTYPED)
  const read = new Reader(body)
  const broken = fail('It checks, but holds what no page of the lab writes.')
  if (read.number(1) !== VERSION) return broken
  const number = read.number(2)
  const lesson = lessons.find((id) => lessonNumber(id) === number)
  if (lesson === undefined) return fail('It is of a lesson that this version of the lab does not have.')
  const assignment = read.number(4)
  const flags = read.number(2)
  const day = read.number(2)
  const done = read.number(1)
  const asked = read.number(1)
  const kind = PREDICTIONS[flags & 3]
  const predicted =
    kind === 'made' ? figureOf(read.number(3)) : kind === 'skipped' ? ('skipped' as const) : null
  const measured =
    flags & 4
      ? { value: figureOf(read.number(3)), low: figureOf(read.number(3)), high: figureOf(read.number(3)) }
      : null
  const outcome = OUTCOMES[(flags >>> 3) & 7]
  const adapter = ADAPTER_CLASSES[(flags >>> 6) & 7]
  const mended = MENDS[(flags >>> 9) & 3]
  const unit = read.text()
  const name = read.text()
  if (kind === undefined || !outcome || !adapter || !mended || unit === null || name === null) return broken
  const figures = [...(typeof predicted === 'number' ? [predicted] : []), ...Object.values(measured ?? {})]
  if (!read.isAtEnd || Number.isNaN(day) || flags >>> 11 !== 0 || !figures.every(Number.isFinite))
    return broken
  if (done > asked || (measured && !(measured.low <= measured.value && measured.value <= measured.high)))
    return broken
  return succeed({
    lesson,
    assignment,
    predicted,
    measured,
    unit,
    outcome,
    adapter,
    mended,
    done,
    asked,
    day: dayOf(day),
    name,
  })
}
