/**
 * Installs what a lock file names, when what stands in node_modules is something else. Compared by
 * content, not by time: a copied or freshly checked out tree has new times and the same packages.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readJson } from './read-json.mjs'
import { CommandError, ROOT, runProgram, say, step } from './terminal.mjs'

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }}
 * LockedPackage
 */
/** @typedef {Readonly<Record<string, LockedPackage>>} Packages */
/**
 * @typedef {'for running' | 'for developing'} Purpose for running: what building, serving and `npm
 * run lab` need; for developing: all
 */

/**
 * @param {string} path
 * @returns {Promise<Packages | null>} null where there is no such lock
 */
async function readLock(path) {
  const lock = /** @type {{ packages?: Record<string, LockedPackage> } | null} */ (await readJson(path))
  return lock?.packages ?? null
}

/**
 * The first package that is locked and not installed so; null when all are. What is optional may
 * rightly be absent (other platforms).
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
 * What npm is to be called with; null when nothing is missing. Packages for developing stay where
 * they are installed.
 * @param {Packages} locked
 * @param {Packages | null} installed npm's own record, node_modules/.package-lock.json
 * @param {Purpose} purpose
 * @internal
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

/**
 * @param {string} folder
 * @param {Purpose} purpose
 */
async function missingIn(folder, purpose) {
  const locked = await readLock(join(folder, 'package-lock.json'))
  if (!locked)
    throw new CommandError('package-lock.json is missing or broken: `git checkout package-lock.json`.')
  const installed = await readLock(join(folder, 'node_modules', '.package-lock.json'))
  return whatToInstall(locked, installed, purpose)
}

/** @param {string} pid */
function isRunning(pid) {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

/**
 * One command installs, others that need it wait: two of npm's would take each other's files away.
 * @param {string} folder
 * @param {() => Promise<void>} work
 */
async function alone(folder, work) {
  const file = join(folder, '.installing')
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' })
      break
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
      // A command that was killed leaves its file behind.
      if (isRunning(await readFile(file, 'utf8').catch(() => String(process.pid)))) await sleep(500)
      else await rm(file, { force: true })
    }
  }
  try {
    await work()
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * @param {Purpose} purpose
 * @param {string} [folder]
 */
export async function ensureDependencies(purpose, folder = ROOT) {
  if ((await missingIn(folder, purpose)) === null) return
  await alone(folder, async () => {
    const found = await missingIn(folder, purpose)
    if (found === null) return
    const { missing, count, args } = found
    say(`Not installed yet, or not in this version: ${missing}.`)
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const command = `npm ${args.join(' ')}`
    const all = [...args, '--prefix', folder, '--no-audit', '--no-fund']
    const code = await step(`Installing ${count} packages (${command})`, async () => {
      // The lock pins content: the registry is asked only for what npm has not kept. What it has
      // kept may be too old to name a version.
      const fromKept = await runProgram(npm, [...all, '--prefer-offline'], { quiet: 'none' })
      return fromKept === 0 ? 0 : await runProgram(npm, all)
    })
    if (code !== 0)
      throw new CommandError(
        `${command} failed; its message stands above. Without a network nothing can be installed.`,
      )
  })
}

/** The libraries that benches measure and record. */
const BENCH = join(ROOT, 'bench')
export const ensureBenchDependencies = () => ensureDependencies('for running', BENCH)
export const hasBenchDependencies = async () => (await missingIn(BENCH, 'for running')) === null
