/**
 * `npm run bench -- sampling`: how much longer pages take while `lab record` samples their script.
 * Each is recorded with samples and without in turn, every time in a browser of its own.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from '../cli/browsers.mjs'
import { openRecorder, recorded } from '../cli/lab-record'
import { serveSite } from '../cli/static-server.mjs'
import { CommandError } from '../cli/terminal.mjs'
import { textTable } from '../cli/text-table'
import { median } from '../src/base/stats'
import type { SamplingArguments } from './arguments'
import { PAGES, PAIRS } from './interventions-pages'
import { buildLibraryPages, LIBRARY_PAGES, PAGES_FOLDER } from './libraries-page'
import { untilDone } from './record-page'

/** Median, least and most. */
const range = (values: readonly number[], digits: number): string =>
  [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)).join('  ')

/** ms from the first submit to the last, and from the end of the first quarter of them. */
interface Took {
  readonly whole: number
  readonly warm: number
}

export async function benchSampling(args: SamplingArguments): Promise<number> {
  const { adapter, names, rounds, prebuilt } = args
  if (!prebuilt) await buildLibraryPages(names.filter((name) => name in LIBRARY_PAGES))
  const browser = await ensureBrowser()
  const [libraries, pairs] = [await serveSite({ root: PAGES_FOLDER }), await serveSite({ root: PAGES })]

  async function take(url: string, isSampled: boolean): Promise<Took> {
    const targets = await openRecorder(adapter, browser, isSampled)
    try {
      const [busiest] = await recorded(targets, untilDone(url, adapter, null))
      const submits = busiest?.submits ?? []
      const msFrom = (at: number) => 1e3 * ((submits.at(-1) ?? Number.NaN) - (submits[at] ?? Number.NaN))
      return { whole: msFrom(0), warm: msFrom(Math.floor(submits.length / 4)) }
    } finally {
      await targets.close()
    }
  }

  /** Rounds of its kernel that take 1 ms here; the pages of pairs need to be told. */
  async function calibrated(): Promise<string> {
    const targets = await openRecorder(adapter, browser, false)
    try {
      await recorded(targets, untilDone(`${pairs.url}index.html?calibrate`, adapter, null))
      return String(await targets.inPage('globalThis.result'))
    } finally {
      await targets.close()
    }
  }

  try {
    const isPair = (name: string): boolean => PAIRS.some(({ id }) => id === name)
    const perMs = names.some(isPair) ? await calibrated() : ''
    const urlOf = (name: string): string => {
      if (isPair(name)) return `${pairs.url}index.html?pair=${name}&rounds=${perMs}&variant=found`
      if (existsSync(join(PAGES_FOLDER, name, 'index.html'))) return `${libraries.url}${name}/index.html`
      throw new CommandError(`There is no ${join(PAGES_FOLDER, name)}, and no such pair.`)
    }
    const rows: string[][] = []
    for (const [name, url] of names.map((each) => [each, urlOf(each)] as const)) {
      const taken: { readonly with: Took; readonly without: Took }[] = []
      for (let round = 0; round < rounds; round += 1) {
        // Another one goes first in each round.
        const first = await take(url, round % 2 === 0)
        const second = await take(url, round % 2 === 1)
        taken.push(round % 2 === 0 ? { with: first, without: second } : { with: second, without: first })
      }
      const ratios = (of: (took: Took) => number) =>
        range(
          taken.map((each) => of(each.with) / of(each.without)),
          3,
        )
      const without = taken.map((each) => each.without.whole)
      const again = without.slice(1).map((ms, at) => ms / (without[at] ?? Number.NaN))
      rows.push([
        name,
        range(without, 1),
        ratios(({ whole }) => whole),
        ratios(({ warm }) => warm),
        range(again, 3),
      ])
      console.log(`${name}: ${JSON.stringify(taken)}`)
    }
    console.log(
      `Median, least and most of ${String(rounds)} rounds. ms: from the first submit to the last. Warm: without the first quarter of the submits. Again: without samples over the round before, which is chance.`,
    )
    const head = ['page', 'ms without samples', 'with over without', 'warm', 'again']
    console.log(textTable([head, ...rows], []))
    return 0
  } finally {
    await libraries.close()
    await pairs.close()
  }
}
