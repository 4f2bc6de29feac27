/**
 * This bench measures what the recorder costs the program it records: the same program in plain
 * WebGPU runs with and without a session, in one page, taken in turn so that a machine that warms
 * up or slows down does so for both. A round gives one figure; what is judged is their median.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { AdapterChoice } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { chooseAdapter } from '../cli/choose-adapter'
import { progressLine } from '../cli/progress-line'
import { ROOT } from '../cli/terminal.mjs'
import { formatFigure, textTable } from '../cli/text-table'
import { median, medianInterval } from '../src/base/stats'
import { bundleModule } from '../vite/bundle-module'
import type { recorderArguments } from './arguments'
import { callsOf } from './call-page'
import { launch } from './launch'
import type { Kernel, RecorderBench, RecorderBenchGlobal, Waiting } from './recorder-page'

/**
 * Who records what. 'stamps alone': the program itself takes the two timestamps a pass that no
 * recorder can do without. 'page': by recorder.js.
 */
const ARMS = ['bare', 'stamps alone', 'recorded', 'page'] as const
export type Arm = (typeof ARMS)[number]

/** Of the recorded program's time to the bare one's, for kernels of about so many ms. */
const RATIO_AIM = 1.02
const SIZED_MS = 0.3
/** What a submission may cost more, for a kernel of next to no length. */
const EXTRA_AIM_US = 4
const MISSED = 'missed'

/**
 * A trial has so many submissions that the last wait is 1 % of it at most: the wait ends when the
 * browser looks for completion, each ms. It has no more passes than one query set has room for.
 */
const CELLS = [
  { kernel: 'sized', waiting: 'queued', submits: 900 },
  { kernel: 'sized', waiting: 'awaited', submits: 200 },
  { kernel: 'short', waiting: 'queued', submits: 1900 },
  { kernel: 'short', waiting: 'awaited', submits: 400 },
] as const satisfies readonly {
  readonly kernel: Kernel
  readonly waiting: Waiting
  readonly submits: number
}[]
type Cell = (typeof CELLS)[number]

/** ms of one submission. */
interface Trial {
  readonly ms: number
  /** What the page's main thread ran for it, its answer too; NaN where the system does not say. */
  readonly cpuMs: number
}
/** A round's trials. */
type Trials = Readonly<Record<Arm, Trial>>

/**
 * An empty page with the bench's script in it, isolated: its clock then steps by 5 µs. Served to
 * this browser alone, which the caller closes.
 */
async function openPage(choice: AdapterChoice, script: string) {
  const browser = await launch(await chooseAdapter(choice, await ensureBrowser()))
  try {
    const page = await browser.newPage()
    await page.route('https://bench.invalid/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        },
        body: '<!doctype html><title>Bench</title><link rel="icon" href="data:,">',
      }),
    )
    await page.goto('https://bench.invalid/')
    await page.addScriptTag({ content: script, type: 'module' })
    await page.waitForFunction(() => 'recorderBench' in globalThis)
    const about = await page.evaluate(async () => {
      const { adapterName, hasTimestamps } = await (globalThis as RecorderBenchGlobal).recorderBench
      return { adapterName, hasTimestamps, isolated: crossOriginIsolated }
    })
    return { browser, page, about }
  } catch (thrown) {
    await browser.close()
    throw thrown
  }
}

/**
 * Pages use a processor, and wait for one: on a busy machine the time on the clock is mostly of
 * other programs.
 * @returns what reads the time that the main threads of all pages have run, µs; NaN where the
 * system is not Linux
 */
async function mainThreads(browser: Browser): Promise<() => number> {
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

export async function benchRecorder({
  adapter: choice,
  rounds,
}: ReturnType<typeof recorderArguments>): Promise<number> {
  const script = await bundleModule(join(ROOT, 'bench', 'recorder-page.ts'))
  const { browser, page, about } = await openPage(choice, script)
  const ask = callsOf<RecorderBench>(page, 'recorderBench')
  const line = progressLine()
  try {
    await ask('size', SIZED_MS)
    const ranUs = await mainThreads(browser)
    const trial = async ({ kernel, waiting, submits }: Cell, arm: Arm): Promise<Trial> => {
      await ask('prepare', kernel, waiting, arm)
      const before = ranUs()
      const ms = await ask('run', kernel, waiting, arm, submits)
      const cpuMs = (ranUs() - before) / 1e3 / submits
      await ask('finish', arm)
      return { ms, cpuMs }
    }
    const results = new Map<Cell, Trials[]>(CELLS.map((cell) => [cell, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [index, cell] of CELLS.entries()) {
        line.show(
          (round + index / CELLS.length) / rounds,
          `round ${String(round + 1)} of ${String(rounds)}, ${cell.kernel} ${cell.waiting}`,
        )
        const trials: Partial<Record<Arm, Trial>> = {}
        // Another arm goes first in each round.
        for (const at of ARMS.keys()) {
          const arm = ARMS[(at + round) % ARMS.length] ?? 'bare'
          trials[arm] = await trial(cell, arm)
        }
        results.get(cell)?.push(trials as Trials) // every arm was run
      }
    line.end()
    return print(results, about)
  } finally {
    line.end()
    await browser.close()
  }
}

/** What an arm's trials cost beside the bare ones of the same rounds. */
function rowOf({ kernel }: Cell, arm: Arm, trials: readonly Trials[]): string[] {
  const isRatio = kernel === 'sized'
  const aim = isRatio ? RATIO_AIM : EXTRA_AIM_US
  const {
    median: middle,
    low,
    high,
  } = medianInterval(trials.map(({ bare, [arm]: { ms } }) => (isRatio ? ms / bare.ms : (ms - bare.ms) * 1e3)))
  // Missed only where the whole interval lies above: noise on a busy machine is no finding.
  const judgement =
    high <= aim ? 'met' : low > aim ? MISSED : 'undecided: take more --rounds on a quiet machine'
  return [
    arm,
    isRatio ? 'ratio' : 'extra µs',
    formatFigure(middle),
    `${formatFigure(low)} … ${formatFigure(high)}`,
    formatFigure(median(trials.map((each) => (each[arm].cpuMs - each.bare.cpuMs) * 1e3))),
    // The aim is for a recording as the lab makes it; the others show where its cost lies.
    arm === 'recorded' ? judgement : '',
  ]
}

function print(
  results: ReadonlyMap<Cell, readonly Trials[]>,
  { adapterName, hasTimestamps, isolated }: Awaited<ReturnType<typeof openPage>>['about'],
): number {
  const rows = [...results].flatMap(([cell, trials]) => {
    const bareUs = median(trials.map(({ bare }) => bare.ms)) * 1e3
    return [
      [`${cell.kernel}, ${cell.waiting}: ${formatFigure(bareUs)} µs`, '', '', '', '', ''],
      ...ARMS.slice(1).map((arm) => rowOf(cell, arm, trials)),
    ]
  })
  console.log(
    `Time of a submission against the bare one on ${adapterName}` +
      ` (aim: ratio ≤ ${String(RATIO_AIM)} for kernels of about ${String(SIZED_MS)} ms, extra ≤ ${String(EXTRA_AIM_US)} µs for short ones).`,
  )
  if (!hasTimestamps) console.log('This adapter has no timestamps: none are taken.')
  if (!isolated) console.log('The page is not isolated: its clock steps by 100 µs.')
  console.log(textTable([['arm', 'figure', 'median', 'interval', 'CPU +µs', 'aim'], ...rows], [2, 3, 4]))
  return rows.some((row) => row.at(-1) === MISSED) ? 1 : 0
}
