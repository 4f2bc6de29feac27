/**
 * `npm start`: installs what is missing, builds when needed, serves dist/ with the isolation
 * headers, and opens the lab. With a display it opens a Chrome that reaches the GPU, or else one on
 * SwiftShader, and says which. Ctrl+C ends it.
 */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { gpuFlags, hasDisplay, HEADLESS_GPU_FLAGS, processFlags, SOFTWARE_FLAGS } from './adapters.mjs'
import { findBrowser } from './browsers.mjs'
import { ensureSite } from './build-site.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { serveSite } from './static-server.mjs'
import { runCommand, say, step } from './terminal.mjs'

/**
 * Flags with which this browser does best: none, then those that Linux may need, then SwiftShader.
 * @param {string} browser
 */
async function chooseFlags(browser) {
  const { adapterOffered } = await import('./choose-adapter')
  const linux =
    process.platform === 'linux' ? [['--enable-unsafe-webgpu', ...HEADLESS_GPU_FLAGS.slice(0, 1)]] : []
  for (const flags of [gpuFlags(), ...linux]) {
    const found = await adapterOffered(browser, [...processFlags(), ...flags])
    if (found?.isSoftware === false) return { flags, what: `on ${found.name}` }
  }
  return { flags: SOFTWARE_FLAGS, what: 'on software: no GPU was found, so SwiftShader computes on the CPU' }
}

/**
 * @param {string} program that goes on without this one
 * @param {readonly string[]} args
 * @param {() => void} failed
 */
const runAlone = (program, args, failed) =>
  spawn(program, args, { stdio: 'ignore', detached: true }).once('error', failed).unref()

/**
 * The visitor's own default browser, in their own profile.
 * @param {string} url
 */
function openDefaultBrowser(url) {
  /** @type {readonly [string, ...string[]]} */
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['explorer', url]
        : ['xdg-open', url]
  runAlone(program, args, () =>
    say(`Could not open a browser (${program}). Open the address above yourself.`),
  )
}

/**
 * With flags: a window of its own with a profile of its own, since flags have no effect in a Chrome
 * that already runs. The profile is kept, and with it the learner's progress. Without: a tab in the
 * visitor's Chrome.
 * @param {string} browser
 * @param {readonly string[]} flags
 * @param {string} url
 */
async function openChrome(browser, flags, url) {
  if (flags.length === 0) {
    runAlone(browser, [url], () => openDefaultBrowser(url))
    return () => Promise.resolve()
  }
  const profile = join(homedir(), '.cache', 'host-device-lab', 'profile')
  await mkdir(profile, { recursive: true })
  const args = [`--user-data-dir=${profile}`, '--no-first-run', '--no-default-browser-check', ...flags, url]
  const window = spawn(browser, args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => window.once('error', resolve).once('exit', resolve))
  return async () => {
    window.kill('SIGTERM')
    await ended
  }
}

/**
 * @param {string} url
 * @returns {Promise<() => Promise<void>>} closes what was opened
 */
async function openLab(url) {
  const nothing = () => Promise.resolve()
  if (!hasDisplay()) {
    say('No display here, so no browser is opened. On the machine in front of you:')
    say(
      `  ssh -L ${new URL(url).port}:localhost:${new URL(url).port} <this machine>   and open the address above,`,
    )
    say('or run an experiment without a window: npm run lab -- list')
    return nothing
  }
  const browser = await findBrowser()
  if (browser === null) {
    say('No Chrome or Chromium found; opening the default browser.')
    openDefaultBrowser(url)
    return nothing
  }
  const { flags, what } = await step('Looking for a GPU', () => chooseFlags(browser))
  say(`Opening the lab ${what}.`)
  return await openChrome(browser, [...processFlags(), ...flags], url)
}

const HELP = `Usage:
  npm start -- [--port N] [--no-open]
      Installs and builds what is missing, serves the lab at localhost (left out: port 4173, or a free one) and opens it.
      --no-open   opens no browser.`

await runCommand(async () => {
  if (process.argv.includes('--help')) {
    console.log(HELP)
    return 0
  }
  await ensureDependencies('for running')
  const { register } = await import('tsx/esm/api')
  register()
  const { integerOf, optionsAlone } = await import('./strict-arguments')
  const values = optionsAlone(process.argv.slice(2), {
    port: { type: 'string', default: '4173' },
    'no-open': { type: 'boolean', default: false },
  })
  const port = integerOf('--port', values.port, 0, 65_535)
  await ensureSite()
  const site = await serveSite({ port })
  if (site.port !== port && port !== 0) say(`Port ${port} is taken.`)
  say(`\nThe lab is at  ${site.url}  (Ctrl+C ends it)\n`)
  const stop = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  const closeWindow = values['no-open'] ? () => Promise.resolve() : await openLab(site.url)
  await stop
  say('\nStopping.')
  await closeWindow()
  await site.close()
  return 0
})
