/**
 * Finds a Chrome or Chromium, and installs one where there is none. In this order: CHROME_PATH, one
 * that is installed, Playwright's own download, Debian's package manager. A browser counts only
 * when it starts. And the same for a Firefox: FIREFOX_PATH, one that is installed, Debian's package
 * manager (with Mesa's software Vulkan driver, so that there is an adapter without a GPU).
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot, processFlags } from './adapters.mjs'
import { findProgram, installPackages, isExecutable, placesOnPath, saidVersion } from './system-packages.mjs'
import { CommandError, runNode, say, step } from './terminal.mjs'

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
