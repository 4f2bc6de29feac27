/** The files of a recording that is served beside the page. */
import { fail, succeed, type Result } from '../../../base/result'
import type { NamedFile } from '../../import-worker/protocol'
import { findRecording } from './recordings'
import { recordingAddress } from '../recording-address'

/** Rejects where the network fails. @param id of recordings.ts */
export async function fetchRecording(id: string, signal: AbortSignal): Promise<Result<readonly NamedFile[]>> {
  const entry = findRecording(id)
  if (!entry)
    return fail({
      code: 'file',
      message: `There is no recording ‘${id}’.`,
      hint: 'Choose one from the list.',
    })
  const fetched: NamedFile[] = []
  for (const name of entry.files) {
    const response = await fetch(recordingAddress(name), { signal })
    if (!response.ok)
      return fail({
        code: 'file',
        message: `The recording could not be fetched: the server answered ${String(response.status)}.`,
        hint: 'Reload the page.',
      })
    fetched.push({ name, blob: await response.blob() })
  }
  return succeed(fetched)
}
