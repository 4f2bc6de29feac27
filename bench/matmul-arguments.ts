/** What `npm run bench -- matmul …` was asked for, checked before a browser starts: a mistake is one line that names the range, and exit code 2. */
import { adapterOf, optionsAlone, usageError as refuse } from '../cli/strict-arguments'
import { parseShapes } from './matmul-shapes'

const PEERS = ['tfjs', 'ort', 'jax'] as const
type Peer = (typeof PEERS)[number]

export const MATMUL_USAGE = `  npm run bench -- matmul [--adapter auto|gpu|software] [--sizes 512,4096x4096x64,…] [--peers tfjs,ort,jax|none]
                          [--kernels] [--seconds N] [--json FILE] [--prebuilt]
      The lab's matmul beside other libraries in one page, interleaved: f32, every result checked against float64.
      --sizes     M = N = K, or MxNxK (each 1 to 16384). Left out: sizes that suit the adapter.
      --kernels   also a row for each kernel of the lab with its own tile.
      --seconds   time for the rounds of one shape, and as much for the lab's tuner, 1 to 600 (left out: 15);
                  five rounds at least, whatever they take.
      --json      writes the results, for --table.
      --prebuilt  takes dist-bench/ as it stands, without looking whether it is current or packages are installed.
      Exit code 1 when a result of the lab is wrong or missing.
  npm run bench -- matmul --build
      Builds dist-bench/, which --prebuilt takes.
  npm run bench -- matmul --cublas FILE --json RESULTS
      Joins rows of cuBLAS to a results file of this machine, from the file that bench/cublas.py made right after it.
  npm run bench -- matmul --table FILE
      A results file as a table in Markdown.`

export type MatmulArguments = ReturnType<typeof parseMatmulArguments>

const isPeer = (text: string): text is Peer => (PEERS as readonly string[]).includes(text)

function parsePeers(text: string): readonly Peer[] {
  if (text === 'none') return []
  const wanted = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = wanted.find((name) => !isPeer(name))
  if (unknown !== undefined)
    throw refuse(`--peers takes some of ${PEERS.join(', ')}, or none; got '${unknown}'.`)
  return wanted.filter(isPeer)
}

const OPTIONS = {
  adapter: { type: 'string', default: 'auto' },
  sizes: { type: 'string' },
  peers: { type: 'string', default: PEERS.join(',') },
  kernels: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '15' },
  json: { type: 'string' },
  prebuilt: { type: 'boolean', default: false },
  build: { type: 'boolean', default: false },
  table: { type: 'string' },
  cublas: { type: 'string' },
} as const

/** Throws CommandError with exit code 2. */
export function parseMatmulArguments(argv: readonly string[]) {
  const { table, build, cublas, json, seconds: text, ...values } = optionsAlone(argv, OPTIONS)
  if (table !== undefined || build) {
    if (argv.length > (build ? 1 : 2)) throw refuse('--table FILE and --build stand alone.')
    return table === undefined ? { command: 'build' as const } : { command: 'table' as const, file: table }
  }
  if (cublas !== undefined) {
    if (!cublas || !json || argv.length > 4) throw refuse('--cublas FILE wants --json RESULTS and no more.')
    return { command: 'cublas' as const, file: cublas, results: json }
  }
  const seconds = Number(text)
  if (!(seconds >= 1 && seconds <= 600))
    throw refuse(`--seconds must be a number from 1 to 600; got '${text}'.`)
  if (json === '') throw refuse('--json wants a file.')
  return {
    command: 'measure' as const,
    adapter: adapterOf(values.adapter),
    /** Null: those that suit the adapter. */
    shapes: values.sizes === undefined ? null : parseShapes(values.sizes),
    peers: parsePeers(values.peers),
    kernels: values.kernels,
    seconds,
    json: json ?? null,
    prebuilt: values.prebuilt,
  }
}
