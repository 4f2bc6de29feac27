/**
 * Packs the data with which a page tries changes on a device's profile (trial.ts) into a message:
 * rows of numbers by transfer, and no more than the replay needs. A quarter of a million stretches
 * take half a second to unpack: it is done in turns, so that the page is never held up.
 */
import type { YieldIfDue } from '../../base/give-way'
import type { Trace } from '../../trace/schema'
import { CAUSES, type Cause } from './causes'
import type { DeviceReplay } from './device-replay'
import { Replay, type Calibration } from './predict'
import { newStretch, newWork, type Program } from './program'
import { Trial } from './trial'

export interface PackedTrial {
  readonly program: PackedProgram
  readonly recordedEndsNs: readonly number[]
  readonly unprofiledNs: number | null
  readonly calibration: Calibration
  readonly device: string
  readonly isOneRank: boolean
}

export function packTrial({ read, replay, isOneRank }: DeviceReplay): {
  readonly packed: PackedTrial
  readonly transfer: readonly ArrayBuffer[]
} {
  const { packed, transfer } = packProgram(read.program)
  const { recordedEndsNs } = read
  const { unprofiledNs, calibration, device } = replay
  return {
    packed: { program: packed, recordedEndsNs, unprofiledNs, calibration, device, isOneRank },
    transfer,
  }
}

/** @param kind of the trace's spans */
export async function unpackTrial(
  { program, recordedEndsNs, unprofiledNs, calibration, device, isOneRank }: PackedTrial,
  kind: Trace['spans']['kind'],
  yieldIfDue: YieldIfDue,
): Promise<Trial> {
  const recorded = { program: await unpackProgram(program, yieldIfDue), recordedEndsNs }
  const replay = new Replay(recorded, unprofiledNs, device, calibration)
  await yieldIfDue()
  return new Trial(replay, kind, isOneRank)
}

/** Lists of indices, one after the other. */
interface PackedLists {
  readonly all: Int32Array<ArrayBuffer>
  readonly endAt: Int32Array<ArrayBuffer>
}
interface PackedRows {
  readonly values: Float64Array<ArrayBuffer>
  /** One a field that is a list. */
  readonly lists: readonly PackedLists[]
}
interface PackedProgram {
  readonly rest: Omit<Program, 'stretches' | 'work'>
  readonly stretches: PackedRows
  readonly work: PackedRows
}

function packProgram({ stretches, work, ...rest }: Program): {
  readonly packed: PackedProgram
  readonly transfer: readonly ArrayBuffer[]
} {
  const packed = { rest, stretches: packRows(stretches, newStretch()), work: packRows(work, newWork()) }
  const transfer = [packed.stretches, packed.work].flatMap(({ values, lists }) => [
    values.buffer,
    ...lists.flatMap(({ all, endAt }) => [all.buffer, endAt.buffer]),
  ])
  return { packed, transfer }
}

const unpackProgram = async (
  { rest, stretches, work }: PackedProgram,
  yieldIfDue: YieldIfDue,
): Promise<Program> => ({
  ...rest,
  stretches: await unpackRows(stretches, newStretch(), yieldIfDue),
  work: await unpackRows(work, newWork(), yieldIfDue),
})

type Field = number | boolean | Cause | null | readonly number[]
type Fields<Name extends PropertyKey> = Readonly<Record<Name, Field>>
const isList = (field: Field): field is readonly number[] => Array.isArray(field)
/** Names of a row's fields: those of one value, and lists. */
function namesOf<Row extends Fields<keyof Row>>(like: Row) {
  const names = Object.keys(like) as (keyof Row)[] // no others
  return {
    flat: names.filter((name) => !isList(like[name])),
    listed: names.filter((name) => isList(like[name])),
  }
}

function packRows<Row extends Fields<keyof Row>>(rows: readonly Row[], like: Row): PackedRows {
  const { flat, listed } = namesOf(like)
  const values = new Float64Array(rows.length * flat.length)
  let at = 0
  for (const row of rows) for (const name of flat) values[at++] = numberOf(row[name])
  return { values, lists: listed.map((name) => packLists(rows.map((row) => row[name] as readonly number[]))) } // a list
}

const numberOf = (field: Field): number =>
  typeof field === 'string' ? CAUSES.indexOf(field) : field === null ? -1 : Number(field)

async function unpackRows<Row extends Fields<keyof Row>>(
  { values, lists }: PackedRows,
  like: Row,
  yieldIfDue: YieldIfDue,
): Promise<readonly Row[]> {
  const { flat, listed } = namesOf(like)
  const rows: Row[] = []
  for (let index = 0; index < values.length / flat.length; index += 1) {
    if (index % 1024 === 0) await yieldIfDue()
    // A copy has the shape of all others, which the replay reads fastest.
    const row = { ...like }
    const filled = row as Record<keyof Row, Field>
    for (const [at, name] of flat.entries()) {
      const value = values[index * flat.length + at] ?? 0
      const field = like[name]
      filled[name] =
        typeof field === 'number' ? value : field === null ? (CAUSES[value] ?? null) : value === 1
    }
    for (const [at, name] of listed.entries()) filled[name] = listAt(lists[at], index)
    rows.push(row)
  }
  return rows
}

function packLists(lists: readonly (readonly number[])[]): PackedLists {
  let end = 0
  return {
    all: Int32Array.from(lists.flat()),
    endAt: Int32Array.from(lists, ({ length }) => (end += length)),
  }
}

/** Most are empty, and share one list. */
const NONE: readonly number[] = []
function listAt(lists: PackedLists | undefined, at: number): readonly number[] {
  const from = at === 0 ? 0 : (lists?.endAt[at - 1] ?? 0)
  const to = lists?.endAt[at] ?? 0
  return to === from ? NONE : Array.from(lists?.all.subarray(from, to) ?? NONE)
}
