/**
 * Finds a Chrome or Chromium, and installs one where there is none. In this order: CHROME_PATH, one that is installed, Playwright's
 * own download, the system's package manager. A browser counts only when it starts.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isRoot, processFlags } from './adapters.mjs'
import { installPackages, isExecutable, placesOnPath } from './system-packages.mjs'
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

/**
 * True when it starts: a distribution's placeholder that only names another package does not. Windows' chrome.exe prints nothing
 * and would open a window, so there it is enough that it exists.
 * @param {string} path
 */
async function starts(path) {
  if (process.platform === 'win32') return existsSync(path)
  try {
    const { stdout } = await promisify(execFile)(path, ['--version', ...processFlags()], { timeout: 30_000 })
    return /chrom/i.test(stdout)
  } catch {
    return false
  }
}

/** Where Playwright would put, or has put, the Chromium that fits it. */
async function playwrightPlace() {
  const { chromium } = await import('playwright-core')
  return chromium.executablePath()
}

/** @returns {Promise<string | null>} path of a browser that starts */
export async function findBrowser() {
  const given = process.env['CHROME_PATH']
  if (given) {
    if (isExecutable(given) && (await starts(given))) return given
    throw new CommandError(`CHROME_PATH is '${given}', which is not a Chrome or Chromium that starts.`)
  }
  for (const path of [...installedPlaces(), await playwrightPlace()]) {
    if (isExecutable(path) && (await starts(path))) return path
  }
  return null
}

async function installWithPlaywright() {
  const withDeps = process.platform === 'linux' && isRoot() ? ['--with-deps'] : []
  // --no-shell: the headless shell has no WebGPU.
  const args = ['node_modules/playwright-core/cli.js', 'install', ...withDeps, '--no-shell', 'chromium']
  return await step("Downloading Playwright's Chromium (about 170 MB)", () =>
    runNode(args, { quiet: 'brief' }),
  )
}

const PACKAGES = {
  'apt-get': ['chromium', 'fonts-dejavu-core'],
  dnf: ['chromium'],
  apk: ['chromium', 'font-dejavu'],
  pacman: ['chromium'],
}

/** @returns {Promise<string>} path of a browser that starts; it is installed where there was none */
export async function ensureBrowser() {
  const found = await findBrowser()
  if (found) return found
  say('No Chrome or Chromium found (CHROME_PATH can name one).')
  await installWithPlaywright()
  let installed = await findBrowser()
  if (!installed) {
    await installPackages('Chromium', PACKAGES)
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
