import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ensureBrowser, findBrowser } from './browsers.mjs'

describe('unit tests', () => {
  it('find no browser, and install none', async () => {
    expect(await findBrowser()).toBeNull()
    await expect(ensureBrowser()).rejects.toThrow('LAB_NO_BROWSER')
  })

  it('start no command that finds one, nor Playwright with its own', async () => {
    const search = `const { findBrowser } = await import('./cli/browsers.mjs')
      const { chromium } = await import('playwright-core')
      process.stdout.write(JSON.stringify([await findBrowser(), chromium.executablePath()]))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', search])
    expect(JSON.parse(stdout)).toEqual([null, expect.stringMatching(/^\/none\//)])
  })
})
