/**
 * `npm run lab -- record`: the lesson's own run and the run of each of its steps, in one browser, as the files that a page without a device
 * plays: <lesson>.hdl.gz and <lesson>/<step>.hdl.gz. What is run is read from the lessons; a run that does not count is not written.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { formatParam, parseParams, type ParamValues } from '../src/experiments/experiment'
import { readLessons } from '../vite/words-md'
import { findExperiment } from './catalog'
import type { LabArguments } from './lab-arguments'
import { openLabPage, type LabGlobal } from './lab-page'
import { whyNotCounted } from './lab-texts'
import { CommandError, say } from './terminal.mjs'

type RecordArguments = Extract<LabArguments, { readonly command: 'record' }>

interface Recording {
  readonly file: string
  readonly experiment: string
  readonly params: Readonly<Record<string, string>>
}

/** As the page would run it; throws where the experiment does not take the values. */
function recordingOf(file: string, experiment: string, values: ParamValues): Recording {
  const meta = findExperiment(experiment)
  if (!meta) throw new CommandError(`${file}: there is no experiment '${experiment}'.`)
  const parsed = parseParams(meta, values)
  if (!parsed.ok) throw new CommandError(`${file}: ${parsed.error.message}`)
  const params = Object.entries(values).map(([name, value]) => [name, formatParam(value)] as const)
  return { file, experiment, params: Object.fromEntries(params) }
}

/** Of lessons with an experiment. A step without values of its own looks at the lesson's run. `over` is laid over the values of steps only. */
export function recordingsOf(ids: readonly string[], over: ParamValues): readonly Recording[] {
  const lessons = readLessons().filter((lesson) => lesson.kind === 'experiment')
  const unknown = ids.find((id) => !lessons.some((lesson) => lesson.id === id))
  if (unknown !== undefined)
    throw new CommandError(
      `Unknown lesson '${unknown}'; there are ${lessons.map(({ id }) => id).join(', ')}.`,
      2,
    )
  return lessons
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .flatMap(({ id, experiment, values, steps }) => [
      recordingOf(`${id}.hdl.gz`, experiment, values),
      ...steps.flatMap(({ id: step, action }) =>
        action && Object.keys(action.values).length > 0
          ? [recordingOf(`${id}/${step}.hdl.gz`, experiment, { ...values, ...over, ...action.values })]
          : [],
      ),
    ])
}

export async function record({ lessons, over, adapter, quantized, out }: RecordArguments): Promise<number> {
  const recordings = recordingsOf(lessons, over)
  const { page, device, gone, close } = await openLabPage({ adapter, quantized, route: '/method' })
  let failed = 0
  try {
    say(`${String(recordings.length)} runs on ${device.adapterName}`)
    for (const { file, experiment, params } of recordings) {
      const startedMs = Date.now()
      const { report, fault, reason } = await Promise.race([
        page.evaluate(
          ([id, values]) =>
            (globalThis as LabGlobal).hostDeviceLab.run(id, values, { record: true, live: false }),
          [experiment, params] as const,
        ),
        gone,
      ])
      const reasons = report ? whyNotCounted(report) : [fault?.message ?? reason ?? 'it brought no report']
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
      if (!report || reasons.length > 0) {
        failed += 1
        say(`✗ ${file}: ${reasons.join(' ')}`)
        continue
      }
      const written = Buffer.from(
        await page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.runBytes()),
        'base64',
      )
      // A page's CompressionStream has no levels; the highest makes a recording 5 % smaller.
      const bytes = gzipSync(gunzipSync(written), { level: 9 })
      const path = join(out, file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
      const { outcome, reason: why } = report.verdict
      const bound = report.clock.offsetBoundUs
      console.log(
        `${file}  ${String(Math.round(bytes.length / 1000))} kB  ${seconds} s  ${outcome}: ${why}${bound === null ? '' : `  ±${bound.toFixed(0)} µs`}`,
      )
    }
  } finally {
    await close()
  }
  return failed === 0 ? 0 : 1
}
