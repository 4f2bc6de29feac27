/**
 * End to end, on real WebGPU. Projects differ in the adapter the browser has; every spec says in which it makes sense. One worker:
 * two browsers on one device would measure each other.
 */
import { createServer } from 'node:net'
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { adapterFlags, hasDisplay, processFlags, QUANTIZED_FLAG } from '../cli/adapters.mjs'
import { findBrowser } from '../cli/browsers.mjs'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('No port is free.')
  return address.port
}

// Workers read this file too, and inherit what the first reader found.
const port = (process.env['LAB_E2E_PORT'] ??= String(await freePort()))
const executablePath = await findBrowser()
if (executablePath === null) throw new Error('No Chrome or Chromium found: npm run test:e2e installs one.')

const launch = (args: readonly string[]): NonNullable<PlaywrightTestConfig['use']> => ({
  launchOptions: { executablePath, args: [...args] },
})

const GPU_SPECS = /gpu\.spec\.ts/
const NO_GPU_SPECS = /no-(webgpu|adapter)\.spec\.ts/

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  workers: 1,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    trace: 'off',
    actionTimeout: 20_000,
  },
  projects: [
    {
      name: 'software',
      testIgnore: [GPU_SPECS, NO_GPU_SPECS],
      use: launch(adapterFlags('software')),
    },
    {
      // The timestamps of an ordinary visitor: steps of 65.536 µs.
      name: 'quantized',
      testMatch: /clock\.spec\.ts/,
      use: launch([...adapterFlags('software'), QUANTIZED_FLAG]),
    },
    {
      name: 'no-gpu',
      testMatch: NO_GPU_SPECS,
      use: launch(processFlags()),
    },
    {
      // A desktop's own Chrome as it stands, with a window; elsewhere LAB_GPU_FLAGS or the flags of cli/adapters.mjs.
      name: 'gpu',
      testIgnore: [NO_GPU_SPECS, /clock\.spec\.ts/],
      use: { ...launch(adapterFlags('gpu')), headless: process.platform === 'linux' && !hasDisplay() },
    },
  ],
  webServer: {
    command: `node cli/serve.mjs --port ${port}`,
    cwd: '..',
    url: `http://localhost:${port}/`,
    timeout: 120_000,
    reuseExistingServer: false,
    stderr: 'pipe',
  },
})
