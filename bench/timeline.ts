/**
 * `npm run bench -- timeline`: made-up runs of 10^4 to 10^6 spans, opened as a visitor opens a file
 * and moved through with the wheel, in Chromium on this machine. Beside it, in the same round, a
 * control: the same wheel on the same page before a run is on it. Exit code 1 when an aim is
 * missed. Software drawing: no GPU takes part.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ensureSite } from '../cli/build-site.mjs'
import { makeFolder } from '../cli/out-folder'
import { say, step } from '../cli/terminal.mjs'
import { traceEventParts } from '../src/trace/formats/trace-event'
import { encodeRun } from '../src/trace/codec'
import type { TimelineBenchArguments } from './arguments'
import { judge, resultsText, rowsOf, sizeLabel, type Format, type Visit } from './timeline-results'
import { describeMachine, machineText } from './machine'
import { makeTrace } from './timeline-trace'
import { browserVersion, visitControl, visitLab } from './timeline-visit'

const FORMATS: readonly Format[] = ['own', 'Trace Event']
/** A larger Trace Event file is beyond what is opened: trace/budget.ts reads 2 GB. */
const MOST_AS_JSON = 6.5e6

export async function benchTimeline(args: TimelineBenchArguments): Promise<number> {
  await ensureSite()
  if (args.json !== null) await makeFolder(dirname(args.json), '--json')
  const folder = await mkdtemp(join(tmpdir(), 'lab-bench-'))
  try {
    const machine = describeMachine()
    const browser = await browserVersion()
    const visits = await visitAll(args, folder)
    const aims = judge(visits)
    console.log(`${browser}, software drawing. ${machineText(machine)}\n${resultsText(visits, aims)}`)
    if (args.json !== null) {
      const results = {
        schema: 'host-device-lab/timeline-bench@2',
        date: new Date().toISOString(),
        ...machine,
        browser,
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
    for (let round = 0; round < args.rounds; round += 1) {
      const label = `${sizeLabel(spans)} spans, round ${String(round + 1)} of ${String(args.rounds)}:`
      await see(`${label} timeline off`, () => visitControl(round))
      for (const format of FORMATS) {
        const file = files[format]
        if (file === undefined) continue
        const fileBytes = (await stat(file)).size
        await see(`${label} the lab, ${format}`, () => visitLab({ spans, round, file, fileBytes }, format))
      }
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
  const files = { own: at('hdl'), 'Trace Event': at('json') }
  // Never one string: at 10^6 spans it would be a third of a gigabyte.
  await pipeline(Readable.from(traceEventParts(trace, null)), createWriteStream(files['Trace Event']))
  return files
}
