/**
 * Programs on this machine: which of them can be run, and how Debian's package manager installs one
 * that is missing.
 */
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
 * The program that a variable names, or the first of the places. It counts only when it starts: a
 * distribution's placeholder that only names another package does not.
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
 * Installs packages of Debian's and its descendants'. Does nothing where there is no apt-get, or
 * where it may not; a failure shows its output, and the caller looks again for what it wanted.
 * @param {string} what for the heading
 * @param {readonly string[]} packages
 */
export async function installPackages(what, packages) {
  const prefix = placesOnPath(['apt-get']).some(isExecutable) ? await asRoot() : null
  if (!prefix) return
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', ...packages],
  ]) {
    // sudo keeps no variables of ours.
    const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    const [program = 'env', ...rest] = command
    const code = await step(`Installing ${what}: apt-get ${args.join(' ')}`, () =>
      runProgram(program, rest, { quiet: true }),
    )
    if (code !== 0) return
  }
}
