/**
 * `npm run lab -- analyze FILE [--json]`: what a trace says of its devices, without a page; of
 * several files lab-analyze-ranks.ts. Times in µs. Files are opened and analysed as by the page:
 * src/trace/formats/import/open-trace.ts, src/analysis/diagnosis.ts, devices.ts and
 * critical-path.ts there.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { criticalPath, type CriticalPath } from '../src/analysis/critical-path'
import type { Coverage } from '../src/analysis/coverage'
import { knownUs, type DeviceSummary } from '../src/analysis/devices'
import { analyse } from '../src/analysis/diagnosis'
import { diagnosisText, noDeviceWords, launchesWords } from '../src/analysis/diagnosis-words'
import type { Diagnosis, Finding } from '../src/analysis/findings'
import { PATH_OWNERS, type PathOwner } from '../src/analysis/types'
import { fail } from '../src/base/fault'
import { isIdle } from '../src/trace/gap-causes'
import { GAP_CAUSES, type Gap } from '../src/trace/gaps'
import { oneLine, bytesText, durationText } from '../src/base/figures'
import { openTraceFile, type OpenedTrace, type ImportWarning } from '../src/trace/formats/import/open-trace'
import { Budget, OverBudget, tooLarge } from '../src/trace/budget'
import { sourceOf, type FileSource } from '../src/trace/file-source'
import { placeTrace } from '../src/trace/place'
import { jsonBlocks, LongList } from './json-blocks'
import { lessonThatMends } from './lesson-that-mends'
import { progressLine } from './progress-line'
import { CommandError } from './terminal.mjs'
import { STANDARD_INPUT } from './trace-files'
import { firstRows, formatFigure, textTable } from './text-table'

/** A file, and the trace in it. */
export type ReadFile = Awaited<ReturnType<typeof readOne>>
export type Analysis = ReadFile['analysis']

/** Files shorter than this are read before a progress line could be. */
const PROGRESS_BYTES = 16 * 2 ** 20
/** Of the gaps in the text; all are in the JSON. */
const LONGEST_GAPS = 5
const MOST_LANES = 40
const MOST_DEVICES = 64

/**
 * @param stepMs a step of the program without the profiler; null: as the file says
 * @param budget of files that are read together, the one for all
 * @throws CommandError where it cannot be read
 */
export async function readOne(file: string, stepMs: number | null = null, budget = new Budget()) {
  const opened = await openFile(file, budget)
  const { format, trace, skipped, notes } = opened
  const { placed, reasons, devices, diagnoses } = analyse(placeTrace(trace), stepMs)
  return {
    /** Null of a run of the lab's. */
    reasons,
    opened,
    analysis: {
      file,
      format,
      spans: trace.spans.length,
      /** Counts all launches in the file; null where it marks none. */
      coverage: reasons?.records.coverage ?? null,
      devices,
      /** One a device: what is wrong with its time, in sentences. */
      diagnoses,
      criticalPath: criticalPath(placed),
      skipped,
      notes,
    },
  }
}

async function openFile(file: string, budget: Budget): Promise<OpenedTrace> {
  const opened = await openUnread(file, budget)
  if (!opened.ok) throw new CommandError(`'${file}' cannot be read. ${opened.error.message}`, 2)
  return opened.value
}

async function openUnread(file: string, budget: Budget): ReturnType<typeof openTraceFile> {
  try {
    const handle = await open(file === STANDARD_INPUT ? '/dev/stdin' : file)
    try {
      const stats = await handle.stat()
      const source = stats.isFile()
        ? piecewise(handle, stats.size)
        : sourceOf(await readUpTo(handle, budget.left('bytes')))
      const line = source.size > PROGRESS_BYTES ? progressLine() : null
      const onProgress = (fraction: number) => line?.show(fraction, 'reading')
      const opened = await openTraceFile(source, { budget, onProgress })
      line?.end()
      return opened
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    if (thrown instanceof OverBudget)
      return fail({ code: 'too-large', message: tooLarge('The file', thrown) })
    const why = thrown instanceof Error ? thrown.message.replace(/^E[A-Z]+: /, '') : String(thrown)
    throw new CommandError(`'${file}' cannot be read: ${why}.`, 2)
  }
}

const piecewise = (handle: FileHandle, size: number): FileSource => ({
  size,
  read: async (from, to) => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(to - from), 0, to - from, from)
    return buffer.subarray(0, bytesRead)
  },
})

/**
 * Reads as much as may be opened, and no more: a device file has no end, and its size is given as
 * 0.
 */
async function readUpTo(handle: FileHandle, mostBytes: number): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > mostBytes) throw new OverBudget('bytes', null, mostBytes, 'bytes')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const withLesson = (finding: Finding) => ({ ...finding, lesson: lessonThatMends(finding.cause) })

/** On the axis of the device's gaps. */
const startUs = ({ startNs, deviceStartNs }: Gap, { axis }: Pick<DeviceSummary, 'axis'>): number =>
  (axis === 'host' ? startNs : deviceStartNs) / 1e3

const lengthOf = ({ segments }: CriticalPath): number =>
  (segments.at(-1)?.endNs ?? 0) - (segments[0]?.startNs ?? 0)

const plainPath = ({ segments, ns }: CriticalPath) => ({
  beginUs: (segments[0]?.startNs ?? 0) / 1e3,
  endUs: (segments.at(-1)?.endNs ?? 0) / 1e3,
  pieces: new LongList(segments, ({ who, startNs, endNs }) => ({
    part: who,
    beginUs: startNs / 1e3,
    endUs: endNs / 1e3,
  })),
  us: Object.fromEntries(PATH_OWNERS.map((who) => [who, ns[who] / 1e3])) as Record<PathOwner, number>, // one for each
})

/**
 * What the JSON of one file holds. The number after @ goes up when a field is added, goes, or
 * changes its type or meaning.
 */
export const plainAnalysis = ({ devices, diagnoses, criticalPath: path, ...rest }: Analysis) => ({
  schema: 'host-device-lab/analysis@2',
  ...rest,
  diagnoses: diagnoses.map(({ findings, minor, ...diagnosis }) => ({
    ...diagnosis,
    findings: findings.map(withLesson),
    minor: minor.map(withLesson),
    lesson: lessonThatMends(diagnosis.verdict),
  })),
  devices: devices.map(({ gaps, ...device }) => ({
    ...device,
    ...stepsOf(diagnoses.find((each) => each.device === device.id)),
    gaps: new LongList(gaps, (gap) => {
      const beginUs = startUs(gap, device)
      return { beginUs, endUs: beginUs + gap.durationNs / 1e3, cause: gap.cause, evidence: gap.evidence }
    }),
  })),
  criticalPath: path && plainPath(path),
})

/**
 * A device's steps, and what removing each cause gains; null and none where nothing was replayed.
 */
const stepsOf = (diagnosis: Diagnosis | undefined) => ({
  steps: diagnosis?.steps ?? null,
  findings: diagnosis?.steps
    ? diagnosis.findings.map(({ cause, what, line, usPerStep, share, without }) => ({
        cause,
        what,
        line,
        usPerStep,
        share,
        without,
      }))
    : [],
})

export type AnalysisJson = ReturnType<typeof plainAnalysis>

export const analysisJson = (analysis: Analysis): Generator<string> => jsonBlocks(plainAnalysis(analysis))

export const us = (value: number | null): string => (value === null ? 'unknown' : durationText(value * 1e3))
export const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${formatFigure(100 * share)} %`

export function analysisText(analysis: Analysis): string {
  const { file, format, spans, coverage, devices, diagnoses, criticalPath: path, skipped, notes } = analysis
  const sections = [
    textTable([
      ['file', file],
      ['format', format],
      ['spans', String(spans)],
      ...(coverage ? [['launches', coverageText(coverage)]] : []),
      ...(diagnoses.some(({ verdict }) => verdict === 'lab-run')
        ? [['note', 'The whole recording, with warm-up, probes and the time between repeats.']]
        : []),
      ...firstRows(notes.map((note) => ['note', note])),
    ]),
    ...(devices.length === 0
      ? [`${noDeviceWords(coverage, format, skipped, notes)} For what the host did: --table operators.`]
      : []),
    ...diagnoses.slice(0, MOST_DEVICES).map((each) => diagnosisText(each, lessonThatMends)),
    ...devices.slice(0, MOST_DEVICES).map(deviceText),
    ...(devices.length > MOST_DEVICES
      ? [`and ${String(devices.length - MOST_DEVICES)} more devices, in --json`]
      : []),
    ...(path ? [pathText(path)] : []),
    skipped.length === 0 ? 'Nothing was skipped.' : skippedText(skipped),
  ]
  return sections.join('\n\n')
}

function deviceText(device: DeviceSummary): string {
  const { id, name, lanes, spans, busyUs, busyRatio, gaps, copies, totals, axis } = device
  const { workUs, workRatio, collectives, unrecordedUs, coverage } = device
  const idle = GAP_CAUSES.flatMap((cause) => {
    const total = isIdle(cause) ? totals[cause] : undefined
    return total ? [{ cause, ...total }] : []
  })
  const idleUs = idle.reduce((sum, { us: causeUs }) => sum + causeUs, 0)
  const causes = idle.map(({ cause, count, us: causeUs }) => [
    `  ${cause}`,
    String(count),
    us(causeUs),
    percent(causeUs / idleUs),
  ])
  const lost = totals['not-recorded']
  // Times are whole nanoseconds; a difference of their sums below one is of the rounding.
  const besideUs = lost ? Math.max(0, Math.round((lost.us - unrecordedUs) * 1e3)) / 1e3 : 0
  const collectiveRows = collectives.map(({ operation, count, bytes, us: lastedUs }) => [
    `  ${operation}`,
    String(count),
    bytes === null ? 'bytes unknown' : bytesText(bytes),
    us(lastedUs),
  ])
  const copyRows = copies.map(({ kind, count, bytes, busyUs: copyUs, gbPerS }) => [
    `  ${kind}`,
    String(count),
    bytes === null ? 'bytes unknown' : bytesText(bytes),
    us(copyUs),
    gbPerS === null ? '' : `${formatFigure(gbPerS)} GB/s`,
  ])
  const longest = [...gaps]
    .sort((a, b) => b.durationNs - a.durationNs)
    .slice(0, LONGEST_GAPS)
    .map((gap) => [
      `  ${durationText(gap.durationNs)}`,
      `at ${us(startUs(gap, device))}`,
      gap.cause,
      gap.evidence,
    ])
  return [
    oneLine(name === id ? id : `${id}: ${name}`),
    `  lanes ${oneLine(listed(lanes))}; ${String(spans)} kernels, copies, memsets and collectives`,
    `  busy ${us(busyUs)} of ${us(knownUs(device))}: ${percent(busyRatio)}`,
    ...(coverage && coverage.withoutRecord > 0 ? [`  launches ${coverageText(coverage)}`] : []),
    ...(lost
      ? [
          `  not recorded ${us(unrecordedUs)} between its first work and its last, ${us(besideUs)} outside these; no share counts either`,
        ]
      : []),
    ...(collectiveRows.length > 0
      ? [
          `  work, without collectives and copies, ${us(workUs)}: ${percent(workRatio)}`,
          '  collectives, waiting for other ranks in them',
          textTable(firstRows(collectiveRows), [1, 2, 3]),
        ]
      : []),
    ...(axis === 'device'
      ? ['  The device’s clock could not be tied to the host’s: times are its own, causes unknown.']
      : []),
    ...(causes.length > 0 ? ['  idle by cause', textTable(causes, [1, 2, 3])] : ['  never idle']),
    ...(copyRows.length > 0 ? ['  copies', textTable(firstRows(copyRows), [1, 2, 3, 4])] : []),
    ...(longest.length > 0 ? ['  longest gaps', textTable(longest, [0])] : []),
  ].join('\n')
}

const coverageText = (coverage: Coverage): string =>
  coverage.withoutRecord === 0
    ? `${String(coverage.launches)}, all with a record on a device`
    : `${launchesWords(coverage)} without a record on a device`

const listed = (names: readonly string[]): string =>
  names.length <= MOST_LANES
    ? names.join(', ')
    : `${names.slice(0, MOST_LANES).join(', ')} and ${String(names.length - MOST_LANES)} more`

function pathText(path: CriticalPath): string {
  const lengthNs = lengthOf(path)
  const rows = PATH_OWNERS.filter((who) => path.ns[who] > 0).map((who) => [
    `  ${who}`,
    durationText(path.ns[who]),
    percent(path.ns[who] / lengthNs),
  ])
  return [`critical path: ${durationText(lengthNs)}`, textTable(rows, [1, 2])].join('\n')
}

function skippedText(skipped: readonly ImportWarning[]): string {
  const rows = skipped.map(({ reason, count, firstEvent, firstByte }) => [
    `  ${count === null ? 'unknown' : String(count)}`,
    reason,
    `first: event ${String(firstEvent)}, byte ${String(firstByte)}`,
  ])
  return ['skipped', textTable(firstRows(rows), [0])].join('\n')
}
