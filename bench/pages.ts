/**
 * `npm run bench -- pages`: measures the pairs of interventions/pages without a recorder, variants
 * in turn in one page, and records each as found. interventions-pages.ts scores what is predicted.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../cli/out-folder'
import { serveSite } from '../cli/static-server.mjs'
import { CommandError, say } from '../cli/terminal.mjs'
import { orderStatistic } from '../src/base/stats'
import type { pagesArguments } from './arguments'
import { printPages } from './interventions'
import { launch } from './launch'
import { PAGES, RECORDED, TRUTH, type PageTruth } from './interventions-pages'
import { recordPage, SECONDS } from './record-page'

/** The port stands in the recordings. */
const PORT = 4181

export async function benchPages({
  adapter,
  ids,
  rounds,
  out,
}: ReturnType<typeof pagesArguments>): Promise<number> {
  await makeFolder(join(out, RECORDED))
  const site = await serveSite({ root: PAGES, port: PORT })
  const browser = await launch(adapter)
  const opened = async (query: string): Promise<unknown> => {
    const page = await browser.newPage()
    await page.goto(`${site.url}index.html?${query}`)
    await page.waitForFunction(() => 'isDone' in globalThis, null, {
      polling: 200, // a frame of its own would be work of the page
      timeout: SECONDS * 1e3,
    })
    const result = await page.evaluate(() => (globalThis as { readonly result?: unknown }).result)
    await page.close()
    if (typeof result === 'object' && result && 'error' in result)
      throw new CommandError(`${query}: ${String(result.error)}`)
    return result
  }
  const measured: PageTruth['pairs'][number][] = []
  let isWhole = true
  try {
    const perMs = Number(await opened('calibrate'))
    for (const id of ids)
      try {
        const query = `pair=${id}&rounds=${String(perMs)}`
        const ms = (await opened(`${query}&measure=${String(rounds)}`)) as Record<
          'found' | 'changed',
          readonly number[]
        >
        await recordPage(
          `${site.url}index.html?${query}&variant=found`,
          adapter,
          join(out, 'recordings', id),
          join(out, RECORDED, `${id}.hdl.gz`),
        )
        measured.push({ id, found: spread(ms.found), changed: spread(ms.changed) })
      } catch (thrown) {
        // The others are measured all the same.
        isWhole = false
        say(`not measured: ${id}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      }
  } finally {
    await browser.close()
    await site.close()
  }
  const truth = {
    schema: 'page-interventions@1',
    date: new Date().toISOString().slice(0, 10),
    pairs: measured,
  }
  await writeFile(join(out, TRUTH), `${JSON.stringify(truth, null, 2)}\n`)
  await printPages(out)
  return isWhole ? 0 : 1
}

/** ms of a step. */
const spread = (ms: readonly number[]) => ({
  median: orderStatistic(ms, 0.5, Number.NaN),
  min: Math.min(...ms),
  max: Math.max(...ms),
  rounds: ms,
})
