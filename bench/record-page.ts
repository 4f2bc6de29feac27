import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdapterChoice } from '../cli/adapters.mjs'
import { record } from '../cli/lab-record'
import type { RecordArguments } from '../cli/record-arguments'

export const SECONDS = 60

/** Waits until the page says that it is done. */
export const untilDone = (url: string, adapter: AdapterChoice, out: string | null): RecordArguments => ({
  command: 'record',
  url,
  seconds: SECONDS,
  click: null,
  until: 'globalThis.isDone',
  adapter,
  out,
  failIf: [],
})

/** Records a page as `lab record` does; `kept`: where its run is copied to. */
export async function recordPage(
  url: string,
  adapter: AdapterChoice,
  folder: string,
  kept?: string,
): Promise<void> {
  await record(untilDone(url, adapter, folder))
  if (kept !== undefined) await copyFile(join(folder, 'run.hdl.gz'), kept)
}
