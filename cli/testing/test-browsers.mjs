/**
 * The browsers that tests start besides Chrome: its headless shell, and a Firefox (FIREFOX_PATH,
 * one that is installed, Debian's package manager with Mesa's software Vulkan driver, so that there
 * is an adapter without a GPU).
 */
import { join } from 'node:path'
import {
  findProgram,
  installPackages,
  isExecutable,
  placesOnPath,
  saidVersion,
  versionText,
} from '../browsers.mjs'
import { CommandError, say } from '../terminal.mjs'

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
