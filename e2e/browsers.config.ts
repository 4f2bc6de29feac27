/**
 * The lab in other engines than Chromium's: `npm run test:browsers`. Firefox is the distribution's own, driven over WebDriver BiDi, which Playwright
 * speaks (its channel 'moz-firefox'): the specs are those that Chromium passes. WebKitGTK has a WebDriver and specs of its own.
 */
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { FIREFOX_PREFERENCES } from '../cli/firefox.mjs'
import { freePort } from './free-port'
import { UNDRIVEN_LESSONS } from './undriven-lessons'

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
      testMatch: /\/(first-runs|catalog|mends|read-a-profile|record-page|recorder|undriven)\.spec\.ts/,
      // Looks are emulated media, for which Firefox's BiDi has no command yet.
      grepInvert: [
        /however it looks/,
        new RegExp(`(catalog|first-runs|mends)[.]spec[.]ts (${UNDRIVEN_LESSONS.join('|')}): `),
      ],
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        // What Firefox's BiDi has no command for yet stands in its preferences.
        colorScheme: null,
        // As in playwright.config.ts: each test has a browser profile of its own. webkit.spec.ts has them.
        serviceWorkers: 'block',
        launchOptions: {
          executablePath: join(import.meta.dirname, '../cli/firefox-bidi.mjs'),
          firefoxUserPrefs: FIREFOX_PREFERENCES,
        },
      },
    },
    { name: 'webkit', testMatch: /\/webkit\.spec\.ts/, timeout: 90_000 },
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
