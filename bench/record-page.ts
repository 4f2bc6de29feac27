import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdapterChoice } from '../cli/adapters.mjs'
import { record } from '../cli/lab-record'

export const SECONDS = 60

/** Records a page until it says that it is done, as `lab record` does; `kept`: where its run is copied to. */
export async function recordPage(
  url: string,
  adapter: AdapterChoice,
  folder: string,
  kept?: string,
): Promise<void> {
  const click = null
  const until = 'globalThis.isDone'
  // oxfmt-ignore
  await record({ command: 'record', url, failIf: [], before: null, seconds: SECONDS, click, until, adapter, out: folder })
  if (kept !== undefined) await copyFile(join(folder, 'run.hdl.gz'), kept)
}
