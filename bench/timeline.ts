/**
 * `npm run bench -- timeline`: made-up runs of 10^4 to 10^6 spans, opened as a visitor opens a file and moved through with the wheel,
 * in Chromium on this machine. Beside it, in the same round, speedscope with the same run as Trace Event JSON, and a control: the same
 * wheel on the same page before a run is on it. Exit code 1 when an aim is missed. Software drawing: no GPU takes part.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ensureSite } from '../cli/build-site.mjs'
import { ensureBenchDependencies } from '../cli/dependencies.mjs'
import { ROOT, say, step } from '../cli/terminal.mjs'
import { traceEventParts } from '../src/trace/formats/trace-event'
import { encodeRun, gzipBytes } from '../src/trace/codec'
import { MOST_FOR_SPEEDSCOPE, type TimelineBenchArguments } from './arguments'
import { judge, rowsOf, sizeLabel, type Format, type Visit } from './timeline-results'
import { resultsText, type Machine } from './timeline-tables'
import { makeTrace } from './timeline-trace'
import { browserVersion, visitControl, visitLab, visitSpeedscope, type Asked } from './timeline-visit'

const FORMATS: readonly Format[] = ['own', 'own, gzip', 'Trace Event']
/** A larger Trace Event file is beyond what is opened: trace/budget.ts reads 2 GB. */
const MOST_AS_JSON = 6.5e6

const TIMELINE_SCHEMA = 'host-device-lab/timeline-bench@1'

export async function benchTimeline(args: TimelineBenchArguments): Promise<number> {
  await ensureSite()
  const withSpeedscope = args.spans.some((spans) => spans <= MOST_FOR_SPEEDSCOPE)
  if (withSpeedscope) await ensureBenchDependencies()
  if (args.json !== null) await mkdir(dirname(args.json), { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'lab-bench-'))
  try {
    const machine = await describeMachine(withSpeedscope)
    const visits = await visitAll(args, folder)
    const aims = judge(visits)
    console.log(resultsText(visits, aims, machine))
    if (args.json !== null) {
      const results = {
        schema: TIMELINE_SCHEMA,
        date: new Date().toISOString(),
        machine,
        aims,
        rows: rowsOf(visits),
        visits,
      }
      await writeFile(args.json, `${JSON.stringify(results, null, 2)}\n`)
      say(`written  ${args.json}`)
    }
    return aims.some(({ state }) => state === 'missed') ? 1 : 0
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Files = Readonly<Partial<Record<Format, string>>>

async function visitAll(args: TimelineBenchArguments, folder: string): Promise<readonly Visit[]> {
  const visits: Visit[] = []
  const see = async (what: string, visit: () => Promise<Visit>): Promise<void> => {
    const seen = await step(what, visit)
    visits.push(seen)
    if (seen.failure !== null) say(`  ${what}: ${seen.failure}`)
  }
  for (const spans of args.spans) {
    const files = await step(`Writing ${sizeLabel(spans)} spans`, () => writeFiles(folder, spans))
    const bytes = Object.fromEntries(
      await Promise.all(
        Object.entries(files).map(async ([format, file]) => [format, (await stat(file)).size] as const),
      ),
    ) as Partial<Record<Format, number>> // the same keys
    for (let round = 0; round < args.rounds; round += 1) {
      const asked = (format: Format, moves: boolean): Asked => ({
        spans,
        round,
        file: files[format] ?? '',
        fileBytes: bytes[format] ?? 0,
        moves,
      })
      const label = `${sizeLabel(spans)} spans, round ${String(round + 1)} of ${String(args.rounds)}:`
      await see(`${label} timeline off`, () => visitControl(round))
      for (const format of FORMATS.filter((each) => each in files))
        // How it was packed is no matter once it is drawn.
        await see(`${label} the lab, ${format}`, () =>
          visitLab(asked(format, format !== 'own, gzip'), format),
        )
      if (spans <= MOST_FOR_SPEEDSCOPE)
        // Its frames are no aim, and where WebGL is done in software they take it a minute.
        await see(`${label} speedscope`, () => visitSpeedscope(asked('Trace Event', round === 0)))
    }
    await Promise.all(Object.values(files).map((file) => rm(file)))
  }
  return visits
}

async function writeFiles(folder: string, spans: number): Promise<Files> {
  const trace = makeTrace(spans)
  const own = encodeRun({ trace, report: null })
  const at = (ending: string) => join(folder, `${String(spans)}.${ending}`)
  await writeFile(at('hdl'), own)
  if (spans > MOST_AS_JSON) return { own: at('hdl') }
  const files = { own: at('hdl'), 'own, gzip': at('hdl.gz'), 'Trace Event': at('json') }
  await writeFile(files['own, gzip'], await gzipBytes(own))
  // Never one string: at 10^6 spans it would be a third of a gigabyte.
  await pipeline(Readable.from(traceEventParts(trace, null)), createWriteStream(files['Trace Event']))
  return files
}

/** Where speedscope is not asked for it need not be installed. */
async function describeMachine(withSpeedscope: boolean): Promise<Machine> {
  const processors = cpus()
  const version = async (path: string): Promise<string> => {
    const { version: found } = JSON.parse(await readFile(join(ROOT, path), 'utf8')) as { version: string } // a package's own
    return found
  }
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${platform()} ${release()}`,
    browser: `Chromium ${await browserVersion()}, software drawing`,
    node: process.version,
    /** Of the last minute, before the bench began: what else the machine was doing. */
    loadBefore: loadavg()[0] ?? Number.NaN,
    lab: await version('package.json'),
    speedscope: withSpeedscope
      ? await version('bench/node_modules/speedscope/package.json')
      : 'not asked for',
  }
}
