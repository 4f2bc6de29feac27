/**
 * The files that `analyze` is given: a folder stands for all traces in it, '-' for standard input.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from './terminal.mjs'

const TRACE = /\.(?:json|json\.gz|hdl\.gz)$/
/** JAX writes its trace a second time, for Perfetto. */
const AGAIN = /^perfetto_trace\.json\.gz$/
export const STANDARD_INPUT = '-'

/** @throws CommandError where a folder holds no trace */
export async function traceFiles(given: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const name of given) {
    if (!(await isFolder(name))) files.push(name)
    else {
      const found = await tracesIn(name)
      if (found.length === 0)
        throw new CommandError(`'${name}' holds no file that ends in .json, .json.gz or .hdl.gz.`, 2)
      files.push(...found)
    }
  }
  return files
}

/** A file that can't be asked is opened, and its reader says why it fails. */
async function isFolder(name: string): Promise<boolean> {
  try {
    return name !== STANDARD_INPUT && (await stat(name)).isDirectory()
  } catch {
    return false
  }
}

/** Those that stand in it; where there are none, those in its folders, as JAX nests them. */
async function tracesIn(folder: string): Promise<readonly string[]> {
  for (const recursive of [false, true]) {
    const entries = await readdir(folder, { recursive, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && TRACE.test(entry.name))
    const own = files.filter(({ name }) => !AGAIN.test(name))
    const found = own.length > 0 ? own : files
    if (found.length > 0)
      return found
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  }
  return []
}
