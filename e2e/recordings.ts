/**
 * The recordings that come with the site, and what they hold. Tests take names, counts and dates
 * from here, so that a new recording changes none.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTraceFile, type OpenedTrace } from '../src/trace/formats/import/open-trace'
import { FLOW_KINDS } from '../src/trace/schema'
import { adapterName } from '../src/site/ui/run-words'

/** `file` as in `public/recordings/`: 'sync-stalls.hdl.gz'. */
export const recordingPath = (file: string): string =>
  join(import.meta.dirname, '..', 'public', 'recordings', file)

/**
 * A lesson, or a step ('lesson/step'), that was added is recorded on a GPU later: until then
 * nothing of it can be played.
 */
export const isRecorded = (lesson: string): boolean => existsSync(recordingPath(`${lesson}.hdl.gz`))

/**
 * A file of any format that the lab reads.
 * @throws Error with what it says of one that it cannot read
 */
export async function openTraceBytes(bytes: Uint8Array): Promise<OpenedTrace> {
  const read = await openTraceFile(Uint8Array.from(bytes))
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

export const openRecording = async (file: string): Promise<OpenedTrace> =>
  await openTraceBytes(await readFile(recordingPath(file)))

/** The adapter's name, as the page gives it. */
export const recordedOn = async (file: string): Promise<string> =>
  adapterName((await openRecording(file)).trace.info)

/**
 * A submission in the middle of a variant's runs that a host wait ended with, as the search field
 * takes it: '#649'.
 */
export async function awaitedSubmission(file: string, variant: string): Promise<string> {
  const { flows, spans, strings } = (await openRecording(file)).trace
  const awaited: number[] = []
  for (let flow = 0; flow < flows.length; flow += 1) {
    const pass = flows.from[flow] ?? -1
    if (FLOW_KINDS[flows.kind[flow] ?? -1] !== 'sync' || strings[spans.variant[pass] ?? -1] !== variant)
      continue
    awaited.push(spans.submission[pass] ?? -1)
  }
  const middle = awaited[awaited.length >> 1]
  if (middle === undefined) throw new Error(`${file} has no submission of ${variant} that was awaited.`)
  return `#${String(middle)}`
}
