/**
 * `npm run bench -- import`: one made-up profile of each size, read in turn by `lab analyze` (its
 * replay included), by its reader alone, plain and gzipped, by JSON.parse and by speedscope's page.
 * Each is a process of its own; the CPU time of its start (a profile of 10 events, for speedscope
 * what the page took before) is taken off. What V8 compiles counts, then.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ensureBenchDependencies } from '../cli/dependencies.mjs'
import { CommandError, ROOT, runNode, say, step } from '../cli/terminal.mjs'
import { textTable } from '../cli/text-table'
import { median } from '../src/base/stats'
import { bundleModule } from '../vite/bundle-module'
import type { ImportBenchArguments } from './arguments'
import { profileParts } from './import-profile'
import { describeMachine, machineText } from './machine'
import { sizeLabel } from './timeline-results'
import { visitSpeedscope } from './timeline-visit'

const AIM = 1.5
const START_EVENTS = 10
/** V8 has compiled most of what reads them. */
const WARM_EVENTS = 2000
/** 1e6 takes speedscope minutes. */
const MOST_FOR_SPEEDSCOPE = 1e5
/** Half a gigabyte is the longest string. */
const LONGEST_STRING = 2 ** 29 - 24

type Who = 'lab analyze' | 'reader' | 'reader, .gz' | 'inflating' | 'JSON.parse' | 'speedscope'
interface Took {
  readonly who: Who
  readonly events: number
  readonly bytes: number
  readonly round: number
  /** Less its start. */
  readonly cpuMs: number
  readonly wallMs: number
  /** Less what a profile of 2000 events takes; null: it is not asked. */
  readonly warmCpuMs: number | null
  /** The most that the process had in memory, its start included; null: it is not asked. */
  readonly rssMb: number | null
}

/** Writes what a process has used when it ends. */
const METER = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
// Linux counts into maxRSS what the bench itself had when it began the process.
const status = '/proc/self/status'
const peakKb = () => existsSync(status) && /^VmHWM:\\s+(\\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const rssMb = (Number(peakKb()) || process.resourceUsage().maxRSS) / 1e3
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpuMs: (user + system) / 1e3, wallMs: performance.now(), rssMb }))
})`
const PARSE = `import { readFileSync } from 'node:fs'
if (JSON.parse(readFileSync(process.argv[2], 'utf8')).traceEvents.length === 0) throw new Error('no events')`
const READ = `import { open } from 'node:fs/promises'
import { openTraceFile } from './open-trace.mjs'
const file = await open(process.argv[2])
const { size } = await file.stat()
const read = async (from, to) => (await file.read(new Uint8Array(to - from), 0, to - from, from)).buffer
const opened = await openTraceFile({ size, read })
await file.close()
if (!opened.ok) throw new Error(opened.error.message)`

/** The streams that the reader uses, and nothing else. */
const INFLATE = `import { readFileSync } from 'node:fs'
const file = new Blob([readFileSync(process.argv[2])])
for await (const part of file.stream().pipeThrough(new DecompressionStream('gzip'))) if (part.length === 0) throw new Error('no bytes')`

export async function benchImport(args: ImportBenchArguments): Promise<number> {
  if (args.events.some((events) => events <= MOST_FOR_SPEEDSCOPE)) await ensureBenchDependencies()
  if (args.json !== null) await mkdir(dirname(args.json), { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'lab-bench-'))
  const machine = describeMachine()
  try {
    const took = await measure(args, folder)
    const rows = rowsOf(took)
    console.log(`${machineText(machine)}\n${tableOf(rows)}`)
    if (args.json !== null) {
      const date = new Date().toISOString()
      const results = { schema: 'host-device-lab/import-bench@2', date, ...machine, rows, took }
      await writeFile(args.json, `${JSON.stringify(results, null, 2)}\n`)
      say(`written  ${args.json}`)
    }
    const missed = rows.filter(({ who, timesParse }) => who.startsWith('reader') && (timesParse ?? 0) > AIM)
    const figures = rows.flatMap(({ who, events, timesParse }) =>
      who.startsWith('reader') && timesParse !== null
        ? [`${timesParse.toFixed(2)} at ${sizeLabel(events)}${who === 'reader' ? '' : ' (.gz)'}`]
        : [],
    )
    console.log(
      `\n${missed.length > 0 ? 'missed' : 'met'}  the reader takes at most ${String(AIM)} times JSON.parse: ${figures.join(', ')}`,
    )
    return missed.length > 0 ? 1 : 0
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function measure(args: ImportBenchArguments, folder: string): Promise<readonly Took[]> {
  const script = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const meter = await script('meter.mjs', METER)
  await script('open-trace.mjs', await bundleModule(join(ROOT, 'src/trace/formats/import/open-trace.ts')))
  const commands: readonly (readonly [Who, (file: string) => readonly string[]])[] = [
    ['lab analyze', (file) => [join(ROOT, 'cli/lab.mjs'), 'analyze', file, '--json']],
    ['reader', ((path) => (file) => [path, file])(await script('read.mjs', READ))],
    ['reader, .gz', (file) => [join(folder, 'read.mjs'), `${file}.gz`]],
    ['inflating', ((path) => (file) => [path, `${file}.gz`])(await script('inflate.mjs', INFLATE))],
    ['JSON.parse', ((path) => (file) => [path, file])(await script('parse.mjs', PARSE))],
  ]
  const usage = join(folder, 'usage.json')
  const run = async (command: readonly string[]) => {
    const code = await runNode(['--max-old-space-size=8192', '--import', meter, ...command], {
      env: { BENCH_USAGE: usage },
      quiet: true,
    })
    if (code !== 0) throw new CommandError(`${command.join(' ')} ended with ${String(code)}.`)
    return JSON.parse(await readFile(usage, 'utf8')) as { cpuMs: number; wallMs: number; rssMb: number } // METER wrote it
  }
  const profileOf = async (events: number): Promise<string> => {
    const file = join(folder, `${String(events)}.json`)
    await pipeline(Readable.from(profileParts(events)), createWriteStream(file))
    await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`))
    return file
  }
  const [empty, small] = [await profileOf(START_EVENTS), await profileOf(WARM_EVENTS)]
  const took: Took[] = []
  for (const events of args.events) {
    const file = await step(`Writing ${sizeLabel(events)} events`, () => profileOf(events))
    const bytes = (await stat(file)).size
    for (let round = 0; round < args.rounds; round += 1) {
      for (const [who, command] of commands)
        if (who !== 'JSON.parse' || bytes < LONGEST_STRING) {
          const label = `${sizeLabel(events)} events, round ${String(round + 1)}: ${who}`
          const [start, warm, whole] = await step(label, async () => [
            await run(command(empty)),
            await run(command(small)),
            await run(command(file)),
          ])
          const cpuMs = whole.cpuMs - start.cpuMs
          const wallMs = whole.wallMs - start.wallMs
          const warmCpuMs = whole.cpuMs - warm.cpuMs
          took.push({ who, events, bytes, round, cpuMs, wallMs, warmCpuMs, rssMb: whole.rssMb })
        }
      if (events > MOST_FOR_SPEEDSCOPE) continue
      const asked = { spans: events, round, file, fileBytes: bytes }
      const label = `${sizeLabel(events)} events, round ${String(round + 1)}: speedscope`
      const { load, failure } = await step(label, () => visitSpeedscope(asked))
      if (load) {
        const { cpuMs, loadMs: wallMs } = load
        took.push({ who: 'speedscope', events, bytes, round, cpuMs, wallMs, warmCpuMs: null, rssMb: null })
      } else say(`  ${label}: ${failure ?? ''}`)
    }
    await rm(file)
    await rm(`${file}.gz`)
  }
  return took
}

type Row = ReturnType<typeof rowsOf>[number]

function rowsOf(took: readonly Took[]) {
  const firsts = took.filter(({ round }) => round === 0)
  return firsts.map((first) => {
    const { who, events, bytes } = first
    const group = took.filter((each) => each.who === who && each.events === events)
    const cpuMs = median(group.map((each) => each.cpuMs))
    const ratios = (key: 'cpuMs' | 'warmCpuMs') =>
      group.flatMap((each) => {
        const of = (name: Who) =>
          took.find((other) => other.who === name && other.events === events && other.round === each.round)?.[
            key
          ]
        const [parse, own] = [of('JSON.parse'), each[key]]
        if (typeof parse !== 'number' || own === null) return []
        return [(own - (who === 'reader, .gz' ? (of('inflating') ?? 0) : 0)) / parse]
      })
    return {
      who,
      events,
      bytes,
      cpuMs,
      wallMs: median(group.map((each) => each.wallMs)),
      rssMb: first.rssMb === null ? null : median(group.map(({ rssMb }) => rssMb ?? 0)),
      usAnEvent: (1e3 * cpuMs) / events,
      /**
       * Median of the rounds' ratios of CPU time to JSON.parse, inflating apart; null where that
       * read nothing.
       */
      timesParse: medianOrNull(ratios('cpuMs')),
      /** The same once 2000 events have been read. */
      timesParseWarm: medianOrNull(ratios('warmCpuMs')),
    }
  })
}

const medianOrNull = (values: readonly number[]): number | null => (values.length > 0 ? median(values) : null)
const ratioText = (ratio: number | null): string => (ratio === null ? '' : ratio.toFixed(2))
const seconds = (ms: number): string => (ms / 1e3).toFixed(2)

const tableOf = (rows: readonly Row[]): string =>
  textTable(
    [
      ['events', 'MB', 'who', 'CPU, s', 'wall, s', 'µs an event', 'of JSON.parse', 'warm', 'RSS, MB'],
      ...rows.map(({ events, bytes, who, cpuMs, wallMs, usAnEvent, timesParse, timesParseWarm, rssMb }) => [
        sizeLabel(events),
        (bytes / 1e6).toFixed(0),
        who,
        seconds(cpuMs),
        seconds(wallMs),
        usAnEvent.toFixed(2),
        ratioText(timesParse),
        ratioText(timesParseWarm),
        rssMb === null ? '' : rssMb.toFixed(0),
      ]),
    ],
    [0, 1, 3, 4, 5, 6, 7, 8],
  )
