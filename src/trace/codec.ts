/**
 * Saves a run and loads it again: versioned, checked, fast (columns are viewed in the file's own
 * bytes). A bad file is a value with a reason, never an exception: whoever decodes may have been
 * handed anything. One version is read; CHANGELOG.md says what it holds.
 */
import * as v from 'valibot'
import { fail, succeed, type Result } from '../base/fault'
import { problemIn, record } from '../base/shape'
import { Budget, check, checkTime, OverBudget, tooLarge, type Limit } from './budget'
import { findBadCollective, NO_COLLECTIVES } from './collectives'
import { COUNTER_TABLE, SNAPSHOT_TABLE } from './columns'
import { counterTable, type SavedRun } from './encode-run'
import { findBadDetail, NO_DETAILS } from './details'
import { damaged, readFile, type BadFile } from './file-layout'
import type { RawFile, RawTable } from './file-writer'
import { headerShape, type FileReport } from './file-shape'
import { gunzipBytes, isGzip } from './gzip'
import type { Report } from './report'
import {
  COLLECTIVE_TABLE,
  DETAIL_TABLE,
  FLOW_TABLE,
  INSTANT_TABLE,
  SPAN_TABLE,
  type Column,
  type TableOf,
  type TableSpec,
  FLOW_KINDS,
  SPAN_KINDS,
  SPAN_ROLES,
  SPAN_SOURCES,
  TRACE_VERSION,
  type ClockSnapshot,
  type RunInfo,
  type Trace,
} from './schema'

export { encodeRun, type SavedRun } from './encode-run'
export type { BadFile } from './file-layout'
export { gzipBytes, gunzipBytes } from './gzip'

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
  options: DecodeOptions = {},
): Promise<Result<SavedRun, BadFile>> {
  const { budget = new Budget() } = options
  try {
    const plain = isGzip(bytes) ? await gunzip(bytes, budget) : bytes
    if (!(plain instanceof Uint8Array)) return plain
    budget.spend('bytes', plain.length)
    return decodePlain(plain, { ...options, budget, isGiven: options.isGiven || plain !== bytes })
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

/** @throws OverBudget */
function decodePlain(
  bytes: Uint8Array,
  options: DecodeOptions & { readonly budget: Budget },
): Result<SavedRun, BadFile> {
  const { origin = 'recorded', budget, isGiven } = options
  const read = readFile(bytes, budget, isGiven)
  if (!read.ok) return read
  const { version, file } = read.value
  if (version === TRACE_VERSION) return interpret(file, origin, budget)
  const isNewer = version > TRACE_VERSION
  return fail({
    code: isNewer ? 'too-new' : 'too-old',
    message: `The file is of version ${String(version)}; this lab reads version ${String(TRACE_VERSION)}.`,
  })
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
  if (!v.is(shape, said)) return damaged(problemIn(shape, said) ?? 'its header cannot be read')
  const spans = fromRaw(SPAN_TABLE, tables['spans'])
  const instants = fromRaw(INSTANT_TABLE, tables['instants'])
  const flows = fromRaw(FLOW_TABLE, tables['flows'])
  const snapshots = fromRaw(SNAPSHOT_TABLE, tables['snapshots'])
  const collectives = tables['collectives']
    ? fromRaw(COLLECTIVE_TABLE, tables['collectives'])
    : NO_COLLECTIVES
  const details = tables['details'] ? fromRaw(DETAIL_TABLE, tables['details']) : NO_DETAILS
  if (!spans || !instants || !flows || !snapshots || !collectives || !details)
    return damaged('a table is missing')
  const samples = said.counters.map((_, index) => fromRaw(COUNTER_TABLE, tables[counterTable(index)]))
  const trace: Trace = {
    version: TRACE_VERSION,
    info: { ...said.info, origin },
    clocks: said.clocks,
    lanes: said.lanes,
    strings: said.strings,
    rejected: said.rejected,
    spans,
    instants,
    flows,
    collectives,
    details,
    counters: said.counters.flatMap((counter, index) => {
      const table = samples[index]
      return table ? [{ ...counter, ...table }] : []
    }),
    snapshots: Array.from({ length: snapshots.length }, (_, row): ClockSnapshot => ({
      clock: snapshots.clock[row] ?? 0,
      hostBeforeNs: snapshots.hostBeforeNs[row] ?? 0,
      beginTick: snapshots.beginTick[row] ?? 0,
      endTick: snapshots.endTick[row] ?? 0,
      hostAfterNs: snapshots.hostAfterNs[row] ?? 0,
    })),
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

/** The table, when its columns are those of the spec. */
function fromRaw<Spec extends TableSpec>(spec: Spec, raw: RawTable | undefined): TableOf<Spec> | null {
  if (!raw) return null
  const columns: Record<string, Column> = {}
  for (const [name, type] of Object.entries(spec)) {
    const column = Object.hasOwn(raw.columns, name) ? raw.columns[name] : undefined
    if (!column || !isOfType(column, type) || column.length !== raw.length) return null
    columns[name] = column
  }
  return { ...columns, length: raw.length } as unknown as TableOf<Spec> // every column of the spec, of its type
}

const CLASSES: Readonly<Record<TableSpec[string], string>> = {
  u8: 'Uint8Array',
  u16: 'Uint16Array',
  u32: 'Uint32Array',
  i32: 'Int32Array',
  f64: 'Float64Array',
}
const isOfType = (column: Column, type: TableSpec[string]): boolean =>
  column[Symbol.toStringTag] === CLASSES[type]

/**
 * Every index must point at something, and every time be one, with a place on the axis: all later
 * code relies on it and checks nothing.
 * @throws OverBudget
 */
function findBadRow(trace: Trace): string | null {
  const { spans, instants, flows, counters, snapshots, lanes, strings, clocks } = trace
  const bad = (table: string, row: number) => `row ${String(row)} of its ${table} points at nothing`
  const isLane = (lane: number | undefined) => lane !== undefined && lane < lanes.length
  const isString = (index: number | undefined) => index !== undefined && index < strings.length
  for (let row = 0; row < spans.length; row += 1) {
    const [start = Number.NaN, end = Number.NaN, variant = -1] = [
      spans.start[row],
      spans.end[row],
      spans.variant[row],
    ]
    const known =
      (spans.kind[row] ?? Infinity) < SPAN_KINDS.length &&
      (spans.role[row] ?? Infinity) < SPAN_ROLES.length &&
      (spans.source[row] ?? Infinity) < SPAN_SOURCES.length
    const timed = end >= start && end - start < Infinity
    const named = isString(spans.name[row]) && variant >= -1 && variant < strings.length
    if (!known || !timed || !named || !isLane(spans.lane[row])) return bad('spans', row)
    checkTime(start)
    checkTime(end)
  }
  for (let row = 0; row < instants.length; row += 1)
    if (!isLane(instants.lane[row]) || !isString(instants.name[row]) || !Number.isFinite(instants.time[row]))
      return bad('instants', row)
  for (let row = 0; row < instants.length; row += 1) checkTime(instants.time[row] ?? 0)
  for (let row = 0; row < flows.length; row += 1) {
    const ends = Math.max(flows.from[row] ?? Infinity, flows.to[row] ?? Infinity)
    if (ends >= spans.length || (flows.kind[row] ?? Infinity) >= FLOW_KINDS.length) return bad('flows', row)
  }
  const collective = findBadCollective(trace)
  if (collective >= 0) return bad('collectives', collective)
  const detail = findBadDetail(trace)
  if (detail >= 0) return bad('details', detail)
  for (const counter of counters)
    for (let row = 0; row < counter.length; row += 1) {
      if (!Number.isFinite(counter.timeNs[row]) || !Number.isFinite(counter.value[row]))
        return bad('counters', row)
      checkTime(counter.timeNs[row] ?? 0)
    }
  for (const [row, { clock, hostBeforeNs, hostAfterNs, beginTick, endTick }] of snapshots.entries()) {
    const times = [hostBeforeNs, hostAfterNs, beginTick, endTick]
    if (clocks[clock]?.kind !== 'device' || times.some(Number.isNaN)) return bad('snapshots', row)
    times.forEach(checkTime)
  }
  for (const { stepNs } of clocks) checkTime(stepNs)
  return null
}
