/**
 * `npm run bench -- NAME`. The only place where an absolute time or size is judged; no test does. Exit code 1 when an aim is missed.
 */
import { adapterOf, strictArguments, usageError } from '../cli/strict-arguments'
import { LIBRARIES_USAGE, librariesArguments } from './libraries-arguments'
import { MATMUL_USAGE, parseMatmulArguments } from './matmul-arguments'
import { benchRecorder } from './recorder'
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
${LIBRARIES_USAGE}
${MATMUL_USAGE}
${TIMELINE_USAGE}`

export async function bench(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'matmul' && !argv.includes('--help') && !argv.includes('-h')) {
    const args = parseMatmulArguments(argv.slice(1))
    const { benchMatmul } = await import('./matmul')
    return await benchMatmul(args)
  }
  if (argv[0] === 'timeline' && !argv.includes('--help') && !argv.includes('-h')) {
    const args = parseTimelineArguments(argv.slice(1))
    const { benchTimeline } = await import('./timeline')
    return await benchTimeline(args)
  }
  if (argv.length === 1 && argv[0] === 'interventions') {
    const { benchInterventions } = await import('./interventions')
    return await benchInterventions()
  }
  if (argv[0] === 'libraries' && !argv.includes('--help') && !argv.includes('-h')) {
    const args = librariesArguments(argv.slice(1))
    const { benchLibraries } = await import('./libraries')
    return await benchLibraries(args)
  }
  if (argv[0] === 'pages' && !argv.includes('--help') && !argv.includes('-h'))
    return await benchPages(argv.slice(1))
  const { values, positionals } = strictArguments(argv, {
    adapter: { type: 'string', default: 'auto' },
    rounds: { type: 'string', default: '9' },
    prebuilt: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false, short: 'h' },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const name = positionals.join(' ')
  if (name !== 'recorder')
    throw usageError(
      `Which benchmark? There are interventions, libraries, matmul, pages, recorder and timeline; got '${name}'.`,
    )
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 3)
    throw usageError(`--rounds must be an integer from 3; got '${values.rounds}'.`)
  return await benchRecorder(adapterOf(values.adapter), rounds)
}
