/**
 * Gradings recorded on a real device, so that the checks of a mend can be asked again without one: `lessons/<id>/mend/testing/gradings.br`,
 * written by cli/keep-gradings.mjs. What the checks do not read is left out: counters of a trace, and entries of long lists.
 */
import { decodeRun } from '../../trace/codec'
import { COLLECTIVE_TABLE, FLOW_TABLE, INSTANT_TABLE, SPAN_TABLE } from '../../trace/columns'
import type { Trace } from '../../trace/schema'
import type { Evidence, ProgramReport } from '../types'
import { fullAgain, noteReads } from './read-entries'
import { packTable, unpackTable, type PackedTable } from './packed-columns'
import { pack, unpack, type Recorded, type RecordedEvidence } from './recorded-gradings'

type Table = 'spans' | 'flows' | 'instants' | 'collectives'
interface KeptTrace extends Omit<Trace, Table | 'counters'> {
  readonly tables: Readonly<Record<Table, PackedTable>>
}
interface KeptEvidence extends Omit<Evidence, 'yours'> {
  readonly yours: Omit<ProgramReport, 'trace'> & { readonly trace: KeptTrace | null }
}
/** By program: 'start', 'reference', or a cheat's name. */
type Kept = Readonly<Record<string, KeptEvidence>>

/** @param judge asks all checks of the program of this name, which shows what they read */
export async function keepGradings(
  recorded: Recorded,
  judge: (name: string, evidence: Evidence) => void | Promise<void>,
): Promise<Uint8Array> {
  const kept: Record<string, KeptEvidence> = {}
  for (const [name, evidence] of Object.entries(recorded)) {
    const whole = await wholeOf(evidence)
    const noted = noteReads(whole.yours.runs)
    await judge(name, { ...whole, yours: { ...whole.yours, runs: noted.value } })
    const { trace } = whole.yours
    kept[name] = {
      ...whole,
      yours: { ...whole.yours, runs: noted.read(), trace: trace && keepTrace(trace) },
    }
  }
  return pack(kept)
}

/** @throws Error where the trace is not one. */
async function wholeOf({ yours, ...rest }: RecordedEvidence): Promise<Evidence> {
  if (yours.trace === null) return { ...rest, yours: { ...yours, trace: null } }
  const decoded = await decodeRun(Buffer.from(yours.trace, 'base64'))
  if (!decoded.ok) throw new Error(decoded.error.message)
  return { ...rest, yours: { ...yours, trace: decoded.value.trace } }
}

function keepTrace(trace: Trace): KeptTrace {
  const { version, info, clocks, snapshots, lanes, strings, rejected } = trace
  const { spans, flows, instants, collectives } = trace
  return {
    version,
    info,
    clocks,
    snapshots,
    lanes,
    strings,
    rejected,
    tables: {
      spans: packTable(SPAN_TABLE, spans),
      flows: packTable(FLOW_TABLE, flows),
      instants: packTable(INSTANT_TABLE, instants),
      collectives: packTable(COLLECTIVE_TABLE, collectives),
    },
  }
}

const traceOf = ({ tables, ...trace }: KeptTrace): Trace => ({
  ...trace,
  spans: unpackTable(SPAN_TABLE, tables.spans),
  flows: unpackTable(FLOW_TABLE, tables.flows),
  instants: unpackTable(INSTANT_TABLE, tables.instants),
  collectives: unpackTable(COLLECTIVE_TABLE, tables.collectives),
  counters: [],
})

/** By program. An entry that no check read when the gradings were kept is NaN: a check that begins to read it fails. */
export function gradingsOf(bytes: Uint8Array): Readonly<Record<string, Evidence>> {
  const kept = unpack(bytes) as Kept // written by keepGradings, and by nobody else
  return Object.fromEntries(
    Object.entries(kept).map(([name, { yours, ...rest }]): [string, Evidence] => [
      name,
      {
        ...rest,
        yours: { ...yours, runs: fullAgain(yours.runs), trace: yours.trace && traceOf(yours.trace) },
      },
    ]),
  )
}
