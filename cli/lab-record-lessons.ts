/**
 * `npm run lab -- record-lessons`: the lesson's own run and the run of each of its steps, in one browser, as the files that a page without a device
 * plays: <lesson>.hdl.gz and <lesson>/<step>.hdl.gz. What is run is read from the lessons; a run that does not count is not written, and the
 * last line names all files that were not.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { LabArguments } from './lab-arguments'
import { openLabPage, type LabGlobal } from './lab-page'
import { whyNotCounted } from './lab-texts'
import { makeFolder } from './out-folder'
import { recordingsOf } from './recordings'
import { say } from './terminal.mjs'

type RecordLessonsArguments = Extract<LabArguments, { readonly command: 'record-lessons' }>

export async function recordLessons({
  lessons,
  over,
  adapter,
  out,
  seconds,
}: RecordLessonsArguments): Promise<number> {
  const recordings = await recordingsOf(lessons, over)
  await makeFolder(out)
  const { page, device, gone, close } = await openLabPage({ adapter, address: 'method/' })
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
          ([id, values]) =>
            (globalThis as LabGlobal).hostDeviceLab.run(id, values, { record: true, live: false }),
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
