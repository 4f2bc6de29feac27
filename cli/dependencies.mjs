/**
 * Installs what package-lock.json names, when what stands in node_modules is something else. Compared by content, not by time:
 * a copied or freshly checked out tree has new times and the same packages.
 */
import { join } from 'node:path'
import { firstMissing, readLock } from './locked-packages.mjs'
import { CommandError, ROOT, runProgram, say, step } from './terminal.mjs'

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
