/**
 * Opens any file that someone hands over: the lab's own format, Trace Event JSON, torch.profiler's,
 * each plain or gzipped, told apart by their bytes. What it may cost is trace/budget.ts's to say.
 * Never throws: a file that cannot be read is a value with a reason, what was left out of a
 * readable one is counted. A file is read in pieces, and is never one array, string or object.
 * Between pieces, and between turns of 200,000 events, the event loop runs.
 */
import { fail, succeed, type Result } from '../../../base/fault'
import { Budget, check, OverBudget, tooLarge } from '../../budget'
import { decodeRun } from '../../codec'
import { inflatedPiecesOf, piecesOf, sourceOf, type FileSource } from '../../file-source'
import { claimedBytes, isGzip } from '../../gzip'
import type { Report } from '../../report'
import type { Trace } from '../../schema'
import { buildTrace, type BuiltTrace } from './build-trace'
import { EventReader } from './event-reader'
import { FileWindow } from './file-window'
import type { TraceFormat } from './run-info'
import type { ImportWarning } from './import-warnings'
import { Sketcher, type Sketch } from './sketch'

export type { ImportWarning } from './import-warnings'

export interface OpenedTrace {
  readonly format: TraceFormat
  readonly trace: Trace
  /** The lab's own format carries the run's report. */
  readonly report: Report | null
  readonly skipped: readonly ImportWarning[]
  /** What the file shows of its own quality. */
  readonly notes: readonly string[]
}

export interface UnreadableFile {
  readonly code: 'not-a-trace' | 'damaged' | 'too-new' | 'too-old' | 'too-large'
  /** One sentence for a person. */
  readonly message: string
}

export interface OpenOptions {
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
  /** A few times while events are read, the first a moment after the start. */
  readonly onSketch?: ((sketch: Sketch) => void) | undefined
  /**
   * Of files that are opened together, the one for all; a file that is refused has spent nothing of
   * it.
   */
  readonly budget?: Budget
}

/** The lab's own files begin with this byte; JSON never does. */
const OWN_MAGIC = 0x89
const SHARE_OF_READING = 0.6
/** Shorter turns than this are not worth a pause. */
const SLICE_MS = 50
/** The first sketch comes after so long, and the next whenever that has doubled. */
const SKETCH_MS = 100

const yieldToEventLoop = (): Promise<void> => new Promise((done) => setTimeout(done, 0))

export async function openTraceFile(
  source: Uint8Array | FileSource,
  options: OpenOptions = {},
): Promise<Result<OpenedTrace, UnreadableFile>> {
  const { budget = new Budget() } = options
  const undo = budget.mark()
  let opened: Result<OpenedTrace, UnreadableFile>
  try {
    const file = source instanceof Uint8Array ? sourceOf(source) : source
    opened = await open(file, budget, options)
  } catch (thrown) {
    undo()
    if (thrown instanceof OverBudget)
      return fail({ code: 'too-large', message: tooLarge('The file', thrown) })
    throw thrown
  }
  if (!opened.ok) undo()
  return opened
}

/** @throws OverBudget */
async function open(
  source: FileSource,
  budget: Budget,
  { onProgress, onSketch }: OpenOptions,
): Promise<Result<OpenedTrace, UnreadableFile>> {
  budget.spend('files', 1)
  if (source.size === 0) return fail({ code: 'not-a-trace', message: 'The file is empty.' })
  const isZipped = isGzip(await source.read(0, 2))
  const left = budget.left('bytes')
  if (source.size > left) throw new OverBudget('bytes', source.size, left)
  const { size } = source
  const claimed = isZipped ? claimedBytes(await source.read(Math.max(0, size - 4), size), size) : size
  const pieces = isZipped ? inflatedPiecesOf(source) : piecesOf(source)
  const told = { claimed: Math.min(claimed, left), isSure: !isZipped }
  const window = new FileWindow(pieces, told, left, source.pieceBytes)
  try {
    await window.fill()
  } catch (thrown) {
    if (!isZipped || thrown instanceof OverBudget) throw thrown
    return damaged(gzipProblem(thrown instanceof Error ? thrown.message : String(thrown)))
  }
  if (window.length === 0) return fail({ code: 'not-a-trace', message: 'The file is empty.' })
  // The lab's own files are whole or nothing: their columns stand at the end of each other.
  if (window.bytes[0] === OWN_MAGIC) {
    await pieces.return()
    return openOwn(await source.read(0, source.size), budget, source.givesAway)
  }

  let lastMs = performance.now()
  const turn = async (fraction: number): Promise<void> => {
    onProgress?.(fraction)
    if (performance.now() - lastMs <= SLICE_MS) return
    await yieldToEventLoop()
    lastMs = performance.now()
  }
  const reader = new EventReader(window, budget.left('events'))
  const sketcher = new Sketcher(reader.file)
  const beganMs = lastMs
  let sketchMs = SKETCH_MS
  for (const share of reader.read()) {
    await window.fill()
    const tookMs = performance.now() - beganMs
    if (onSketch && tookMs >= sketchMs) {
      sketchMs = 2 * tookMs
      const sketch = sketcher.sketch()
      if (sketch) onSketch(sketch)
    }
    await turn(share * SHARE_OF_READING)
  }
  const { problem: cut } = window
  if (reader.problem && cut !== null) return damaged(gzipProblem(cut))
  if (reader.problem)
    return fail({
      code: reader.problem.message.startsWith('This is') ? 'not-a-trace' : 'damaged',
      message: reader.problem.message,
    })
  budget.spend('bytes', window.size)
  const { file } = reader
  budget.spend('events', file.eventCount)
  file.isCut ||= cut !== null
  const building = buildTrace(file)
  let built: BuiltTrace
  for (;;) {
    const step = building.next()
    if (step.done) {
      built = step.value
      break
    }
    await turn(SHARE_OF_READING + step.value * (1 - SHARE_OF_READING))
  }
  spendTrace(built.trace, budget)
  const notes =
    cut === null || reader.endsEarly
      ? built.notes
      : [`The gzip is cut short or damaged (it says: ${cut}): read as far as it goes.`, ...built.notes]
  return succeed({ ...built, notes, report: null, skipped: file.warnings.list() })
}

/**
 * What the events have become, as a saved run's tables would be: so that a run that was opened can
 * be saved and opened again.
 */
function spendTrace({ spans, instants, flows, collectives, counters, ...rest }: Trace, budget: Budget): void {
  const samples = counters.reduce((sum, { length }) => sum + length, 0)
  const tables = spans.length + instants.length + flows.length + collectives.length
  budget.spend('rows', tables + samples + rest.snapshots.length)
  budget.spend('names', rest.strings.length)
  check('lanes', rest.lanes.length)
}

const gzipProblem = (says: string): string =>
  `The file is cut or damaged before its first event (gzip says: ${says}): copy it once more, or record again.`
const damaged = (message: string): Result<never, UnreadableFile> => fail({ code: 'damaged', message })

async function openOwn(
  bytes: Uint8Array,
  budget: Budget,
  isGiven = false,
): Promise<Result<OpenedTrace, UnreadableFile>> {
  const run = await decodeRun(bytes, { budget, isGiven })
  if (!run.ok) {
    const { code, message } = run.error
    return fail({ code: code === 'not-a-run' ? 'not-a-trace' : code, message })
  }
  const notes = Object.entries(run.value.trace.rejected).map(
    ([reason, count]) => `When it was recorded, ${String(count)} timestamps were refused: ${reason}.`,
  )
  return succeed({ format: 'host-device-lab', ...run.value, skipped: [], notes })
}
