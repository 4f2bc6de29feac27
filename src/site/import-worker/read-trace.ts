/**
 * A file's bytes to all that the page shows of it: opened, placed, gaps named, devices summed up,
 * path followed, packed for the way. Opens and analyses as `npm run lab -- analyze` does. Runs in
 * the import worker; uses nothing of a worker, so tests run it plainly.
 */
import { criticalPath } from '../../analysis/critical-path'
import { diagnose } from '../../analysis/diagnosis'
import { pathColumns } from '../../analysis/drawn-path'
import { pageFigures } from '../../analysis/page-figures'
import { pageFindings } from '../../analysis/page-findings'
import { reasonsOf, summariseDevices, type DeviceSummary } from '../../analysis/devices'
import { costOf, type Diagnosis } from '../../analysis/findings'
import type { IdleReasons } from '../../analysis/idle-reasons'
import { packTrial } from '../../analysis/replay/packed-trial'
import { findGaps } from '../../analysis/gaps'
import { restBy, restWhile } from '../../base/give-way'
import { allocate, buffersToMove } from '../../base/shared-memory'
import { fail, succeed, type Result } from '../../base/fault'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import type { Sketch } from '../../trace/formats/import/sketch'
import { gapRowBuffers, makeGapRows } from '../../timeline/lod/gap-rows'
import { makeTraceLod, packLod } from '../../timeline/lod/trace-lod'
import type { FileSource } from '../../trace/file-source'
import { gapColumns, type Gap } from '../../trace/gaps'
import { placeTrace, type PlacedTrace } from '../../trace/place'
import { RECORDED_PAGE, type Trace } from '../../trace/schema'
import { cap, digestDevice, MOST_DEVICES } from './digest'
import { openRanks } from './open-ranks'
import { columnsOfStrings, packStrings, packTrace, sharedTrace } from './packed-trace'
import type {
  ImportProgress,
  ImportRequest,
  ImportSettings,
  PackedFound,
  NamedFile,
  OpenedFacts,
  Post,
} from './protocol'
import { faultOf, pageBudget, sourceOfBlob, thrownFault, type OpenedFile } from './opened-file'

/** Reasons and remarks are few in any file but a hostile one. */
const MOST_REASONS = 100

/**
 * Where each phase begins, in shares of the time that 10^5 to 10^6 spans took: the bar moves
 * evenly, and claims no more.
 */
const PHASES = {
  opening: { from: 0, phase: 'Reading the events' },
  placing: { from: 0.6, phase: 'Placing the spans on one axis' },
  gaps: { from: 0.75, phase: 'Naming the gaps' },
  path: { from: 0.9, phase: 'Following the critical path' },
} as const

type TraceSource = Uint8Array | FileSource | Trace | { readonly files: readonly NamedFile[] }

/** Progress is told as often as a bar can be seen to move. */
const PROGRESS_EVERY_MS = 50

/** Reads what a page asks for and posts it: all parts, or a fault. Never rejects. */
export async function answerImport(
  { source, inputs, ...settings }: ImportRequest,
  post: Post,
): Promise<void> {
  let [lastMs, lastPhase] = [-Infinity, '']
  try {
    post({ type: 'progress', progress: { fraction: 0, phase: 'Taking the file in' } })
    const read = await readTaken(take(source), settings, (event, transfer) => {
      if (event.type === 'progress') {
        const { sketch, phase } = event.progress
        const nowMs = performance.now()
        if (!sketch && phase === lastPhase && nowMs - lastMs < PROGRESS_EVERY_MS) return
        ;[lastMs, lastPhase] = [nowMs, phase]
      }
      post(event, transfer)
      if (event.type === 'opened' && inputs) restBy(restWhile(inputs))
    })
    if (!read.ok) post({ type: 'failed', fault: read.error })
  } catch (thrown) {
    post({ type: 'failed', fault: thrownFault(thrown) })
  }
}

function take(source: ImportRequest['source']): Result<TraceSource> {
  if (source instanceof Blob) return sourceOfBlob(source, pageBudget())
  return succeed('trace' in source ? source.trace : source)
}

/** Not async, as readTrace: such a frame would keep the bytes that were handed over. */
const readTaken = (
  taken: Result<TraceSource>,
  settings: ImportSettings,
  post: Post,
): Result<void> | Promise<Result<void>> => (taken.ok ? readTrace(taken.value, settings, post) : taken)

/**
 * Success: all parts have been posted. Not async: such a frame would keep the file's bytes until
 * the analysis ends. @internal
 */
export function readTrace(source: TraceSource, settings: ImportSettings, post: Post): Promise<Result<void>> {
  const { from, phase: reading } = PHASES.opening
  const say = (progress: ImportProgress) => post({ type: 'progress', progress })
  say({ fraction: from, phase: reading })
  const isOpen = 'spans' in source
  let fraction = from
  return open(
    source,
    (share, phase = reading) => {
      fraction = share * PHASES.placing.from
      say({ fraction, phase })
    },
    (sketch) => say({ fraction, phase: reading, sketch }),
  ).then((read) => (read.ok ? show(read.value, isOpen, settings, post) : read))
}

function show(
  { opened, sizeBytes, ranks }: OpenedFile,
  isOpen: boolean,
  { origin, gaps: which, stepMs }: ImportSettings,
  post: Post,
): Result<void> {
  const say = (phase: keyof typeof PHASES) =>
    post({ type: 'progress', progress: { fraction: PHASES[phase].from, phase: PHASES[phase].phase } })
  const { format, report, skipped, notes } = opened
  const trace = { ...opened.trace, info: { ...opened.trace.info, origin } }
  const isJoined = ranks !== null && ranks.ranks.count > 1
  say('placing')
  const placed = placeTrace(trace, allocate)
  const facts: OpenedFacts = {
    format,
    sizeBytes,
    report,
    skipped: cap(skipped, MOST_REASONS),
    notes: cap(notes, MOST_REASONS),
    ranks,
  }
  // The timeline first: what follows takes as long again, and memory that is free by then.
  handOverOpened(placed, facts, post)

  say('gaps')
  let reasons = reasonsOf(placed, stepMs)
  let devices: readonly DeviceSummary[] | null = summariseDevices(placed, reasons)
  // A file without a report is no run of the lab's; an open trace is one.
  const isRun = isOpen || report !== null
  const hasDeviceGaps = which === 'of-devices' || !isRun
  let gaps: readonly Gap[] | null = hasDeviceGaps ? devices.flatMap(({ gaps }) => gaps) : findGaps(placed)
  // The picture has them before the verdict.
  handOverGaps(placed, gaps, post)
  const diagnoses = diagnose(placed, devices.slice(0, MOST_DEVICES), reasons)
  const trial = reasons && trialOf(diagnoses, reasons)
  // A program of 60,000 stretches takes 15 MB.
  reasons?.dropReplays()
  const evidences = packEvidences(gaps)
  post({ type: 'evidences', evidences }, buffersToMove(columnsOfStrings(evidences)))
  gaps = null
  const shown = devices.slice(0, MOST_DEVICES)
  const isPage = trace.info.experiment === RECORDED_PAGE
  const told = {
    devices: { count: devices.length, shown: shown.map(digestDevice) },
    diagnoses,
    trial: trial?.found ?? null,
    pageFindings: isPage ? pageFindings({ trace, diagnoses, figures: pageFigures(trace) }) : null,
    coverage: reasons?.records.coverage ?? null,
    hasDeviceGaps,
  }
  shown.length = 0
  // Gaps, and the host's calls as they nest, are a good part of all that is held by now.
  devices = null
  reasons = null
  say('path')
  // Who held up whom across ranks is the ranks' own verdict.
  const followed = isJoined ? null : criticalPath(placed)
  const path = followed && pathColumns(followed)
  post({ type: 'done', found: { ...told, path } }, [
    ...(path ? [path.startNs.buffer, path.endNs.buffer, path.span.buffer, path.who.buffer] : []),
    ...(trial?.transfer ?? []),
  ])
  return succeed(undefined)
}

/** Packs the trial of the device whose causes cost most, of equals the first. */
function trialOf(
  diagnoses: readonly Diagnosis[],
  reasons: IdleReasons,
): { readonly found: PackedFound['trial']; readonly transfer: readonly ArrayBuffer[] } | null {
  const costs = diagnoses.map(({ steps, findings }) => (steps ? costOf(findings) : 0))
  const device = costs.indexOf(Math.max(...costs))
  const replay = (costs[device] ?? 0) > 0 ? reasons.replayOf(diagnoses[device]?.device ?? '') : ''
  if (typeof replay === 'string') return null
  const { packed, transfer } = packTrial(replay)
  return { found: { device, trial: packed }, transfer }
}

/**
 * Functions of their own, so that what is handed over is let go: a reader of 10^6 spans has no room
 * to keep it beside what comes next.
 */
function handOverOpened(placed: PlacedTrace, facts: OpenedFacts, post: Post): void {
  const lod = packLod(makeTraceLod(placed))
  const { trace: all, ...own } = placed
  const trace = packTrace(all)
  const opened = { ...facts, trace: trace.packed, placed: own, lod: lod.packed }
  post({ type: 'opened', opened }, [...trace.transfer, ...lod.transfer])
}

function handOverGaps(placed: PlacedTrace, gaps: readonly Gap[], post: Post): void {
  const rows = makeGapRows(placed, gaps)
  const { columns, transfer } = packGaps(gaps)
  post({ type: 'gaps', gaps: { columns, rows } }, [...transfer, ...gapRowBuffers(rows)])
}

/**
 * Columns, by transfer. Their evidence follows as text, which takes as long as finding them: it is
 * read when it is asked for, of one gap at a time. @internal
 */
export function packGaps(gaps: readonly Gap[]) {
  const columns = gapColumns(gaps)
  const moved = Object.values({ ...columns }).filter((column) => typeof column !== 'number')
  return { columns, transfer: buffersToMove(moved) }
}

/** By gap. Nearly each is its own: figures stand in it. @internal */
export const packEvidences = (gaps: readonly Gap[]) =>
  packStrings(gaps.length, (index) => gaps[index]?.evidence ?? '')

/** The trace as it was read is let go here, where its columns are shared. */
async function open(
  source: TraceSource,
  onProgress: (share: number, phase?: string) => void,
  onSketch: (sketch: Sketch) => void,
): Promise<Result<OpenedFile>> {
  const read = await openSource(source, onProgress, onSketch)
  if (!read.ok) return read
  const { opened, ...rest } = read.value
  return succeed({ ...rest, opened: { ...opened, trace: sharedTrace(opened.trace) } })
}

/** A trace that is open already is as a file of the lab's own. */
async function openSource(
  source: TraceSource,
  onProgress: (share: number, phase?: string) => void,
  onSketch: (sketch: Sketch) => void,
): Promise<Result<OpenedFile>> {
  if ('files' in source) return await openRanks(source.files, onProgress)
  if ('spans' in source) {
    const opened = { format: 'host-device-lab', trace: source, report: null, skipped: [], notes: [] } as const
    return succeed({ opened, sizeBytes: 0, ranks: null })
  }
  const opened = await openTraceFile(source, { onProgress, onSketch, budget: pageBudget() })
  if (!opened.ok) return fail(faultOf(opened.error))
  const sizeBytes = source instanceof Uint8Array ? source.length : source.size
  return succeed({ opened: opened.value, sizeBytes, ranks: null })
}
