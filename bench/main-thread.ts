/** What pages take of a processor, beside what they wait for one: on a busy machine the time on the clock is mostly of other programs. */
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/** @returns what reads the time that the main threads of all pages have run, µs; NaN where the system is not Linux */
export async function mainThreads(browser: Browser): Promise<() => number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => String(id))
  await session.detach()
  const ranNs = (id: string): number => {
    try {
      return Number(readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      return Number.NaN
    }
  }
  return () => pages.reduce((sum, id) => sum + ranNs(id), 0) / 1e3
}
