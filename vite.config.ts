import react from '@vitejs/plugin-react'
import { createLogger, defineConfig } from 'vite'
import { codeSplitting, workerChunks } from './vite/chunks'
import { firstPaint } from './vite/first-paint'
import { highlightedSource } from './vite/highlight'
import { ISOLATION } from './src/site/offline/serving'
import { hostHeaders } from './vite/host-headers'
import { filesOfWords } from './vite/words-md'
import { licences } from './vite/carried-packages'
import { offline } from './vite/offline'
import { recorderFile } from './vite/recorder-file'
import { siteData } from './vite/site-data'

/** What the source needs to be read at all. */
const reading = () => [highlightedSource(), filesOfWords(), siteData(), react()]

const headers = hostHeaders()

/** 'https://example.org/lab/', with a slash at its end. */
const siteUrl = process.env['LAB_SITE_URL']?.replace(/\/*$/, '/') ?? null

/** LAB_NO_OFFLINE=1: a site without a service worker, which removes the one that it had. */
const hasOffline = process.env['LAB_NO_OFFLINE'] !== '1'

/** Not which plugin took how long, at the end of a slow build. */
const CHECKS = { bundlerTimings: false }

const logger = createLogger('warn')
// `npm test` takes no warnings.
if (process.env['LAB_STRICT_BUILD'] === '1')
  logger.warn = logger.warnOnce = (message) => {
    throw new Error(`The build warns: ${message}`)
  }

export default defineConfig({
  customLogger: logger,
  base: './', // dist/ works from any sub-path
  plugins: [
    ...reading(),
    recorderFile(),
    licences(),
    firstPaint(reading, siteUrl),
    headers.plugin,
    offline(hasOffline),
  ],
  worker: {
    format: 'es',
    plugins: () => [filesOfWords(), headers.ofWorkers(), workerChunks()], // it judges its runs
    rolldownOptions: { checks: CHECKS },
  },
  server: { headers: ISOLATION },
  preview: { headers: ISOLATION },
  build: {
    target: 'es2023',
    // Every browser with modules of that year preloads them.
    modulePreload: { polyfill: false },
    // One sheet for every page, kept by the browser from the first on: its rules are in one order
    // wherever a visitor began.
    cssCodeSplit: false,
    rolldownOptions: {
      input: ['index.html', 'open.html', 'perfetto.html'],
      checks: CHECKS,
      output: { codeSplitting: codeSplitting(import.meta.dirname) },
    },
  },
})
