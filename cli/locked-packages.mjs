/** What a lock file names, and how npm installs what of it is missing. */
import { readJson } from './read-json.mjs'

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */
/** @typedef {Readonly<Record<string, LockedPackage>>} Packages */
/** @typedef {'for running' | 'for developing'} Purpose for running: what building, serving and `npm run lab` need; for developing: all */

/**
 * @param {string} path
 * @returns {Promise<Packages | null>} null where there is no such lock
 */
export async function readLock(path) {
  const lock = /** @type {{ packages?: Record<string, LockedPackage> } | null} */ (await readJson(path))
  return lock?.packages ?? null
}

/**
 * The first package that is locked and not installed so; null when all are. What is optional may rightly be absent (other platforms).
 * @param {Packages} wanted
 * @param {Packages} installed
 */
function firstMissing(wanted, installed) {
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '' || optional || devOptional) continue
    if (installed[path]?.version !== version)
      return `${path.replace(/^.*node_modules\//, '')} ${version ?? ''}`.trim()
  }
  return null
}

/**
 * What npm is to be called with; null when nothing is missing. Packages for developing stay where they are installed.
 * @param {Packages} locked
 * @param {Packages | null} installed npm's own record, node_modules/.package-lock.json
 * @param {Purpose} purpose
 */
export function whatToInstall(locked, installed, purpose) {
  const all = Object.entries(locked)
  const isRunningAlone = purpose === 'for running' && !Object.values(installed ?? {}).some(({ dev }) => dev)
  const wanted = Object.fromEntries(isRunningAlone ? all.filter(([, { dev }]) => !dev) : all)
  const missing = firstMissing(wanted, installed ?? {})
  if (missing === null) return null
  // `ci` empties the folder first; where all that is there is right, the rest is added.
  const isRight = installed !== null && firstMissing(installed, locked) === null
  const command = isRight ? ['install', '--no-save'] : ['ci']
  return {
    missing,
    count: Object.keys(wanted).filter((path) => path !== '').length,
    args: [...command, ...(isRunningAlone ? ['--omit=dev'] : [])],
  }
}
