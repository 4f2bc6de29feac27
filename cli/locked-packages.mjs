/** What a lock file names, and what of it is not installed. */
import { readJson } from './read-json.mjs'

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

/**
 * @param {string} path
 * @returns {Promise<Readonly<Record<string, LockedPackage>> | null>} null where there is no such lock
 */
export async function readLock(path) {
  const lock = /** @type {{ packages?: Record<string, LockedPackage> } | null} */ (await readJson(path))
  return lock?.packages ?? null
}

/**
 * The first package that is locked and not installed so; null when all are. What is optional may rightly be absent (other platforms).
 * @param {Readonly<Record<string, LockedPackage>>} wanted
 * @param {Readonly<Record<string, LockedPackage>> | null} installed npm's own record, node_modules/.package-lock.json
 */
export function firstMissing(wanted, installed) {
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '' || optional || devOptional) continue
    if (installed?.[path]?.version !== version)
      return `${path.replace(/^.*node_modules\//, '')} ${version ?? ''}`.trim()
  }
  return null
}
