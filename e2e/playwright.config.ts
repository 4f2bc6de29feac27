/**
 * End to end, on real WebGPU. Projects differ in the adapter the browser has; every spec says in
 * which it makes sense. Two browsers on one device measure each other: what asserts something of
 * measured times runs alone, in a call of its own with one worker; all else runs side by side,
 * since a browser on a software adapter keeps one core busy. `npm run test:e2e` does both
 * (cli/test.mjs).
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { adapterFlags, CRASHING_FLAGS, hasDisplay, processFlags, QUANTIZED_FLAG } from '../cli/adapters.mjs'
import { findBrowser, FIREFOX_PREFERENCES } from '../cli/browsers.mjs'
import { freePort, INSECURE_HOST } from './site-address'
import { IS_LONG } from '../src/testing/long'

// Workers read this file too, and inherit what the first reader found.
const port = (process.env['LAB_E2E_PORT'] ??= String(await freePort()))
/** Firefox's tests need none, and all others get one from cli/test.mjs. */
const executablePath = (await findBrowser()) ?? ''
/**
 * Where cli/test.mjs found one, the headless shell of that browser: for the projects that open many
 * pages.
 */
const shellPath = process.env['LAB_SHELL_PATH'] ?? executablePath

const launch = (
  args: readonly string[],
  path: string = executablePath,
): NonNullable<PlaywrightTestConfig['use']> => ({
  launchOptions: { executablePath: path, args: [...args] },
})

const GPU_SPECS = /gpu\.spec\.ts/
/**
 * What another adapter can change: kernels, experiments, mends, verdicts, faults and clocks. Pages
 * are the same on all.
 */
const ON_GPU =
  /\/(catalog|collectives|faults|gpu|kernels|loader|mend-wgsl|mends|record-page|recorder|world|worth-it)\.spec\.ts/
/**
 * Every program of every exercise, and what keeps a device busy beside another tab: `npm run
 * test:mends`.
 */
const ALL_MENDS_SPECS = /(mends-all|mend-neighbour)\.spec\.ts/
/** The GPU process killed: it needs a browser with other flags. */
const FAULTS_SPECS = /gpu-process\.spec\.ts/
/** A page that gets no GPU; of lessons that need none, too. */
const NO_GPU_SPECS = /(no-(webgpu|adapter)|read-a-profile)\.spec\.ts/
/** All else runs beside each other in the default browser. */
const ELSEWHERE = [GPU_SPECS, NO_GPU_SPECS, ALL_MENDS_SPECS, FAULTS_SPECS]
/**
 * Most tests hold nothing that was measured against anything else measured: runs end, are valid and
 * right, and what is shown of one is what it saves. One beside it makes such a run longer and no
 * different. What compares times, or waits until the machine is quiet, does not run beside them:
 * tests that say so, and clock.spec.
 */
const ALONE = /@alone|clock\.spec\.ts/
/**
 * On a GPU exercises are graded by time: a kernel of another browser doubles it. A software
 * adapter's grades leave time out.
 */
const GRADED_SPECS = /mends\.spec\.ts/
/** Of e2e/fixtures.ts. */
const LONG = IS_LONG ? [] : [/@long/]

const onGpu = {
  ...launch(adapterFlags('gpu')),
  headless: process.platform === 'linux' && !hasDisplay(),
}

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // More than this share one software renderer’s time, and only make tests time out.
  workers: Math.min(4, availableParallelism()),
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Limits, not expectations: a busy machine is ten times as slow.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    trace: 'off',
    // Each test has a browser profile of its own, for which nothing is worth storing:
    // offline.spec.ts alone allows them.
    serviceWorkers: 'block',
    actionTimeout: 60_000,
  },
  projects: [
    {
      // One project: another would start workers and browsers of its own.
      name: 'beside',
      testIgnore: ELSEWHERE,
      grepInvert: [ALONE, ...LONG],
      fullyParallel: true,
      use: launch(adapterFlags('software'), shellPath),
    },
    {
      name: 'alone',
      testIgnore: ELSEWHERE,
      grep: ALONE,
      grepInvert: LONG,
      workers: 1,
      use: launch(adapterFlags('software')),
    },
    {
      // The timestamps of an ordinary visitor: steps of 65.536 µs.
      name: 'quantized',
      testMatch: /clock\.spec\.ts/,
      grep: /async-submission/,
      workers: 1,
      use: launch([...adapterFlags('software'), QUANTIZED_FLAG]),
    },
    {
      name: 'faults',
      testMatch: FAULTS_SPECS,
      workers: 1,
      use: launch([...adapterFlags('software'), ...CRASHING_FLAGS]),
    },
    {
      name: 'mends',
      testMatch: ALL_MENDS_SPECS,
      workers: 1,
      use: launch(adapterFlags(process.env['LAB_ADAPTER'] === 'gpu' ? 'gpu' : 'software')),
    },
    {
      name: 'no-gpu',
      testMatch: NO_GPU_SPECS,
      grepInvert: LONG,
      fullyParallel: true,
      use: launch(processFlags(), shellPath),
    },
    {
      // A desktop's own Chrome with a window; elsewhere LAB_GPU_FLAGS or the flags of
      // cli/adapters.mjs.
      name: 'gpu',
      testMatch: ON_GPU,
      grepInvert: [/@anywhere/, ALONE, GPU_SPECS, GRADED_SPECS],
      fullyParallel: true,
      use: onGpu,
    },
    {
      name: 'gpu-alone',
      testMatch: ON_GPU,
      grep: [ALONE, GPU_SPECS, GRADED_SPECS],
      grepInvert: /@anywhere/,
      workers: 1,
      use: onGpu,
    },
    {
      // In the distribution's own Firefox, over WebDriver BiDi: the specs that Chromium passes.
      name: 'firefox',
      testMatch: /\/(catalog|mends|read-a-profile|record-page|recorder)\.spec\.ts/,
      // A worker that starts others waits for the driver's listener, at times for ever (README.md).
      grepInvert: /(catalog|mends)\.spec\.ts (ranks|collectives): /,
      workers: 1,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        // What Firefox's BiDi has no command for yet stands in its preferences.
        colorScheme: null,
        reducedMotion: null,
        launchOptions: {
          executablePath: join(import.meta.dirname, 'firefox-bidi.mjs'),
          firefoxUserPrefs: FIREFOX_PREFERENCES,
        },
      },
    },
  ],
  webServer: {
    command: `node cli/serve.mjs --port ${port} --host ${INSECURE_HOST}`,
    cwd: '..',
    url: `http://localhost:${port}/`,
    timeout: 120_000,
    reuseExistingServer: false,
    stderr: 'pipe',
  },
})
