/**
 * Finds WebKitGTK's WebDriver and its small browser, and a display for it, and installs what is missing. WebKitGTK is WebKit without WebGPU:
 * a real browser for the page that has none.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, isExecutable, placesOnPath } from './system-packages.mjs'
import { CommandError, say } from './terminal.mjs'

/** Debian's and Ubuntu's names; on other systems they are to be there already. */
const PACKAGES = { 'apt-get': ['webkit2gtk-driver', 'xvfb', 'fonts-dejavu-core'] }

/** Where distributions put what is no program for people: the browser is in webkit2gtk-4.1 or a folder of a similar name below. */
const FOLDERS = ['/usr/lib', '/usr/libexec', '/usr/lib64']

/** @param {string} folder */
const namesIn = (folder) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** @param {string} folder */
const miniBrowsersIn = (folder) =>
  namesIn(folder)
    .filter((name) => /^webkit(2)?gtk-/.test(name))
    .sort()
    .map((name) => join(folder, name, 'MiniBrowser'))

/** @typedef {{ driver: string, browser: string, display: string | null }} WebKitPrograms paths; display: Xvfb, null where there is a display already */

/** @returns {WebKitPrograms | string} what is missing, in words */
function findPrograms() {
  const first = (/** @type {readonly string[]} */ paths) => paths.find(isExecutable)
  const driver = first(placesOnPath(['WebKitWebDriver']))
  // Debian's /usr/lib has a folder for each architecture between.
  const folders = FOLDERS.flatMap((folder) => [
    folder,
    ...namesIn(folder)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(folder, name)),
  ])
  const browser = first(folders.flatMap(miniBrowsersIn))
  const xvfb = first(placesOnPath(['Xvfb']))
  if (!driver) return 'WebKitWebDriver (webkit2gtk-driver)'
  if (!browser) return 'WebKitGTK’s MiniBrowser (webkit2gtk-driver)'
  if (!xvfb && !process.env['DISPLAY']) return 'a display (Xvfb)'
  return { driver, browser, display: xvfb ?? null }
}

/** @returns {Promise<WebKitPrograms>} what starts; it is installed where it was missing */
export async function ensureWebKit() {
  const found = findPrograms()
  if (typeof found !== 'string') return found
  say(`Missing for WebKit: ${found}.`)
  await installPackages('WebKitGTK', PACKAGES)
  const installed = findPrograms()
  if (typeof installed !== 'string') return installed
  throw new CommandError(
    `Missing for WebKit, and could not be installed: ${installed}. Install it and try again, or leave WebKit out: npm run test:browsers -- firefox.`,
  )
}
