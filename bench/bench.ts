/**
 * `npm run bench -- NAME`. The only place where an absolute time or size is judged; no test does. Exit code 1 when an aim is missed.
 */
import { adapterOf, optionsAlone, usageError } from '../cli/strict-arguments'
import { IMPORT_USAGE, importArguments } from './import-arguments'
import { LIBRARIES_USAGE, librariesArguments } from './libraries-arguments'
import { MATMUL_USAGE, parseMatmulArguments } from './matmul-arguments'
import { benchPages, PAGES_USAGE } from './pages'
import { TIMELINE_USAGE, parseTimelineArguments } from './timeline-arguments'

const USAGE = `Usage:
  npm run bench -- recorder [--adapter auto|gpu|software] [--rounds N] [--prebuilt]
      The same program in plain WebGPU with and without a recording session, interleaved: the ratio of the times of a submission
      (aim: at most 1.02 for kernels of 0.3 ms), and what one costs more with very short kernels (aim: at most 4 µs).
      Other arms say where the cost lies: timestamps and questions about completion made by the program itself, patches alone.
      --prebuilt does not look whether packages are installed.
  npm run bench -- interventions
      What the replay of a profile predicts without a cause, beside what the change gained, for the pairs in bench/interventions/.
${PAGES_USAGE}
${IMPORT_USAGE}
${LIBRARIES_USAGE}
${MATMUL_USAGE}
${TIMELINE_USAGE}`

const COMMANDS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  import: async (argv) => {
    const args = importArguments(argv)
    return await (await import('./import')).benchImport(args)
  },
  interventions: async (argv) => {
    optionsAlone(argv, {})
    return await (await import('./interventions')).benchInterventions()
  },
  libraries: async (argv) => {
    const args = librariesArguments(argv)
    return await (await import('./libraries')).benchLibraries(args)
  },
  matmul: async (argv) => {
    const args = parseMatmulArguments(argv)
    return await (await import('./matmul')).benchMatmul(args)
  },
  pages: benchPages,
  recorder: async (argv) => {
    const values = optionsAlone(argv, {
      adapter: { type: 'string', default: 'auto' },
      rounds: { type: 'string', default: '9' },
      prebuilt: { type: 'boolean', default: false },
    })
    const rounds = Number(values.rounds)
    if (!Number.isInteger(rounds) || rounds < 3)
      throw usageError(`--rounds must be an integer from 3; got '${values.rounds}'.`)
    const adapter = adapterOf(values.adapter)
    return await (await import('./recorder')).benchRecorder(adapter, rounds)
  },
  timeline: async (argv) => {
    const args = parseTimelineArguments(argv)
    return await (await import('./timeline')).benchTimeline(args)
  },
}

export async function bench([name = '', ...argv]: readonly string[]): Promise<number> {
  if ([name, ...argv].some((each) => each === '--help' || each === '-h')) {
    console.log(USAGE)
    return 0
  }
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!run)
    throw usageError(
      `Which benchmark? There are import, interventions, libraries, matmul, pages, recorder and timeline; got '${name}'.`,
    )
  return await run(argv)
}
