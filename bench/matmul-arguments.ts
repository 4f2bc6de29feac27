/** What `npm run bench -- matmul …` was asked for, checked before a browser starts: a mistake is one line that names the range, and exit code 2. */
import { adapterOf, oneOf, optionsAlone } from '../cli/strict-arguments'
import { parseShapes } from './matmul-shapes'

const PEERS = ['tfjs', 'ort', 'jax'] as const
type Peer = (typeof PEERS)[number]

export const MATMUL_USAGE = `  npm run bench -- matmul [--adapter auto|gpu|software] [--sizes 512,4096x4096x64,…] [--peers tfjs,ort,jax|none]
                          [--kernels] [--json FILE] [--prebuilt]
      The lab's matmul beside other libraries in one page, interleaved: f32, every result checked against float64.
      --sizes     M = N = K, or MxNxK (each 1 to 16384). Left out: sizes that suit the adapter.
      --kernels   also a row for each kernel of the lab with its own tile.
      --json      writes the results, for --table and bench/cublas.py, which adds rows of cuBLAS to it.
      --prebuilt  takes dist-bench/ as it stands, without looking whether it is current or packages are installed.
      Exit code 1 when a result of the lab is wrong or missing.
  npm run bench -- matmul --build
      Builds dist-bench/, which --prebuilt takes.
  npm run bench -- matmul --table FILE
      A results file as a table in Markdown.`

export type MatmulArguments = ReturnType<typeof parseMatmulArguments>

const parsePeers = (text: string): readonly Peer[] =>
  text === 'none' ? [] : [...new Set(text.split(',').map((name) => oneOf('--peers', name, PEERS)))]

const OPTIONS = {
  adapter: { type: 'string', default: 'auto' },
  sizes: { type: 'string' },
  peers: { type: 'string', default: PEERS.join(',') },
  kernels: { type: 'boolean', default: false },
  json: { type: 'string' },
  prebuilt: { type: 'boolean', default: false },
  build: { type: 'boolean', default: false },
  table: { type: 'string' },
} as const

/** Throws CommandError with exit code 2. */
export function parseMatmulArguments(argv: readonly string[]) {
  const { table, build, ...values } = optionsAlone(argv, OPTIONS)
  if (table !== undefined) return { command: 'table' as const, file: table }
  if (build) return { command: 'build' as const }
  return {
    command: 'measure' as const,
    adapter: adapterOf(values.adapter),
    /** Null: those that suit the adapter. */
    shapes: values.sizes === undefined ? null : parseShapes(values.sizes),
    peers: parsePeers(values.peers),
    kernels: values.kernels,
    json: values.json ?? null,
    prebuilt: values.prebuilt,
  }
}
