/**
 * `npm run bench -- recorder | startup | soak`: what the lab's own machinery costs. The only place where an absolute time or size is judged;
 * no test does. Exit code 1 when an aim is missed. `npm run bench -- matmul`: the lab's kernels beside other libraries.
 * `npm run bench -- timeline`: large files beside speedscope. `npm run bench -- wire`: all-reduces between workers.
 * `npm run bench -- model`: a modelled machine beside its recordings.
 */
import { parseArgs } from 'node:util'
import { isAdapterChoice } from '../cli/lab-arguments'
import { CommandError } from '../cli/terminal.mjs'
import { LIBRARIES_USAGE, librariesArguments } from './libraries-arguments'
import { MATMUL_USAGE, parseMatmulArguments } from './matmul-arguments'
import { benchRecorder } from './recorder'
import { benchFrames } from './recorder-frames'
import { benchSoak } from './soak'
import { benchStartup } from './startup'
import { TIMELINE_USAGE, parseTimelineArguments } from './timeline-arguments'
import { benchWire } from './wire'

const USAGE = `Usage:
  npm run bench -- recorder [--adapter auto|gpu|software] [--rounds N] [--prebuilt]
      The same program in plain WebGPU with and without a recording session, interleaved: the ratio of the times of a submission
      (aim: at most 1.02 for kernels of 0.3 ms), and what one costs more with very short kernels (aim: at most 4 µs).
      Other arms say where the cost lies: timestamps and questions about completion made by the program itself, patches alone.
      --prebuilt does not look whether packages are installed.
  npm run bench -- recorder frames [--adapter auto|gpu|software] [--rounds N] [--prebuilt]
      Frames of 300 draws with recorder.js and without, in pairs: the host's time in their callbacks, and what the main thread
      runs more (aim: at most 3 % of a frame at 60 Hz).
  npm run bench -- startup
      Bytes of JavaScript, gzipped, that the first page loads (aim: at most 150 kB).
  npm run bench -- soak [--adapter auto|gpu|software] [--runs N]
      So many short runs in one page, of every experiment in turn (default 200): memory of page and worker, listeners and nodes grow by
      a tenth at most from the first third to the last, and no buffer is alive between runs.
  npm run bench -- model [--card NAME|FILE] [--recordings FOLDER] [--again FOLDER]
      Every recorded run beside the same run on the model's card of that machine: step times and busy shares. --card h200 and the kept
      recordings, if left out; another machine's card, as 'Your device' saves it, beside what \`lab record-lessons --out\` recorded there.
      --again: a second recording of each stands in the model's place: how near two runs are to each other.
  npm run bench -- wire [--rounds N]
      All-reduces of 1 KiB to 32 MiB among 2, 4 and 8 workers over shared memory, naive beside ring, every sum checked.
  npm run bench -- sweep [--adapter gpu|software] [--sizes MxNxK,…] [--only TEXT] [--singly] [--rounds N] [--seconds N] [--json FILE]
      Variants of the kernels that are compiled for one shape: all entries compared with a plain kernel, timed by the device's clock.
      --only takes variants whose name contains the text; --singly compiles one after the other, each timed. Exit code 1 when one is wrong or does not compile.
${LIBRARIES_USAGE}
${MATMUL_USAGE}
${TIMELINE_USAGE}`

function parseBenchArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        adapter: { type: 'string', default: 'auto' },
        rounds: { type: 'string', default: '9' },
        prebuilt: { type: 'boolean', default: false },
        runs: { type: 'string', default: '200' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
  } catch (thrown) {
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown), 2)
  }
}

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
  if (argv[0] === 'sweep') {
    const { sweepArguments } = await import('./sweep-arguments')
    const { benchSweep } = await import('./sweep')
    return await benchSweep(sweepArguments(argv.slice(1)))
  }
  if (argv[0] === 'model' && !argv.includes('--help') && !argv.includes('-h')) {
    const { benchModel, modelArguments } = await import('./model')
    return await benchModel(modelArguments(argv.slice(1)))
  }
  if (argv[0] === 'libraries' && !argv.includes('--help') && !argv.includes('-h')) {
    const args = librariesArguments(argv.slice(1))
    const { benchLibraries } = await import('./libraries')
    return await benchLibraries(args)
  }
  const { values, positionals } = parseBenchArguments(argv)
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 3) {
    throw new CommandError(`--rounds must be an integer from 3; got '${values.rounds}'.`, 2)
  }
  if (!isAdapterChoice(values.adapter)) {
    throw new CommandError(`--adapter must be one of auto, gpu, software; got '${values.adapter}'.`, 2)
  }
  switch (positionals.join(' ')) {
    case 'recorder':
      return await benchRecorder(values.adapter, rounds)
    case 'recorder frames':
      return await benchFrames(values.adapter, rounds)
    case 'startup':
      return await benchStartup()
    case 'wire':
      return await benchWire(rounds)
    case 'soak': {
      const runs = Number(values.runs)
      if (!Number.isInteger(runs) || runs < 1)
        throw new CommandError(`--runs must be an integer from 1; got '${values.runs}'.`, 2)
      return await benchSoak(values.adapter, runs)
    }
    default:
      throw new CommandError(
        `Which benchmark? There are libraries, matmul, model, recorder, soak, startup, timeline and wire; got '${positionals.join(' ')}'.`,
        2,
      )
  }
}
