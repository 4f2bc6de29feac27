/**
 * The lab in the distribution's own Firefox: `npm run test:browsers`. Playwright drives it over
 * WebDriver BiDi (its channel 'moz-firefox'). The specs are those that Chromium passes.
 */
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { FIREFOX_PREFERENCES } from '../cli/firefox.mjs'
import { freePort } from './site-address'

// Workers read this file too, and inherit what the first reader found.
const port = (process.env['LAB_E2E_PORT'] ??= String(await freePort()))
// The lessons whole.
process.env['LAB_LONG'] ??= '1'

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // A software adapter keeps every core busy, and what is compared here are times.
  workers: 1,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'off',
    actionTimeout: 40_000,
  },
  projects: [
    {
      name: 'firefox',
      testMatch: /\/(catalog|mends|read-a-profile|record-page|recorder)\.spec\.ts/,
      // A worker that starts others waits for the driver's listener, at times for ever (README.md).
      grepInvert: /(catalog|mends)\.spec\.ts (ranks|collectives): /,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        // What Firefox's BiDi has no command for yet stands in its preferences.
        colorScheme: null,
        // Each test has a browser profile of its own, as in playwright.config.ts.
        serviceWorkers: 'block',
        launchOptions: {
          executablePath: join(import.meta.dirname, '../cli/firefox-bidi.mjs'),
          firefoxUserPrefs: FIREFOX_PREFERENCES,
        },
      },
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
