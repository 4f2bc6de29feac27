import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('npm start says what it takes, as its refusals promise, and starts nothing', async () => {
  const script = join(import.meta.dirname, 'start.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--help'])
  expect(stdout).toMatch(/--port N.*--no-open/)
  expect(stdout).not.toContain('http')
})
