/**
 * `npx host-device-lab analyze | record`: a package that needs no clone of the lab and no other
 * package (build-cli.mjs).
 */
import { analyzeUsage, parseAnalyze } from './analyze-arguments'
import { findBrowser } from './browsers.mjs'
import { analyze } from './lab-analyze-ranks'
import { record } from './lab-record'
import { parseRecord, recordUsage } from './record-arguments'
import { usageError } from './strict-arguments'
import { CommandError, runCommand } from './terminal.mjs'

const USAGE = `Usage:
${analyzeUsage('host-device-lab', 'FILE.svg')}
${recordUsage('host-device-lab')}
  Exit code: 0 for a file that was read, or a page that was recorded; 1 where a --fail-if holds; 2 when the call is wrong, or FILE cannot be read. With --json an error
  is also an object on standard output: { "error": { "message", "exitCode" } }.`

/** A package installs no browser. */
async function foundBrowser(): Promise<string> {
  const found = await findBrowser()
  if (found !== null) return found
  throw new CommandError('No Chrome or Chromium found. Install one, or name one in CHROME_PATH.')
}

await runCommand(async () => {
  const [command, ...rest] = process.argv.slice(2)
  if (command === undefined || command === 'help' || process.argv.includes('--help')) {
    console.log(USAGE)
    return command === undefined ? 2 : 0
  }
  if (command === 'analyze') return await analyze(parseAnalyze(rest))
  if (command === 'record') return await record(parseRecord(rest), foundBrowser)
  throw usageError(`Unknown command '${command}'; there are analyze and record. See --help.`)
})
