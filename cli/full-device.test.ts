/** What is written to stdout and cannot be: one line and exit 1, no stack. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// Linux alone has a device that is always full.
it.runIf(existsSync('/dev/full'))('says that its output could not be written', () => {
  const full = openSync('/dev/full', 'w')
  const terminal = join(import.meta.dirname, 'terminal.mjs')
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { runCommand } = await import(${JSON.stringify(`file://${terminal}`)})
       await runCommand(async () => { console.log('a result'); return 0 })`,
    ],
    { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
  )
  closeSync(full)
  expect(stderr).toMatch(/^error: stdout: [^\n]+\n$/)
  expect(status).toBe(1)
})
