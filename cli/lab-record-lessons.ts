/**
 * `npm run lab -- record-lessons`: the lesson's own run and the run of each of its steps, in one
 * browser, as the files that a page without a device plays: <lesson>.hdl.gz and
 * <lesson>/<step>.hdl.gz. What is run is read from the lessons; a run that does not count is not
 * written, and the last line names all files that were not.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { formatParam, parseParams, type ParamValues } from '../src/experiments/experiment'
import { readLessons } from '../vite/words-md'
import { findExperiment } from './catalog'
import type { parseRecordLessons } from './lab-arguments'
import { openLabPage, type LabGlobal } from './lab-page'
import { whyNotCounted } from './lab-texts'
import { makeFolder } from './out-folder'
import { CommandError, say } from './terminal.mjs'

/** Settings of a run as the page would make it. Throws if the experiment rejects the values. */
function recordingOf(file: string, experiment: string, values: ParamValues) {
  const meta = findExperiment(experiment)
  if (!meta) throw new CommandError(`${file}: there is no experiment '${experiment}'.`)
  const parsed = parseParams(meta, values)
  if (!parsed.ok) throw new CommandError(`${file}: ${parsed.error.message}`)
  const params = Object.entries(values).map(([name, value]) => [name, formatParam(value)] as const)
  return { file, experiment, params: Object.fromEntries(params) }
}

/**
 * What is run, as the lessons with an experiment say it. A step without values of its own looks at
 * the lesson's run. `over` is laid over the values of steps only. `names` are lessons, each with
 * all its files, and files; none: all.
 */
export async function recordingsOf(names: readonly string[], over: ParamValues) {
  const lessons = (await readLessons()).filter((lesson) => lesson.kind === 'experiment')
  const all = lessons.flatMap(({ id, experiment, values, steps }) => [
    { id, file: `${id}.hdl.gz`, experiment, values },
    ...steps.flatMap(({ id: step, action }) =>
      action && Object.keys(action.values).length > 0
        ? [{ id, file: `${id}/${step}.hdl.gz`, experiment, values: { ...values, ...over, ...action.values } }]
        : [],
    ),
  ])
  const unknown = names.find((name) => !all.some(({ id, file }) => name === id || name === file))
  if (unknown !== undefined)
    throw new CommandError(
      `Unknown lesson or file '${unknown}'; there are ${lessons.map(({ id }) => id).join(', ')}.`,
      2,
    )
  return all
    .filter(({ id, file }) => names.length === 0 || names.includes(id) || names.includes(file))
    .map(({ file, experiment, values }) => recordingOf(file, experiment, values))
}

export async function recordLessons({
  lessons,
  over,
  adapter,
  out,
  seconds,
}: ReturnType<typeof parseRecordLessons>): Promise<number> {
  const recordings = await recordingsOf(lessons, over)
  await makeFolder(out)
  const { page, device, gone, close } = await openLabPage(adapter, 'method/')
  const missing: string[] = []
  const begunMs = Date.now()
  const late = new Promise<'late'>((resolve) => {
    if (seconds !== null) setTimeout(resolve, seconds * 1000, 'late').unref()
  })
  try {
    say(`${String(recordings.length)} runs on ${device.adapterName}`)
    for (const [index, { file, experiment, params }] of recordings.entries()) {
      const startedMs = Date.now()
      const ended = await Promise.race([
        page.evaluate(
          ([id, values]) => (globalThis as LabGlobal).hostDeviceLab.run(id, values, { live: false }),
          [experiment, params] as const,
        ),
        gone,
        late,
      ])
      // The run under way goes with its browser.
      if (ended === 'late') {
        missing.push(...recordings.slice(index).map((each) => each.file))
        say(`No time left after ${String(Math.round((Date.now() - begunMs) / 1000))} s.`)
        break
      }
      const { report, fault } = ended
      const reasons = report ? whyNotCounted(report) : [fault?.message ?? 'it brought no report']
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
      if (!report || reasons.length > 0) {
        missing.push(file)
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
  if (missing.length > 0) console.log(`not recorded: ${missing.join(' ')}`)
  return missing.length === 0 ? 0 : 1
}
