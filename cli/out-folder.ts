/**
 * The folder of `--out`, made and tried before anything runs: a run of minutes is not to end in a
 * file that cannot be written.
 */
import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from './terminal.mjs'

/** A folder of its own for what begins now: lab-out/NAME-<time>. */
export const folderFor = (name: string): string =>
  join('lab-out', `${name}-${new Date().toISOString().replace(/\..*$/, 'Z').replaceAll(':', '-')}`)

/**
 * @throws CommandError where it cannot be made, or nothing can be made in it
 * @param option that names it
 */
export async function makeFolder(out: string, option = '--out'): Promise<void> {
  try {
    await mkdir(out, { recursive: true })
    await rmdir(await mkdtemp(join(out, '.try-')))
  } catch (thrown) {
    throw new CommandError(
      `Nothing can be written to ${option} '${out}': ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      2,
    )
  }
}
