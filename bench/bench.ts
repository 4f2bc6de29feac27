/**
 * `npm run bench -- NAME`. The only place where an absolute time or size is judged; no test does. Exit code 1 when an aim is missed.
 */
import {
  importArguments,
  librariesArguments,
  pagesArguments,
  recorderArguments,
  samplingArguments,
  timelineArguments,
  USAGE,
} from './arguments'
import { optionsAlone, usageError } from '../cli/strict-arguments'
import { MATMUL_USAGE, parseMatmulArguments } from './matmul-arguments'

const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  import: async (argv) => {
    const args = importArguments(argv)
    return await (await import('./import')).benchImport(args)
  },
  interventions: async (argv) => {
    const { 'held-out': isHeldOut } = optionsAlone(argv, { 'held-out': { type: 'boolean', default: false } })
    return await (await import('./interventions')).benchInterventions(isHeldOut)
  },
  libraries: async (argv) => {
    const args = librariesArguments(argv)
    return await (await import('./libraries')).benchLibraries(args)
  },
  matmul: async (argv) => {
    const args = parseMatmulArguments(argv)
    return await (await import('./matmul')).benchMatmul(args)
  },
  pages: async (argv) => {
    const args = pagesArguments(argv)
    return await (await import('./pages')).benchPages(args)
  },
  recorder: async (argv) => {
    const { adapter, rounds } = recorderArguments(argv)
    return await (await import('./recorder')).benchRecorder(adapter, rounds)
  },
  sampling: async (argv) => {
    const args = samplingArguments(argv)
    return await (await import('./sampling')).benchSampling(args)
  },
  timeline: async (argv) => {
    const args = timelineArguments(argv)
    return await (await import('./timeline')).benchTimeline(args)
  },
}

export async function bench([name = '', ...argv]: readonly string[]): Promise<number> {
  if ([name, ...argv].some((each) => each === '--help' || each === '-h')) {
    console.log(`Usage:\n${USAGE}\n${MATMUL_USAGE}`)
    return 0
  }
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!run) throw usageError(`Which benchmark? There are ${Object.keys(COMMANDS).join(', ')}; got '${name}'.`)
  return await run(argv)
}
