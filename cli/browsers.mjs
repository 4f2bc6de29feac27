/**
 * Finds a Chrome or Chromium, and installs one where there is none. In this order: CHROME_PATH, one
 * that is installed, Playwright's own download, Debian's package manager. A browser counts only
 * when it starts. And the same for a Firefox: FIREFOX_PATH, one that is installed, Debian's package
 * manager (with Mesa's software Vulkan driver, so that there is an adapter without a GPU).
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isRoot, processFlags } from './adapters.mjs'
import { CommandError, runNode, runProgram, say, step } from './terminal.mjs'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Programs on this machine: which of them can be run, and how Debian's package manager installs one
 * that is missing.
 */

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Every path that a program of one of these names would have, in the order of PATH.
 * @param {readonly string[]} names
 */
function placesOnPath(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

/**
 * What a program says of itself; '' where it does not start.
 * @param {string} path
 * @param {readonly string[]} [args] besides
 */
async function saidVersion(path, args = []) {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version', ...args], { timeout: 30_000 })
    return stdout
  } catch {
    return ''
  }
}

/**
 * The program that a variable names, or the first of the places. It counts only when it starts: a
 * distribution's placeholder that only names another package does not.
 * @param {string} variable
 * @param {string} what
 * @param {() => Promise<readonly string[]>} placesOf
 * @param {(path: string) => Promise<boolean>} starts
 * @returns {Promise<string | null>}
 */
async function findProgram(variable, what, placesOf, starts) {
  const given = process.env[variable]
  for (const path of given ? [given] : await placesOf())
    if (isExecutable(path) && (await starts(path))) return path
  if (given) throw new CommandError(`${variable} is '${given}', which is not a ${what} that starts.`)
  return null
}

/**
 * Root, or somebody who becomes root without being asked for a password.
 * @returns {Promise<readonly string[] | null>} what stands before the command; null: neither
 */
async function asRoot() {
  if (isRoot()) return []
  const sudo = placesOnPath(['sudo']).find(isExecutable)
  if (!sudo) return null
  return (await runProgram(sudo, ['-n', 'true'], { quiet: 'none' })) === 0 ? [sudo, '-n'] : null
}

/**
 * Installs packages of Debian's and its descendants'. Does nothing where there is no apt-get, or
 * where it may not; a failure shows its output, and the caller looks again for what it wanted.
 * @param {string} what for the heading
 * @param {readonly string[]} packages
 */
async function installPackages(what, packages) {
  const prefix = placesOnPath(['apt-get']).some(isExecutable) ? await asRoot() : null
  if (!prefix) return
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', ...packages],
  ]) {
    // sudo keeps no variables of ours.
    const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    const [program = 'env', ...rest] = command
    const code = await step(`Installing ${what}: apt-get ${args.join(' ')}`, () =>
      runProgram(program, rest, { quiet: true }),
    )
    if (code !== 0) return
  }
}

const NAMES = ['google-chrome', 'google-chrome-stable', 'chrome', 'chromium', 'chromium-browser']

function installedPlaces() {
  const { env, platform } = process
  if (platform === 'darwin') {
    const apps = ['/Applications', join(env['HOME'] ?? '/', 'Applications')]
    return apps.flatMap((folder) => [
      join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
      join(folder, 'Chromium.app/Contents/MacOS/Chromium'),
    ])
  }
  if (platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter(
      (folder) => folder !== undefined,
    )
    return folders.map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'))
  }
  return placesOnPath(NAMES)
}

/** @param {string} path */
const versionText = (path) => saidVersion(path, processFlags())

/**
 * Windows' chrome.exe prints nothing and would open a window, so there it is enough that it exists.
 * @param {string} path
 */
const starts = async (path) =>
  process.platform === 'win32' ? existsSync(path) : /chrom/i.test(await versionText(path))

/**
 * Playwright puts the Chromium that fits it at this path, or has put it there; '' where there is no
 * Playwright.
 */
const playwrightPlace = () =>
  import('playwright-core').then(
    ({ chromium }) => chromium.executablePath(),
    () => '',
  )

/** Unit tests run without a browser, on whatever machine: vitest.config.ts. */
const isHidden = () => process.env['LAB_NO_BROWSER'] === '1'

/** @returns {Promise<string | null>} path of a browser that starts */
export async function findBrowser() {
  if (isHidden()) return null
  const placesOf = async () => [...installedPlaces(), await playwrightPlace()]
  return await findProgram('CHROME_PATH', 'Chrome or Chromium', placesOf, starts)
}

async function installWithPlaywright() {
  const withDeps = process.platform === 'linux' && isRoot() ? ['--with-deps'] : []
  // --no-shell: the headless shell has no WebGPU.
  const args = ['node_modules/playwright-core/cli.js', 'install', ...withDeps, '--no-shell', 'chromium']
  return await step("Downloading Playwright's Chromium (about 170 MB)", () =>
    runNode(args, { quiet: 'brief' }),
  )
}

/**
 * @returns {Promise<string>} path of a browser that starts; it is installed where there was none
 */
export async function ensureBrowser() {
  const found = await findBrowser()
  if (found) return found
  if (isHidden()) throw new CommandError('LAB_NO_BROWSER is set: no browser is looked for.')
  say('No Chrome or Chromium found (CHROME_PATH can name one).')
  await installWithPlaywright()
  let installed = await findBrowser()
  if (!installed) {
    await installPackages('Chromium', ['chromium', 'fonts-dejavu-core'])
    installed = await findBrowser()
  }
  if (!installed) {
    throw new CommandError(
      'No browser could be installed. Install Chrome or Chromium, or set CHROME_PATH to one, and try again.',
    )
  }
  say(`  installed ${installed}`)
  return installed
}

const SHELL = 'chromium-headless-shell'

/**
 * The headless shell of a browser: the same engine, of the same version, without Chrome's windows
 * and profiles. A page opened in it takes a second of processor time less (1.7 against 0.7 s on two
 * cores, Chromium 156), and since then it has WebGPU. Debian has it as a package.
 * @param {string} browser
 */
async function findShell(browser) {
  const versionOf = async (/** @type {string} */ path) => /\d+(\.\d+){3}/.exec(await versionText(path))?.[0]
  const wanted = await versionOf(browser)
  if (wanted === undefined || Number.parseInt(wanted, 10) < 156) return null
  for (const path of placesOnPath([SHELL])) {
    if (isExecutable(path) && (await versionOf(path)) === wanted) return path
  }
  return null
}

/**
 * For tests that open many pages: the shell of a browser that came from Debian's packages,
 * installed where it may be; else the browser itself.
 * @param {string} browser
 * @returns {Promise<string>}
 */
export async function ensureShell(browser) {
  const found = await findShell(browser)
  if (found) return found
  if (!/\bDebian\b/.test(await versionText(browser))) return browser
  await installPackages('the headless shell of Chromium', [SHELL])
  return (await findShell(browser)) ?? browser
}

/**
 * WebGPU in pages and workers, on adapters that Firefox's list of blocked drivers would refuse
 * (Mesa's llvmpipe among them). The sandbox of the content process keeps that driver from loading:
 * these preferences are for the site under test only.
 */
export const FIREFOX_PREFERENCES = {
  'dom.webgpu.enabled': true,
  'dom.webgpu.workers.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
  'gfx.webgpu.force-enabled': true,
  'security.sandbox.content.level': 0,
}

function firefoxPlaces() {
  const { env, platform } = process
  if (platform === 'darwin') return ['/Applications/Firefox.app/Contents/MacOS/firefox']
  if (platform === 'win32')
    return [join(env['PROGRAMFILES'] ?? 'C:\\Program Files', 'Mozilla Firefox', 'firefox.exe')]
  return placesOnPath(['firefox', 'firefox-esr'])
}

const findFirefox = () =>
  findProgram(
    'FIREFOX_PATH',
    'Firefox',
    () => Promise.resolve(firefoxPlaces()),
    async (path) => (await saidVersion(path)).includes('Firefox'),
  )

/**
 * @returns {Promise<string>} path of a Firefox that starts; it is installed where there was none
 */
export async function ensureFirefox() {
  const found = await findFirefox()
  if (found) return found
  say('No Firefox found (FIREFOX_PATH can name one).')
  await installPackages('Firefox', ['firefox-esr', 'mesa-vulkan-drivers'])
  const installed = await findFirefox()
  if (!installed)
    throw new CommandError(
      'No Firefox could be installed. Install one, or set FIREFOX_PATH to one, and try again.',
    )
  return installed
}
