/**
 * The one door for a file that someone hands over: the lab's own format, Trace Event JSON, torch.profiler's, each plain or gzipped, told
 * apart by their bytes. Never throws: a file that cannot be read is a value with a reason, what was left out of a readable one is counted.
 * Gives way between turns of 50,000 events, so that a worker hears of a cancellation; the bytes are never one string or object.
 */
import { fail, succeed, type Result } from '../../base/result'
import { decodeRun, gunzipBytes } from '../../trace/codec'
import { isGzip } from '../../trace/gzip'
import type { Report } from '../../trace/report'
import type { Trace } from '../../trace/schema'
import { buildTrace, type BuiltTrace } from './build-trace'
import { EventReader } from './event-reader'
import type { TraceFormat } from './run-info'
import type { Skipped } from './skips'

export type { TraceFormat } from './run-info'
export type { Skipped } from './skips'

export interface OpenedTrace {
  readonly format: TraceFormat
  readonly trace: Trace
  /** The lab's own format carries the run's report. */
  readonly report: Report | null
  readonly skipped: readonly Skipped[]
  /** What the file shows of its own quality. */
  readonly notes: readonly string[]
}

export interface UnreadableFile {
  readonly code: 'not-a-trace' | 'damaged' | 'too-new' | 'cancelled'
  /** One sentence for a person. */
  readonly message: string
}

export interface OpenOptions {
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
  readonly signal?: AbortSignal
}

/** The lab's own files begin with this byte; JSON never does. */
const OWN_MAGIC = 0x89
const SHARE_OF_READING = 0.6
/** Shorter turns than this are not worth a pause. */
const TURN_MS = 10

const giveWay = (): Promise<void> => new Promise((done) => setTimeout(done, 0))

export async function openTraceFile(
  bytes: Uint8Array,
  { onProgress, signal }: OpenOptions = {},
): Promise<Result<OpenedTrace, UnreadableFile>> {
  let plain = bytes
  if (isGzip(bytes)) {
    try {
      plain = await gunzipBytes(bytes)
    } catch (thrown) {
      return damaged(
        `The file is damaged: gzip says ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
      )
    }
  }
  if (plain.length === 0) return fail({ code: 'not-a-trace', message: 'The file is empty.' })
  if (plain[0] === OWN_MAGIC) return openOwn(plain)

  let lastMs = performance.now()
  const isCancelled = async (fraction: number): Promise<boolean> => {
    onProgress?.(fraction)
    if (performance.now() - lastMs > TURN_MS) {
      await giveWay()
      lastMs = performance.now()
    }
    return signal?.aborted === true
  }
  const reader = new EventReader(plain)
  for (const share of reader.read()) if (await isCancelled(share * SHARE_OF_READING)) return cancelled
  if (reader.problem)
    return fail({
      code: reader.problem.message.startsWith('This is') ? 'not-a-trace' : 'damaged',
      message: reader.problem.message,
    })
  const building = buildTrace(reader.file)
  let built: BuiltTrace
  for (;;) {
    const step = building.next()
    if (step.done) {
      built = step.value
      break
    }
    if (await isCancelled(SHARE_OF_READING + step.value * (1 - SHARE_OF_READING))) return cancelled
  }
  return succeed({ ...built, report: null, skipped: reader.file.skips.list() })
}

const damaged = (message: string): Result<never, UnreadableFile> => fail({ code: 'damaged', message })
const cancelled: Result<never, UnreadableFile> = fail({
  code: 'cancelled',
  message: 'Reading was cancelled.',
})

async function openOwn(bytes: Uint8Array): Promise<Result<OpenedTrace, UnreadableFile>> {
  const run = await decodeRun(bytes)
  if (!run.ok) {
    const { code, message } = run.error
    return fail({ code: code === 'not-a-run' ? 'not-a-trace' : code, message })
  }
  const notes = Object.entries(run.value.trace.rejected).map(
    ([reason, count]) => `When it was recorded, ${String(count)} timestamps were refused: ${reason}.`,
  )
  // A link may hold part of a run (run-link.ts).
  const leftOut = run.value.trace.info.derived['linkLeftOut']
  if (typeof leftOut === 'string') notes.push(leftOut)
  return succeed({ format: 'host-device-lab', ...run.value, skipped: [], notes })
}
