/**
 * All-reduces between workers over the lab's wire of shared memory (`src/ranks/shared-wire.ts`): naive beside ring, in turn, over sizes. What
 * is judged is nothing: the table says where the ring begins to win here.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adapterFlags } from '../cli/adapters.mjs'
import { bundleModule } from '../cli/bundle-module'
import { progressLine } from '../cli/progress-line'
import { ROOT } from '../cli/terminal.mjs'
import { formatFigure, textTable } from '../cli/text-table'
import { median, medianInterval } from '../src/base/stats'
import { openIsolatedPage } from './isolated-page'
import type { WireBenchGlobal } from './wire-page'
import type { Algorithm } from './wire-rank'

const RANKS = [2, 4, 8] as const
const KIB = [1, 16, 256, 4096, 32_768] as const
const ALGORITHMS = ['naive', 'ring'] as const satisfies readonly Algorithm[]
/** A round of small messages is over in a millisecond. */
const repeatsOf = (kib: number) => (kib > 1000 ? 3 : 20)

export async function benchWire(rounds: number): Promise<number> {
  const [script, rankScript] = await Promise.all([
    bundleModule(join(ROOT, 'bench', 'wire-page.ts')),
    bundleModule(join(ROOT, 'bench', 'wire-rank.ts')),
  ])
  const textOf = (algorithm: Algorithm) =>
    readFile(join(ROOT, 'src', 'experiments', 'collectives', 'programs', `${algorithm}.js`), 'utf8')
  const programs = { naive: await textOf('naive'), ring: await textOf('ring') }
  const { browser, page } = await openIsolatedPage(adapterFlags('software'), script)
  const line = progressLine()
  try {
    await page.waitForFunction(() => 'wireBench' in globalThis)
    const cores = await page.evaluate(() => (globalThis as WireBenchGlobal).wireBench.cores)
    const rows: string[][] = []
    for (const [index, size] of RANKS.entries()) {
      await page.evaluate(
        ([text, count, texts]) => {
          ;(globalThis as WireBenchGlobal).wireBench.open(text, count, texts)
        },
        [rankScript, size, programs] as const,
      )
      for (const [at, kib] of KIB.entries()) {
        line.show((index + at / KIB.length) / RANKS.length, `${String(size)} ranks, ${String(kib)} KiB`)
        const times: Record<Algorithm, number[]> = { naive: [], ring: [] }
        for (let round = 0; round < rounds; round += 1)
          for (const algorithm of round % 2 === 0 ? ALGORITHMS : ALGORITHMS.toReversed())
            times[algorithm].push(
              median(
                await page.evaluate(async (task) => (globalThis as WireBenchGlobal).wireBench.trial(task), {
                  algorithm,
                  bytes: kib * 1024,
                  repeats: repeatsOf(kib),
                }),
              ),
            )
        const ratio = medianInterval(times.naive.map((ms, round) => ms / (times.ring[round] ?? Number.NaN)))
        rows.push([
          String(size),
          String(kib),
          ...ALGORITHMS.map((algorithm) => formatFigure(median(times[algorithm]))),
          formatFigure(ratio.median),
          `${formatFigure(ratio.low)} … ${formatFigure(ratio.high)}`,
        ])
      }
      await page.evaluate(() => {
        ;(globalThis as WireBenchGlobal).wireBench.close()
      })
    }
    line.end()
    console.log(
      `All-reduce of float32 among workers, ${String(cores)} cores: ms of the rank that took longest.`,
    )
    console.log(
      textTable([['ranks', 'KiB', ...ALGORITHMS, 'naive / ring', 'interval'], ...rows], [0, 1, 2, 3, 4]),
    )
    return 0
  } finally {
    line.end()
    await browser.close()
  }
}
