/** `npx host-device-lab analyze FILE`: the command of a package that needs no clone of the lab and no other package (build-cli.mjs). */
import { analyzeUsage, parseAnalyze } from './analyze-arguments'
import { analyze } from './lab-analyze-ranks'
import { usageError } from './strict-arguments'
import { runCommand } from './terminal.mjs'

const USAGE = `Usage:
${analyzeUsage('host-device-lab', 'FILE.svg')}
  Exit code: 0 for a file that was read; 1 where a --fail-if holds; 2 when the call is wrong, or FILE cannot be read. With --json an error
  is also an object on standard output: { "error": { "message", "exitCode" } }.`

await runCommand(async () => {
  const [command, ...rest] = process.argv.slice(2)
  if (command === undefined || command === 'help' || process.argv.includes('--help')) {
    console.log(USAGE)
    return command === undefined ? 2 : 0
  }
  if (command !== 'analyze') throw usageError(`Unknown command '${command}'; there is analyze. See --help.`)
  return await analyze(parseAnalyze(rest))
})
