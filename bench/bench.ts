/**
 * `npm run bench -- NAME`. The only place where an absolute time or size is judged; no test does.
 * Exit code 1 when an aim is missed.
 */
import {
  importArguments,
  librariesArguments,
  pagesArguments,
  recorderArguments,
  timelineArguments,
  USAGE,
  matmulArguments,
} from './arguments'
import { optionsAlone, usageError } from '../cli/strict-arguments'

const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  import: async (argv) => await (await import('./import')).benchImport(importArguments(argv)),
  interventions: async (argv) => {
    optionsAlone(argv, {})
    return await (await import('./interventions')).benchInterventions()
  },
  libraries: async (argv) => await (await import('./libraries')).benchLibraries(librariesArguments(argv)),
  matmul: async (argv) => await (await import('./matmul')).benchMatmul(matmulArguments(argv)),
  pages: async (argv) => await (await import('./pages')).benchPages(pagesArguments(argv)),
  recorder: async (argv) => await (await import('./recorder')).benchRecorder(recorderArguments(argv)),
  timeline: async (argv) => await (await import('./timeline')).benchTimeline(timelineArguments(argv)),
}

export async function bench([name = '', ...argv]: readonly string[]): Promise<number> {
  if ([name, ...argv].some((each) => each === '--help' || each === '-h')) {
    console.log(`Usage:\n${USAGE}`)
    return 0
  }
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!run) throw usageError(`Which benchmark? There are ${Object.keys(COMMANDS).join(', ')}; got '${name}'.`)
  return await run(argv)
}
