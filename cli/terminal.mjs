/**
 * How every command speaks: a heading for each step, a heartbeat on long ones, one line for an
 * error. Plain Node, nothing installed. Progress goes to stderr, so that stdout holds only what was
 * asked for.
 */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// Vite lists on every start which imports of its configuration name no ending, since Node alone
// could not read those: it reads them itself.
process.env['VITE_CONFIG_NATIVE_IGNORE_WARNING'] ??= 'true'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * A mistake in how a command was called (exit 2), or a thing that could not be done (exit 1): told
 * in one line, without a stack.
 */
export class CommandError extends Error {
  /**
   * @param {string} message
   * @param {1 | 2} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * A name from anybody's file may hold what a terminal obeys: cursor, colours, the clipboard (OSC
 * 52), links (OSC 8), C1 codes, and marks that turn the direction of what follows. Each becomes its
 * escape, readable and inert; in JSON it stays the same string.
 * @param {string} text
 */
export const inert = (text) =>
  text.replaceAll(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/** @param {number} milliseconds */
export const formatSeconds = (milliseconds) => {
  const seconds = milliseconds / 1000
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/**
 * Says what is being done, and every few seconds that it still goes on.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const started = Date.now()
  say(`• ${what} …`)
  const heartbeat = setInterval(
    () => say(`  still at it after ${formatSeconds(Date.now() - started)}: ${what}`),
    15_000,
  )
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
  }
}

/** Children still running. */
const children = /** @type {Set<import('node:child_process').ChildProcess>} */ (new Set())

/** Whoever tells this process to stop stops its children with it. */
export function stopTogether() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => {
      for (const child of children) child.kill('SIGTERM')
      process.exit(130)
    })
}

/**
 * Runs a program to its end with our terminal. `.cmd` shims (npm on Windows) need a shell.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean | 'brief' | 'none' }} [options] quiet: output
 * is kept back and shown only when it fails; brief: of that, the first line that names an error,
 * for a failure that something else makes good; none: not even that, for a question
 * @returns {Promise<number>} exit code; 127 where the program could not be started
 */
export function runProgram(program, args, { env = {}, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      // What a tool prints is news for the person, never the command's own result: so stderr.
      stdio: ['ignore', quiet ? 'pipe' : 2, quiet ? 'pipe' : 2],
      shell: program.endsWith('.cmd'),
    })
    let kept = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (/** @type {Buffer} */ data) => (kept = (kept + data.toString()).slice(-20_000)))
    }
    children.add(child)
    child.once('error', (error) => {
      children.delete(child)
      if (!quiet) say(`${program}: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code, signal) => {
      children.delete(child)
      if (code !== 0 && kept && quiet !== 'none') {
        const firstError = kept.split('\n').find((line) => line.includes('Error: ')) ?? kept
        say(quiet === 'brief' ? `  ${firstError.trim()}` : kept.trimEnd())
      }
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1))
    })
  })
}

/** @param {readonly string[]} args */
export const runNode = (args, options = {}) => runProgram(process.execPath, args, options)

/**
 * Whether a command was asked for JSON: what follows `--` is no option.
 * @param {readonly string[]} argv
 */
const wantsJson = (argv) => {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

/**
 * A command's `main`: an expected failure is one line and its exit code, with `--json` also an
 * object on stdout; a bug keeps its stack. The code is set rather than exited with, so that output
 * still in a pipe is written.
 * @param {() => Promise<number>} main
 */
export async function runCommand(main) {
  // Whoever reads our output may have had enough of it (`… | head -1`): that is the end, and no
  // fault.
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code === 'EPIPE') process.exit(0)
    say(`error: stdout: ${error.message}`)
    process.exit(1)
  })
  try {
    process.exitCode = await main()
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown
    // It may quote what a file says of itself.
    const { message, exitCode } = thrown
    say(`error: ${inert(message)}`)
    if (wantsJson(process.argv.slice(2)))
      console.log(inert(JSON.stringify({ error: { message, exitCode } }, null, 2)))
    process.exitCode = exitCode
  }
}
