/**
 * Files as the import worker has them once they are open, and what is wrong with those that cannot
 * be read, in words for the page.
 */
import { bytesText } from '../../base/figures'
import { toFault, type Fault, fail, succeed, type Result } from '../../base/fault'
import type { OpenedTrace, UnreadableFile } from '../../trace/formats/import/open-trace'
import { allocate } from '../../base/shared-memory'
import { Budget, OverBudget, tooLarge } from '../../trace/budget'
import type { FileSource } from '../../trace/file-source'
import type { RanksDigest } from './protocol'

export interface OpenedFile {
  readonly opened: OpenedTrace
  readonly sizeBytes: number
  /** Null: one file was given, and it is of one rank or none. */
  readonly ranks: RanksDigest | null
}

const HINTS: Readonly<Record<UnreadableFile['code'], string>> = {
  'not-a-trace':
    'What can be opened: the lab’s own runs (.hdl, .hdl.gz) and Trace Event JSON, plain or gzipped, also of torch.profiler.',
  damaged: 'Save or export it again from where it came from; a file cut short in a download ends like this.',
  'too-new': 'Reload the page for a newer lab.',
  'too-old': 'Files from earlier versions are no longer read: make the run again.',
  'too-large':
    'Record fewer steps: a few show why the program waits. Or read up to 2 GB in a clone of the lab: npm run lab -- analyze FILE. A page reads up to 1 GiB, inflated, and 2 GB where the browser reports 8 GiB of memory.',
}

export const faultOf = ({ code, message }: UnreadableFile): Fault => ({
  code: 'file',
  message,
  hint: HINTS[code],
  data: { problem: code },
})

/**
 * The most that Chromium held at once while it opened 10^7 events, by the file's size: in the
 * analysis, not in reading.
 */
const MEMORY_A_BYTE = 2
const MUCH_MEMORY_GIB = 8
const LESS_BYTES = 2 ** 30

/** By the browser's memory, which only Chromium tells. */
export function pageBudget(): Budget {
  const { navigator } = globalThis as { readonly navigator?: { readonly deviceMemory?: number } }
  return (navigator?.deviceMemory ?? 0) >= MUCH_MEMORY_GIB ? new Budget() : new Budget(LESS_BYTES)
}

/** A file that the visitor chose, in pieces, where it is no larger than the budget allows. */
export function sourceOfBlob(blob: Blob, budget: Budget): Result<FileSource> {
  const left = budget.left('bytes')
  if (blob.size > left) {
    const over = new OverBudget('bytes', blob.size, left, left < budget.bytes ? TOGETHER : 'bytes')
    const fault = faultOf({ code: 'too-large', message: tooLarge('The file', over) })
    const hint = `Reading it would take about ${bytesText(MEMORY_A_BYTE * blob.size)} of memory. ${HINTS['too-large']}`
    return fail({ ...fault, hint })
  }
  const readPart = async (from: number, to: number): Promise<Uint8Array> => {
    try {
      return new Uint8Array(await blob.slice(from, to).arrayBuffer())
    } catch (thrown) {
      throw new NotHandedOver(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  const read: FileSource['read'] = async (from, to) => {
    if (to - from <= PART_BYTES) return await readPart(from, to)
    // The lab's own file, whole: its columns are those that are drawn.
    const bytes = new Uint8Array(allocate(Math.min(to, blob.size) - from))
    for (let at = 0; at < bytes.length; at += PART_BYTES)
      bytes.set(await readPart(from + at, Math.min(from + at + PART_BYTES, from + bytes.length)), at)
    return bytes
  }
  return succeed({ size: blob.size, read, givesAway: true })
}
/** The browser holds what it reads twice. */
const PART_BYTES = 2 ** 24
const TOGETHER = 'bytes beside the files before it'

/** The browser gives no bytes of a file that was moved or changed since it was chosen. */
class NotHandedOver extends Error {}

const notHandedOver = ({ message }: NotHandedOver): Fault => ({
  code: 'file',
  message: `The browser did not hand the file over: ${message}`,
  hint: 'It may have been moved or changed since it was chosen: choose it again. Of a folder, choose the files in it.',
  data: { problem: 'not-handed-over' },
})

/** Arrays that could not be made are the file's size, not a bug. */
export function thrownFault(thrown: unknown): Fault {
  if (thrown instanceof NotHandedOver) return notHandedOver(thrown)
  if (!(thrown instanceof RangeError)) return toFault(thrown)
  return {
    code: 'file',
    message: 'The file needs more memory than this browser gives a page.',
    hint: 'Record a shorter stretch, or read it with `npm run lab -- analyze FILE`.',
    data: { problem: 'too-large', 'the browser says': thrown.message },
  }
}
