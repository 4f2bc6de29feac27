import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageReport } from '../cli/record-report'
import { ROOT } from '../cli/terminal.mjs'
import { decodeRun } from '../src/trace/codec'
import type { Trace } from '../src/trace/schema'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command of the project, by its script and arguments. */
export const command = (args: readonly string[], env = process.env, cwd = ROOT): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()))
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })

/** What `lab record` has written into a folder. */
export async function recordedIn(
  out: string,
): Promise<{ readonly report: PageReport; readonly trace: Trace }> {
  const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as PageReport // the command wrote it
  const run = await decodeRun(await readFile(join(out, 'run.hdl.gz')))
  if (!run.ok) throw new Error(run.error.message)
  return { report, trace: run.value.trace }
}
