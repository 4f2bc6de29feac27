/** A run that was recorded on a real GPU and is served beside the page. Throws with the reason. */
import type { RunFiles } from '../../state/run-files'
import type { LoadedRun } from '../../state/run-store'
import { recordingAddress } from '../recording-address'

export async function loadRecording(files: RunFiles, file: string): Promise<LoadedRun> {
  const response = await fetch(recordingAddress(file))
  if (!response.ok) throw new Error(`the server answered ${String(response.status)}`)
  const read = await files.readRun(new Uint8Array(await response.arrayBuffer()), 'recorded')
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}
