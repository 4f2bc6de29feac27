/**
 * `npm run lab -- list | run | record | record-lessons | analyze | check`: the lab without a
 * window. Each command is loaded when it is called: a browser's driver and the analysis take longer
 * to load than the rest to answer.
 */
import { parseAnalyze } from './analyze-arguments'
import { parseCheck } from './check-arguments'
import { parseRecordLessons, parseRun, USAGE } from './lab-arguments'
import { parseRecord } from './record-arguments'
import { optionsAlone, usageError } from './strict-arguments'

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  list: async (args) => {
    const { json } = optionsAlone(args, { json: { type: 'boolean', default: false } })
    const { experiments } = await import('./catalog')
    const { listJson, listText } = await import('./lab-texts')
    console.log(json ? JSON.stringify(listJson(experiments), null, 2) : listText(experiments))
    return 0
  },
  run: async (args) => await (await import('./lab-run')).run(await parseRun(args)),
  record: async (args) => await (await import('./lab-record')).record(parseRecord(args)),
  'record-lessons': async (args) =>
    await (await import('./lab-record-lessons')).recordLessons(parseRecordLessons(args)),
  analyze: async (args) =>
    await (
      await import('./lab-analyze-ranks')
    ).analyze(parseAnalyze(args), async () => (await import('./summary-png')).summaryPng),
  check: async (args) => await (await import('./lab-check')).check(parseCheck(args)),
}

/** Rejects with a CommandError where the call is wrong. */
export async function lab(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args
  if (args.includes('--help') || args.includes('-h') || command === 'help') {
    console.log(USAGE)
    return 0
  }
  const names = Object.keys(COMMANDS)
  const known = `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`
  if (command === undefined) throw usageError(`Say ${known}; see npm run lab -- --help.`)
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (!run) throw usageError(`Unknown command '${command}': say ${known}.`)
  return await run(rest)
}
