/** Programs on this machine: which of them can be run, and how the system's package manager installs one that is missing. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isRoot } from './adapters.mjs'
import { CommandError, runProgram, step } from './terminal.mjs'

/** @param {string} path */
export function isExecutable(path) {
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
export function placesOnPath(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

/**
 * What a program says of itself; '' where it does not start.
 * @param {string} path
 * @param {readonly string[]} [args] besides
 */
export async function saidVersion(path, args = []) {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version', ...args], { timeout: 30_000 })
    return stdout
  } catch {
    return ''
  }
}

/**
 * The program that a variable names, or the first of the places. It counts only when it starts: a distribution's placeholder that only
 * names another package does not.
 * @param {string} variable
 * @param {string} what
 * @param {() => Promise<readonly string[]>} placesOf
 * @param {(path: string) => Promise<boolean>} starts
 * @returns {Promise<string | null>}
 */
export async function findProgram(variable, what, placesOf, starts) {
  const given = process.env[variable]
  for (const path of given ? [given] : await placesOf())
    if (isExecutable(path) && (await starts(path))) return path
  if (given) throw new CommandError(`${variable} is '${given}', which is not a ${what} that starts.`)
  return null
}

/** @typedef {'apt-get' | 'dnf' | 'apk' | 'pacman'} PackageManager */

/** @type {Readonly<Record<PackageManager, (packages: readonly string[]) => readonly (readonly string[])[]>>} */
const COMMANDS = {
  'apt-get': (packages) => [
    ['update', '-qq'],
    ['install', '-y', '-qq', ...packages],
  ],
  dnf: (packages) => [['install', '-y', ...packages]],
  apk: (packages) => [['add', ...packages]],
  pacman: (packages) => [['-Sy', '--noconfirm', ...packages]],
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
 * Installs by the first package manager found. Does nothing unless it may under Linux, or where there is none that these are named for; a
 * failure shows its output, and the caller looks again for what it wanted.
 * @param {string} what for the heading
 * @param {Readonly<Partial<Record<PackageManager, readonly string[]>>>} packages
 */
export async function installPackages(what, packages) {
  if (process.platform !== 'linux') return
  const known = /** @type {readonly PackageManager[]} */ (Object.keys(COMMANDS)) // the keys of COMMANDS, no others
  const manager = known.find((program) => placesOnPath([program]).some(isExecutable))
  const wanted = manager && packages[manager]
  const prefix = wanted ? await asRoot() : null
  if (!manager || !wanted || !prefix) return
  for (const args of COMMANDS[manager](wanted)) {
    // sudo keeps no variables of ours.
    const [program = manager, ...rest] = [
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      manager,
      ...args,
    ]
    const code = await step(`Installing ${what}: ${manager} ${args.join(' ')}`, () =>
      runProgram(program, rest, { quiet: true }),
    )
    if (code !== 0) return
  }
}
