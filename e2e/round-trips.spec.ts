/**
 * Everything that the page saves is opened again, and is the same run: own format, Trace Event,
 * report. A PNG is the view. What formats do with odd traces is held by unit tests
 * (src/trace/formats, src/trace/codec.test.ts), Perfetto by exports.spec. The recording was
 * measured on a GPU, so that its figures are the same each time.
 */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { summariseDevices } from '../src/analysis/devices'
import { placeTrace } from '../src/trace/place'
import type { Trace } from '../src/trace/schema'
import { expect, test } from './fixtures'
import type { LabPage } from './lab'
import { openRecording, openTraceBytes, recordingPath } from './recordings'
import { savedBy } from './share'

const RECORDING = recordingPath('sync-stalls.hdl.gz')

async function openFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer }
  await page.getByLabel(/^(Choose files|Open another)$/).setInputFiles(file)
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await expect(page.getByTestId('timeline').locator('canvas').first()).toBeVisible()
}

/** The recording on the page 'trace', with its first gap in view. */
async function atGap(lab: LabPage, page: Page): Promise<void> {
  await lab.open('/trace')
  await openFile(page, 'run.hdl.gz', await readFile(RECORDING))
  await page.getByTestId('timeline').getByRole('application').press('g')
}

/** Figures as a visitor reads them: how busy each device was, its gaps by cause. */
async function figures(page: Page): Promise<readonly string[]> {
  const causes = page.getByTestId('gap-causes')
  // Worked out behind the timeline.
  await expect(causes.first()).toBeVisible()
  return await causes.allInnerTexts()
}

/** Lanes by name, with the number of their spans and how long they are together. */
function summary(trace: Trace) {
  const { startNs, endNs } = placeTrace(trace)
  const lanes = new Map<string, { spans: number; us: number }>()
  for (let span = 0; span < trace.spans.length; span += 1) {
    const name = trace.lanes[trace.spans.lane[span] ?? -1]?.name ?? ''
    const lane = lanes.get(name) ?? { spans: 0, us: 0 }
    lane.spans += 1
    lane.us += ((endNs[span] ?? 0) - (startNs[span] ?? 0)) / 1000
    lanes.set(name, lane)
  }
  return lanes
}

test('the own format comes back to the last bit', async ({ lab, page }) => {
  const original = await openRecording('sync-stalls.hdl.gz')
  await atGap(lab, page)
  const shown = await figures(page)
  const bytes = await savedBy(page, 'Lab run .hdl.gz')
  const { trace, report } = await openTraceBytes(bytes)
  expect(trace).toEqual(original.trace)
  expect(report).toEqual(original.report)
  await openFile(page, 'again.hdl.gz', bytes)
  expect(await figures(page)).toEqual(shown)
})

test("Trace Event opens on the page 'trace': lanes, spans, arrows, gaps", async ({ lab, page }) => {
  const original = await openRecording('sync-stalls.hdl.gz')
  await atGap(lab, page)
  const bytes = await savedBy(page, 'Trace Event .json.gz')
  const { trace, skipped } = await openTraceBytes(bytes)
  expect(skipped).toEqual([])
  const [before, after] = [summary(original.trace), summary(trace)]
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
  for (const [lane, { spans, us }] of before) {
    expect(after.get(lane)?.spans, lane).toBe(spans)
    // Written in µs with three decimals: half a ns a span.
    expect(Math.abs((after.get(lane)?.us ?? 0) - us), lane).toBeLessThan(0.001 * spans)
  }
  // The file says which arrows its rules have no place for.
  const text = gunzipSync(bytes).toString('utf8')
  const leftOut = Number(/"leftOut":\{"flows":(\d+)/.exec(text)?.[1])
  expect(trace.flows.length).toBe(original.trace.flows.length - leftOut)
  expect(leftOut).toBeLessThan(0.1 * original.trace.flows.length)
  // The device's clock comes back with its brackets: each edge has its own bound, and each gap the
  // cause that it had.
  const gapsOf = (of: Trace) =>
    summariseDevices(placeTrace(of)).flatMap(({ gaps }) =>
      gaps.map(({ startNs, endNs, durationNs, cause }) => ({ startNs, endNs, durationNs, cause })),
    )
  expect(gapsOf(trace)).toEqual(gapsOf(original.trace))
  // A variant waits after each of its steps.
  const { steps, repeats } = original.trace.info.params
  expect(gapsOf(trace).length).toBeGreaterThanOrEqual(Number(steps) * Number(repeats))

  const idle = page.getByText(/^Idle .+, by cause, in .+ gaps$/)
  const shown = await idle.innerText()
  await openFile(page, 'again.json.gz', bytes)
  await expect(idle).toHaveText(shown)
})

test('the report holds what the run holds', async ({ lab, page }) => {
  const { report } = await openRecording('sync-stalls.hdl.gz')
  await atGap(lab, page)
  expect(JSON.parse((await savedBy(page, 'Report .json')).toString('utf8'))).toEqual(report)
})
