/**
 * Finds a Firefox, and installs one where there is none. In this order: FIREFOX_PATH, one that is installed, the system's package
 * manager (with Mesa's software Vulkan driver, so that there is an adapter without a GPU).
 */
import { join } from 'node:path'
import { findProgram, installPackages, placesOnPath, saidVersion } from './system-packages.mjs'
import { CommandError, say } from './terminal.mjs'

/**
 * WebGPU in pages and workers, on adapters that Firefox's list of blocked drivers would refuse (Mesa's llvmpipe among them).
 * The sandbox of the content process keeps that driver from loading: these preferences are for the site under test only.
 */
export const FIREFOX_PREFERENCES = {
  'dom.webgpu.enabled': true,
  'dom.webgpu.workers.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
  'gfx.webgpu.force-enabled': true,
  'security.sandbox.content.level': 0,
}

const PACKAGES = {
  'apt-get': ['firefox-esr', 'mesa-vulkan-drivers'],
  dnf: ['firefox', 'mesa-vulkan-drivers'],
  apk: ['firefox', 'mesa-vulkan-swrast'],
  pacman: ['firefox', 'vulkan-swrast'],
}

function installedPlaces() {
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
    () => Promise.resolve(installedPlaces()),
    async (path) => (await saidVersion(path)).includes('Firefox'),
  )

/** @returns {Promise<string>} path of a Firefox that starts; it is installed where there was none */
export async function ensureFirefox() {
  const found = await findFirefox()
  if (found) return found
  say('No Firefox found (FIREFOX_PATH can name one).')
  await installPackages('Firefox', PACKAGES)
  const installed = await findFirefox()
  if (!installed)
    throw new CommandError(
      'No Firefox could be installed. Install one, or set FIREFOX_PATH to one, and try again.',
    )
  return installed
}
