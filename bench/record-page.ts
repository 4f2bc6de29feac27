import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdapterChoice } from '../cli/adapters.mjs'
import { record } from '../cli/lab-record'

export const SECONDS = 60

/**
 * Records a page as `lab record` does until it says that it is done; `kept`: where its run is
 * copied to.
 */
export async function recordPage(
  url: string,
  adapter: AdapterChoice,
  folder: string,
  kept?: string,
): Promise<void> {
  await record({
    url,
    seconds: SECONDS,
    click: null,
    until: 'globalThis.isDone',
    adapter,
    out: folder,
    failIf: [],
  })
  if (kept !== undefined) await copyFile(join(folder, 'run.hdl.gz'), kept)
}
