/**
 * `npm run lab -- run`. Its files: report.json (src/trace/report.ts), trace.json (Trace Event, for
 * Perfetto), timeline.png, run.hdl.gz (the lab's own format, which the page opens again).
 */
import { writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { AutomationOutcome } from '../src/site/state/automation'
import type { Report } from '../src/trace/report'
import { openLabPage, type LabGlobal, type LabPage } from './lab-page'
import type { RunArguments } from './lab-arguments'
import { summaryText, whyNotCounted } from './lab-texts'
import { folderFor, makeFolder } from './out-folder'
import { progressLine } from './progress-line'
import { CommandError, inert, say } from './terminal.mjs'

const POLL_MS = 250
/** A run sizes its work to seconds. Two minutes without any news mean that none will come. */
const SILENCE_LIMIT_MS = 120_000

/** From here where that is shorter to read, else whole. */
const shortPath = (path: string): string => {
  const fromHere = relative('.', path)
  return fromHere.startsWith('..') ? resolve(path) : fromHere
}

/** Shows progress until the run has ended, or has shown none for too long. */
async function watchProgress(page: Page, ended: () => boolean): Promise<never> {
  const line = progressLine()
  let last = ''
  let heardMs = Date.now()
  try {
    while (!ended()) {
      const progress = await page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.progress())
      const now = JSON.stringify(progress)
      if (now !== last) heardMs = Date.now()
      last = now
      if (progress) line.show(progress.fraction, progress.message)
      if (Date.now() - heardMs > SILENCE_LIMIT_MS) {
        throw new CommandError(`The run showed no progress for ${String(SILENCE_LIMIT_MS / 1000)} s.`)
      }
      await pause(POLL_MS)
    }
  } finally {
    line.end()
  }
  // The run's own promise decides from here on.
  return await new Promise<never>(() => undefined)
}

async function runInPage(
  { page, gone }: LabPage,
  { meta, params }: RunArguments,
): Promise<AutomationOutcome> {
  let hasEnded = false
  const run = page.evaluate(
    ([id, values]) =>
      // Chunks are held back, so that drawing does not compete with what is measured.
      (globalThis as LabGlobal).hostDeviceLab.run(id, values, { live: false }),
    [meta.id, params] as const,
  )
  try {
    return await Promise.race([run, gone, watchProgress(page, () => hasEnded)])
  } finally {
    hasEnded = true
  }
}

async function writeFiles(page: Page, report: Report, out: string): Promise<readonly string[]> {
  const traceJson = await page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.traceEventJson())
  const runBase64 = await page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.runBytes())
  const file = (name: string): string => join(out, name)
  await writeFile(file('report.json'), `${JSON.stringify(report, null, 2)}\n`)
  await writeFile(file('trace.json'), traceJson)
  await writeFile(file('run.hdl.gz'), Buffer.from(runBase64, 'base64'))
  const timeline = page.getByTestId('timeline').first()
  // The pane is loaded when it is first needed: until its canvas is there, the picture would be of
  // an empty frame.
  await timeline.locator('.tl-canvas').waitFor({ state: 'visible' })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await timeline.screenshot({ path: file('timeline.png'), animations: 'disabled' })
  return ['report.json', 'trace.json', 'timeline.png', 'run.hdl.gz'].map(file)
}

/** The report of a run that ended by itself; anything else is an error of one line. */
function reportOf({ status, report, fault }: AutomationOutcome): Report {
  if (status === 'done' && report) return report
  const why = fault ? [fault.message, fault.hint].filter(Boolean).join(' ') : 'no reason given'
  const how = {
    done: 'brought no report',
    failed: 'failed',
    cancelled: 'was cancelled',
  }[status]
  throw new CommandError(`The run ${how}: ${why}`)
}

export async function run(args: RunArguments): Promise<number> {
  const { meta, params, adapter } = args
  const out = args.out ?? folderFor(meta.id)
  await makeFolder(out)
  const query = new URLSearchParams(params).toString()
  const address = `run/${meta.id}/${query === '' ? '' : `#?${query}`}`
  const lab = await openLabPage(adapter, address)
  try {
    say(`${meta.title} on ${inert(lab.device.adapterName)}`)
    const report = reportOf(await runInPage(lab, args))
    const files = await writeFiles(lab.page, report, out)
    console.log(inert(summaryText(report)))
    console.log(`\nwritten  ${files.map(shortPath).join('  ')}`)
    const reasons = whyNotCounted(report)
    for (const why of reasons) say(`error: ${inert(why)}`)
    return reasons.length === 0 ? 0 : 1
  } finally {
    await lab.close()
  }
}
