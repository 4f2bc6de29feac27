/**
 * Saves a run and loads it again: versioned, checked, fast (columns are viewed in the file's own
 * bytes). A bad file is a value with a reason, never an exception: whoever decodes may have been
 * handed anything. One version is read; CHANGELOG.md says what it holds.
 */
import * as v from 'valibot'
import { fail, succeed, type Result } from '../base/fault'
import { problemIn, record } from '../base/shape'
import { Budget, check, checkTime, OverBudget, tooLarge, type Limit } from './budget'
import {
  columnsOf,
  COUNTER_TABLE,
  eachTable,
  growingTables,
  rowsOf,
  SNAPSHOT_TABLE,
  viewTables,
} from './columns'
import { counterTable, LEFT_OUT_EMPTY, type SavedRun } from './encode-run'
import { damaged, readFile, type BadFile } from './file-layout'
import type { RawFile, RawTable } from './file-writer'
import { headerShape, type FileReport } from './file-shape'
import { gunzipBytes, isGzip } from './gzip'
import type { Report } from './report'
import {
  COLUMN_TYPES,
  type Column,
  type TableName,
  type TableOf,
  type TableSpec,
  FLOW_KINDS,
  REFERENCES,
  SPAN_KINDS,
  SPAN_ROLES,
  SPAN_SOURCES,
  TRACE_VERSION,
  type RunInfo,
  type Trace,
  type TraceTables,
} from './schema'

export { encodeRun, type SavedRun } from './encode-run'
export type { BadFile } from './file-layout'

export interface DecodeOptions {
  /**
   * Origin that the decoded trace reports: a file is a recording, whatever it was when it was
   * saved.
   */
  readonly origin?: RunInfo['origin']
  /** One budget for all files that are opened together. */
  readonly budget?: Budget
  /** The bytes are given away: columns of differences are summed up in them. */
  readonly isGiven?: boolean
}

/** Plain or gzipped, by the first bytes. */
export async function decodeRun(
  bytes: Uint8Array,
  { origin = 'recorded', budget = new Budget(), isGiven = false }: DecodeOptions = {},
): Promise<Result<SavedRun, BadFile>> {
  try {
    const plain = isGzip(bytes) ? await gunzip(bytes, budget) : bytes
    if (!(plain instanceof Uint8Array)) return plain
    budget.spend('bytes', plain.length)
    const read = readFile(plain, budget, isGiven || plain !== bytes)
    if (!read.ok) return read
    const { version, file } = read.value
    if (version === TRACE_VERSION) return interpret(file, origin, budget)
    return fail({
      code: version > TRACE_VERSION ? 'too-new' : 'too-old',
      message: `The file is of version ${String(version)}; this lab reads version ${String(TRACE_VERSION)}.`,
    })
  } catch (thrown) {
    if (thrown instanceof OverBudget)
      return fail({ code: 'too-large', message: tooLarge('The file', thrown) })
    throw thrown
  }
}

async function gunzip(bytes: Uint8Array, budget: Budget): Promise<Uint8Array | Result<never, BadFile>> {
  try {
    return await gunzipBytes(bytes, budget.left('bytes'))
  } catch (thrown) {
    if (thrown instanceof OverBudget) throw thrown
    return damaged(`gzip says ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : 0)

/** Holds the header's claims against the budget before anything is made of them. */
function spendHeader(header: RawFile['header'], budget: Budget): void {
  const { clocks, lanes, strings, counters } = header
  budget.spend('names', countOf(strings))
  check('lanes', countOf(lanes))
  check('counters', countOf(counters))
  check('clocks', countOf(clocks))
  for (const [part, value] of Object.entries(header))
    checkTexts(value, NAMED.has(part) ? 'nameCharacters' : 'textCharacters')
}
const NAMED = new Set(['clocks', 'lanes', 'strings', 'counters'])

/** In a loop: what is nested may be nested deeply. */
function checkTexts(value: unknown, limit: Extract<Limit, 'nameCharacters' | 'textCharacters'>): void {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') check(limit, next.length)
    else if (Array.isArray(next)) for (const each of next as readonly unknown[]) open.push(each)
    else if (v.is(record, next))
      for (const [key, each] of Object.entries(next)) {
        check(limit, key.length)
        open.push(each)
      }
  }
}

function interpret(
  { header, tables }: RawFile,
  origin: RunInfo['origin'],
  budget: Budget,
): Result<SavedRun, BadFile> {
  spendHeader(header, budget)
  const { info, clocks, lanes, strings, counters, rejected, report } = header
  const said = { info, clocks, lanes, strings, counters, rejected, report }
  const shape = headerShape(countOf(clocks), countOf(lanes))
  if (!v.is(shape, said)) return damaged(`‘${problemIn(shape, said) ?? ''}’ in its header is none of a run’s`)
  const snapshots = fromRaw(SNAPSHOT_TABLE, tables['snapshots'])
  const read = eachTable<{ readonly [Name in TableName]: TraceTables[Name] | null }>((name, spec) =>
    !tables[name] && LEFT_OUT_EMPTY.includes(name) ? EMPTY[name] : fromRaw(spec, tables[name]),
  )
  if (!snapshots || Object.values(read).includes(null)) return damaged('a table is missing')
  const samples = said.counters.map((_, index) => fromRaw(COUNTER_TABLE, tables[counterTable(index)]))
  const trace: Trace = {
    version: TRACE_VERSION,
    info: { ...said.info, origin },
    clocks: said.clocks,
    lanes: said.lanes,
    strings: said.strings,
    rejected: said.rejected,
    ...(read as TraceTables), // none is null
    counters: said.counters.flatMap((counter, index) => {
      const table = samples[index]
      return table ? [{ ...counter, ...table }] : []
    }),
    snapshots: [...rowsOf(SNAPSHOT_TABLE, snapshots)],
  }
  if (trace.counters.length < said.counters.length) return damaged('a counter has no samples table')
  const problem = findBadRow(trace)
  return problem ? damaged(problem) : succeed({ trace, report: reportOf(said.report) })
}

const reportOf = (report: FileReport | null): Report | null =>
  report && {
    ...report,
    verification: {
      ...report.verification,
      maxRelativeError: report.verification.maxRelativeError ?? Infinity,
    },
  }

const EMPTY = viewTables(growingTables())

/** The table, when its columns are those of the spec. */
function fromRaw<Spec extends TableSpec>(spec: Spec, raw: RawTable | undefined): TableOf<Spec> | null {
  if (!raw) return null
  const columns: Record<string, Column> = {}
  for (const [name, type] of Object.entries(spec)) {
    const column = Object.hasOwn(raw.columns, name) ? raw.columns[name] : undefined
    if (!(column instanceof COLUMN_TYPES[type]) || column.length !== raw.length) return null
    columns[name] = column
  }
  return { ...columns, length: raw.length } as unknown as TableOf<Spec> // every column of the spec, of its type
}

/**
 * Every index must point at something, and every time be one, with a place on the axis: all later
 * code relies on it and checks nothing.
 * @throws OverBudget
 */
function findBadRow(trace: Trace): string | null {
  const { spans, instants, counters, snapshots, lanes, strings, clocks } = trace
  const bad = (table: string, row: number) => `row ${String(row)} of its ${table} points at nothing`
  const counts = {
    lanes: lanes.length,
    strings: strings.length,
    spans: spans.length,
    spanKinds: SPAN_KINDS.length,
    spanRoles: SPAN_ROLES.length,
    spanSources: SPAN_SOURCES.length,
    flowKinds: FLOW_KINDS.length,
  }
  for (const [table, columns] of Object.entries(REFERENCES))
    for (const [name, to] of Object.entries(columns)) {
      const column = columnsOf(trace[table as TableName])[name]
      const row = column?.findIndex((index) => !(index >= -1 && index < counts[to])) ?? -1
      if (row >= 0) return bad(table, row)
    }
  for (let row = 0; row < spans.length; row += 1) {
    const [start = Number.NaN, end = Number.NaN] = [spans.start[row], spans.end[row]]
    if (!(end >= start && end - start < Infinity)) return bad('spans', row)
    checkTime(start)
    checkTime(end)
  }
  for (const table of ['collectives', 'details'] as const) {
    const seen = new Uint8Array(spans.length)
    for (const [row, span] of trace[table].span.entries()) {
      const isFit = table === 'details' || spans.kind[span] === COLLECTIVE
      if (!isFit || seen[span] === 1) return bad(table, row)
      seen[span] = 1
    }
  }
  const sampled = [
    { table: 'instants', times: instants.time, values: instants.time },
    ...counters.map(({ timeNs, value }) => ({ table: 'counters', times: timeNs, values: value })),
  ]
  for (const { table, times, values } of sampled)
    for (const [row, time] of times.entries()) {
      if (!Number.isFinite(time) || !Number.isFinite(values[row])) return bad(table, row)
      checkTime(time)
    }
  for (const [row, { clock, hostBeforeNs, hostAfterNs, beginTick, endTick }] of snapshots.entries()) {
    const times = [hostBeforeNs, hostAfterNs, beginTick, endTick]
    if (clocks[clock]?.kind !== 'device' || times.some(Number.isNaN)) return bad('snapshots', row)
    times.forEach(checkTime)
  }
  for (const { stepNs } of clocks) checkTime(stepNs)
  return null
}
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
