/** Programs on this machine: which of them can be run, and how the system's package manager installs one that is missing. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isRoot } from './adapters.mjs'
import { runProgram, step } from './terminal.mjs'

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
 * Installs by the first package manager found. Does nothing unless run as root under Linux, or where there is none; a failure shows
 * its output, and the caller looks again for what it wanted.
 * @param {string} what for the heading
 * @param {Readonly<Record<PackageManager, readonly string[]>>} packages
 */
export async function installPackages(what, packages) {
  if (process.platform !== 'linux' || !isRoot()) return
  const known = /** @type {readonly PackageManager[]} */ (Object.keys(COMMANDS)) // the keys of COMMANDS, no others
  const manager = known.find((program) => placesOnPath([program]).some(isExecutable))
  if (!manager) return
  for (const args of COMMANDS[manager](packages[manager])) {
    const code = await step(`Installing ${what}: ${manager} ${args.join(' ')}`, () =>
      runProgram(manager, args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, quiet: true }),
    )
    if (code !== 0) return
  }
}
