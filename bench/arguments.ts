/**
 * What `npm run bench -- NAME …` was asked for, checked before a browser starts. What is wrong is a
 * CommandError with exit code 2.
 */
import { join } from 'node:path'
import { adapterOf, integerOf, oneOf, optionsAlone } from '../cli/strict-arguments'
import { PAIRS, RECORDED, TRUTH } from './interventions-pages'
import { LIBRARY_PAGES } from './libraries-page'
import { parseShapes } from './matmul-shapes'

const LIBRARIES = Object.keys(LIBRARY_PAGES)

export const USAGE = `  npm run bench -- recorder [--adapter auto|gpu|software] [--rounds N] [--prebuilt]
      The same program in plain WebGPU with and without a recording session, interleaved: the ratio of the times of a submission
      (aim: at most 1.02 for kernels of 0.3 ms), and what one costs more with very short kernels (aim: at most 4 µs).
      Beside it timestamps that the program takes itself, and recorder.js.
      --prebuilt does not look whether packages are installed.
  npm run bench -- interventions
      What the replay of a profile predicts without a cause, beside what the change gained, for the pairs in bench/interventions/.
  npm run bench -- pages [--adapter gpu|software] [--only NAME,…] [--rounds N] [--prebuilt] [--out DIR]
      Pairs of WebGPU pages, as found and with one change: DIR/${TRUTH} has what the change gained, DIR/${RECORDED}/
      each page as found, recorded (left out: lab-out/pages). Moved into bench/interventions/pages, 'interventions' scores them.
  npm run bench -- import [--events 1e5,1e6] [--rounds 3] [--json FILE]
      Made-up profiles of torch.profiler of so many events: CPU time of lab analyze, of its reader alone, of JSON.parse and of
      speedscope, each in a process of its own, less that of its start. Aim: the reader takes at most 1.5 times JSON.parse, of a
      gzip apart from inflating.
  npm run bench -- libraries [--adapter gpu|software] [--only NAME,…] [--texture] [--prebuilt] [--out DIR]
      Records pages of ${LIBRARIES.join(', ')}: DIR/NAME.hdl.gz (left out: lab-out/libraries). Each page checks its own result.
      --texture   boxes are drawn into a texture in place of a canvas; on software always.
      --prebuilt  takes dist-pages/ as it stands, without looking whether packages are installed.
  npm run bench -- libraries --build [--only NAME,…]
      Builds dist-pages/, which --prebuilt takes.
  npm run bench -- timeline [--spans 1e4,1e5,1e6] [--rounds 3] [--json FILE]
      Made-up runs of so many spans, opened in the page and moved through. Aims at 1e6: p95 of the main thread's work a frame at
      most 8 ms, own format loaded in less than 1.5 s, the page never blocked for more than 100 ms. Aim at 1e7, of which the own
      format alone can be opened: p95 at most 1.5 times that at 1e6.
  npm run bench -- matmul [--adapter auto|gpu|software] [--sizes 512,4096x4096x64,…] [--peers tfjs,ort,jax|none]
                          [--json FILE] [--prebuilt]
      The lab's matmul beside other libraries in one page, interleaved: f32, every result checked against float64.
      --sizes     M = N = K, or MxNxK (each 1 to 16384). Left out: sizes that suit the adapter.
      --json      writes the results, for --table and bench/cublas.py, which adds rows of cuBLAS to it.
      --prebuilt  takes dist-bench/ as it stands, without looking whether packages are installed.
      Exit code 1 when a result of the lab is wrong or missing.
  npm run bench -- matmul --build
      Builds dist-bench/, which --prebuilt takes.
  npm run bench -- matmul --table FILE
      A results file as a table in Markdown.`

const FIXED = ['gpu', 'software'] as const
const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean', default: false } as const
const of = (text: string) => ({ type: 'string', default: text }) as const

/** Each size once, the smallest first. */
const sizesOf = (option: string, text: string, least: number): readonly number[] =>
  // A file of more is refused: trace/budget.ts reads 2 GB.
  [...new Set(text.split(',').map((each) => integerOf(option, each, least, 1e7)))].sort((a, b) => a - b)

function namesOf(text: string | undefined, known: readonly string[]): readonly string[] {
  return text?.split(',').map((name) => oneOf('--only', name, known)) ?? known
}

export function recorderArguments(argv: readonly string[]) {
  const { adapter, rounds } = optionsAlone(argv, { adapter: of('auto'), rounds: of('9'), prebuilt: FLAG })
  return { adapter: adapterOf(adapter), rounds: integerOf('--rounds', rounds, 3, 99) }
}

export function pagesArguments(argv: readonly string[]) {
  const { adapter, only, rounds, out } = optionsAlone(argv, {
    adapter: of('gpu'),
    only: TEXT,
    rounds: of('7'),
    prebuilt: FLAG,
    out: of(join('lab-out', 'pages')),
  })
  const known = PAIRS.map(({ id }) => id)
  return {
    adapter: oneOf('--adapter', adapter, FIXED),
    ids: namesOf(only, known),
    rounds: integerOf('--rounds', rounds, 1, 99),
    out,
  }
}

export function importArguments(argv: readonly string[]) {
  const values = optionsAlone(argv, {
    events: of('1e5,1e6'),
    rounds: of('3'),
    json: TEXT,
  })
  return {
    events: sizesOf('--events', values.events, 2000),
    rounds: integerOf('--rounds', values.rounds, 1, 50),
    json: values.json ?? null,
  }
}
export type ImportBenchArguments = ReturnType<typeof importArguments>

export function librariesArguments(argv: readonly string[]) {
  const values = optionsAlone(argv, {
    adapter: of('gpu'),
    only: TEXT,
    texture: FLAG,
    build: FLAG,
    prebuilt: FLAG,
    out: of(join('lab-out', 'libraries')),
  })
  const adapter = oneOf('--adapter', values.adapter, FIXED)
  return {
    adapter,
    names: namesOf(values.only, LIBRARIES),
    build: values.build,
    prebuilt: values.prebuilt,
    // A canvas ends the process of Chromium's software adapter (Chromium 156), with a recorder and
    // without.
    query: values.texture || adapter === 'software' ? '?texture' : '',
    out: values.out,
  }
}

export function timelineArguments(argv: readonly string[]) {
  const values = optionsAlone(argv, { spans: of('1e4,1e5,1e6'), rounds: of('3'), json: TEXT })
  return {
    spans: sizesOf('--spans', values.spans, 200),
    rounds: integerOf('--rounds', values.rounds, 1, 50),
    /** File for the results; null: none. */
    json: values.json ?? null,
  }
}
export type TimelineBenchArguments = ReturnType<typeof timelineArguments>

const PEERS = ['tfjs', 'ort', 'jax'] as const

export function matmulArguments(argv: readonly string[]) {
  const { table, build, ...values } = optionsAlone(argv, {
    adapter: of('auto'),
    sizes: TEXT,
    peers: of(PEERS.join(',')),
    json: TEXT,
    prebuilt: FLAG,
    build: FLAG,
    table: TEXT,
  })
  if (table !== undefined) return { command: 'table' as const, file: table }
  if (build) return { command: 'build' as const }
  return {
    command: 'measure' as const,
    adapter: adapterOf(values.adapter),
    /** Null: those that suit the adapter. */
    shapes: values.sizes === undefined ? null : parseShapes(values.sizes),
    peers:
      values.peers === 'none'
        ? []
        : [...new Set(values.peers.split(',').map((name) => oneOf('--peers', name, PEERS)))],
    json: values.json ?? null,
    prebuilt: values.prebuilt,
  }
}
export type MatmulArguments = ReturnType<typeof matmulArguments>
