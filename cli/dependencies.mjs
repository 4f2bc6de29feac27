/**
 * Installs what package-lock.json names, when what stands in node_modules is something else. Compared by content, not by time:
 * a copied or freshly checked out tree has new times and the same packages.
 */
import { join } from 'node:path'
import { readJson } from './read-json.mjs'
import { CommandError, ROOT, runProgram, say, step } from './terminal.mjs'

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

/**
 * @param {string} path
 * @returns {Promise<Readonly<Record<string, LockedPackage>> | null>} null where there is no such lock
 */
async function readLock(path) {
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

/**
 * Why the site cannot be built here, or null: a package that it is built of is not there. A machine that is lent may have been given fewer.
 * @returns {Promise<string | null>}
 */
export async function missingForBuild() {
  const wanted = (await readLock(join(ROOT, 'package-lock.json'))) ?? {}
  const built = Object.entries(wanted)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path]) => path)
  const tools = ['vite', 'rolldown', 'shiki', '@resvg/resvg-js', 'fontkit', '@fontsource/inter']
  for (const path of [...tools.map((name) => `node_modules/${name}`), ...built]) {
    if ((await readJson(join(ROOT, path, 'package.json'))) === null)
      return `the site cannot be built here: ${path} is missing`
  }
  return null
}

export async function ensureDependencies() {
  const wanted = await readLock(join(ROOT, 'package-lock.json'))
  if (!wanted)
    throw new CommandError('package-lock.json is missing or broken: `git checkout package-lock.json`.')
  const missing = firstMissing(wanted, await readLock(join(ROOT, 'node_modules', '.package-lock.json')))
  if (missing === null) return
  say(`Not installed yet, or not in this version: ${missing}.`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const code = await step(`Installing ${Object.keys(wanted).length - 1} packages (npm ci)`, () =>
    runProgram(npm, ['ci', '--no-audit', '--no-fund']),
  )
  if (code !== 0)
    throw new CommandError(
      'npm ci failed; its message stands above. Without a network nothing can be installed.',
    )
}
