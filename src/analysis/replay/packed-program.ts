/**
 * A program as a message between threads: rows of numbers by transfer, and no more than the replay
 * needs.
 */
import { CAUSES, type Cause } from './causes'
import type { Program, Stretch } from './program'

type Work = Program['work'][number]

/** A row of each of these, then its cause and flags. */
const STRETCH_FIELDS = [
  'thread',
  'startNs',
  'lengthNs',
  'endNs',
  'span',
  'code',
  'noticeNs',
  'entersAfter',
  'arrivesNs',
  'everyNs',
] as const
const WORK_FIELDS = [
  'span',
  'call',
  'stream',
  'startNs',
  'lengthNs',
  'waitNs',
  'leastNs',
  'latencyNs',
  'pauseNs',
  'callbackNs',
  'after',
  'afterNs',
  'bytes',
  'code',
] as const

/** Lists of indices, one after the other. */
interface PackedLists {
  readonly all: Int32Array<ArrayBuffer>
  readonly endAt: Int32Array<ArrayBuffer>
}

export interface PackedProgram {
  readonly rest: Omit<Program, 'stretches' | 'work'>
  readonly stretches: Float64Array<ArrayBuffer>
  readonly awaits: PackedLists
  readonly launches: PackedLists
  readonly work: Float64Array<ArrayBuffer>
}

export function packProgram({ stretches, work, ...rest }: Program): {
  readonly packed: PackedProgram
  readonly transfer: readonly ArrayBuffer[]
} {
  const packed: PackedProgram = {
    rest,
    stretches: packRows(
      stretches,
      STRETCH_FIELDS,
      ({ isUnrecorded, isTimer }) => (isUnrecorded ? UNRECORDED : 0) + (isTimer ? TIMER : 0),
    ),
    awaits: packLists(stretches.map(({ awaits }) => awaits)),
    launches: packLists(stretches.map(({ launches }) => launches)),
    work: packRows(work, WORK_FIELDS, () => 0),
  }
  const { awaits, launches } = packed
  const columns = [packed.stretches, packed.work, awaits.all, awaits.endAt, launches.all, launches.endAt]
  return { packed, transfer: columns.map(({ buffer }) => buffer) }
}

export function unpackProgram({ rest, stretches, awaits, launches, work }: PackedProgram): Program {
  const none: readonly number[] = []
  return {
    ...rest,
    stretches: unpackRows<Stretch>(stretches, STRETCH_FIELDS, (at, cause, flags) => ({
      thread: 0,
      startNs: 0,
      lengthNs: 0,
      endNs: 0,
      span: 0,
      cause,
      code: 0,
      isRead: (flags & READ) !== 0,
      isUnrecorded: (flags & UNRECORDED) !== 0,
      awaits: listAt(awaits, at, none),
      noticeNs: 0,
      entersAfter: 0,
      launches: listAt(launches, at, none),
      arrivesNs: 0,
      everyNs: 0,
      isTimer: (flags & TIMER) !== 0,
    })),
    work: unpackRows<Work>(work, WORK_FIELDS, (_, cause, flags) => ({
      span: 0,
      call: 0,
      stream: 0,
      startNs: 0,
      lengthNs: 0,
      waitNs: 0,
      leastNs: 0,
      latencyNs: 0,
      pauseNs: 0,
      callbackNs: 0,
      after: 0,
      afterNs: 0,
      isRead: (flags & READ) !== 0,
      bytes: 0,
      code: 0,
      cause,
    })),
  }
}

/** After the fields of a row. */
const MORE = 2
const [READ, UNRECORDED, TIMER] = [1, 2, 4]

function packRows<
  Field extends string,
  Row extends Readonly<Record<Field, number>> & { readonly cause: Cause | null; readonly isRead: boolean },
>(rows: readonly Row[], fields: readonly Field[], flagsOf: (row: Row) => number): Float64Array<ArrayBuffer> {
  const width = fields.length + MORE
  const values = new Float64Array(rows.length * width)
  for (const [index, row] of rows.entries()) {
    const first = index * width
    for (const [at, field] of fields.entries()) values[first + at] = row[field]
    values[first + fields.length] = row.cause === null ? -1 : CAUSES.indexOf(row.cause)
    values[first + fields.length + 1] = (row.isRead ? READ : 0) + flagsOf(row)
  }
  return values
}

/** @param make a row whose fields are filled in */
function unpackRows<Row>(
  values: Float64Array,
  fields: readonly (keyof Row & string)[],
  make: (at: number, cause: Cause | null, flags: number) => Row,
): readonly Row[] {
  const width = fields.length + MORE
  return Array.from({ length: values.length / width }, (_, index) => {
    const first = index * width
    const cause = CAUSES[values[first + fields.length] ?? -1] ?? null
    const row = make(index, cause, values[first + fields.length + 1] ?? 0)
    const filled = row as Record<string, unknown>
    for (const [at, field] of fields.entries()) filled[field] = values[first + at]
    return row
  })
}

function packLists(lists: readonly (readonly number[])[]): PackedLists {
  let end = 0
  return {
    all: Int32Array.from(lists.flat()),
    endAt: Int32Array.from(lists, ({ length }) => (end += length)),
  }
}

/** Most are empty, and share one list. */
function listAt({ all, endAt }: PackedLists, at: number, none: readonly number[]): readonly number[] {
  const from = at === 0 ? 0 : (endAt[at - 1] ?? 0)
  const to = endAt[at] ?? 0
  return to === from ? none : Array.from(all.subarray(from, to))
}
