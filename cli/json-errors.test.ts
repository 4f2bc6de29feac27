/**
 * With --json an error is an object on stdout, beside its line on stderr; without, stdout stays
 * empty.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'

async function ended(message: string, ...args: readonly string[]) {
  const script = `import { CommandError, runCommand } from './cli/terminal.mjs'
    await runCommand(() => Promise.reject(new CommandError(${JSON.stringify(message)}, 2)))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, 'command', ...args])
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()))
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}

const MESSAGE = "'a \u009b31m \u202e \u001b[8m' cannot be read."

describe('an error', () => {
  it('is an object on stdout with --json, which no terminal obeys', async () => {
    const { code, stdout, stderr } = await ended(MESSAGE, 'a', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({ error: { message: MESSAGE, exitCode: 2 } })
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
    expect(stderr).toMatch(/^error: 'a .*\n$/)
  })

  it('is a line on stderr without it, and with a file of that name', async () => {
    for (const args of [['a'], ['--', '--json']])
      expect(await ended('No.', ...args)).toEqual({ code: 2, stdout: '', stderr: 'error: No.\n' })
  })
})
