/**
 * What the recorder costs the program it records: the same program in plain WebGPU with and without a session, in one page, taken in
 * turn so that a machine that warms up or slows down does so for both. A round gives one figure; what is judged is their median.
 */
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { adapterFlags, type AdapterChoice } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { progressLine } from '../cli/progress-line'
import { CommandError, ROOT } from '../cli/terminal.mjs'
import { formatFigure, textTable } from '../cli/text-table'
import { medianInterval } from '../src/base/stats'
import type { Kernel, RecorderBenchGlobal, Waiting } from './recorder-page'

/** Of the recorded program's time to the bare one's, for kernels of about so many ms. */
const RATIO_AIM = 1.02
const SIZED_MS = 0.3
/** What a submission may cost more, for a kernel of next to no length. */
const EXTRA_AIM_US = 4
const SUBMITS = 200
const MISSED = 'missed'

const CELLS = [
  { kernel: 'sized', waiting: 'queued' },
  { kernel: 'sized', waiting: 'awaited' },
  { kernel: 'short', waiting: 'queued' },
  { kernel: 'short', waiting: 'awaited' },
] as const satisfies readonly { readonly kernel: Kernel; readonly waiting: Waiting }[]
type Cell = (typeof CELLS)[number]

interface Pair {
  readonly bareMs: number
  readonly recordedMs: number
}

async function bundlePage(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: join(ROOT, 'bench', 'recorder-page.ts'), formats: ['es'] },
    },
  })
  const outputs = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
  const chunk = outputs.find((one) => one.type === 'chunk')
  if (!chunk) throw new CommandError('The bench’s page could not be built.')
  return chunk.code
}

/** An empty page with the bench in it, isolated: its clock then steps by 5 µs. It is served to this browser alone. */
async function openPage(adapter: 'gpu' | 'software', script: string) {
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: [...adapterFlags(adapter)],
  })
  try {
    const page = await browser.newPage()
    await page.route('https://bench.invalid/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        },
        body: '<!doctype html><title>Recorder bench</title><link rel="icon" href="data:,">',
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

export async function benchRecorder(choice: AdapterChoice, rounds: number): Promise<number> {
  const script = await bundlePage()
  const adapter = choice === 'auto' ? 'gpu' : choice
  const { browser, page, about } = await openPage(adapter, script).catch(async (thrown: unknown) => {
    if (choice === 'auto') return await openPage('software', script)
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown))
  })
  const line = progressLine()
  try {
    await page.evaluate(
      async (ms) => (await (globalThis as RecorderBenchGlobal).recorderBench).size(ms),
      SIZED_MS,
    )
    const trial = ({ kernel, waiting }: Cell, recorded: boolean): Promise<number> =>
      page.evaluate(
        async ([one, wait, on, count]) =>
          (await (globalThis as RecorderBenchGlobal).recorderBench).trial(one, wait, on, count),
        [kernel, waiting, recorded, SUBMITS] as const,
      )
    const pairs = new Map<Cell, Pair[]>(CELLS.map((cell) => [cell, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [index, cell] of CELLS.entries()) {
        line.show(
          (round + index / CELLS.length) / rounds,
          `round ${String(round + 1)} of ${String(rounds)}, ${cell.kernel} ${cell.waiting}`,
        )
        // Another arm goes first in each round.
        const first = await trial(cell, round % 2 === 0)
        const second = await trial(cell, round % 2 !== 0)
        const [recordedMs, bareMs] = round % 2 === 0 ? [first, second] : [second, first]
        pairs.get(cell)?.push({ bareMs, recordedMs })
      }
    line.end()
    return print(pairs, about)
  } finally {
    line.end()
    await browser.close()
  }
}

function print(
  pairs: ReadonlyMap<Cell, readonly Pair[]>,
  {
    adapterName,
    hasTimestamps,
    isolated,
  }: { adapterName: string; hasTimestamps: boolean; isolated: boolean },
): number {
  const rows = [...pairs].map(([{ kernel, waiting }, results]) => {
    const isRatio = kernel === 'sized'
    const aim = isRatio ? RATIO_AIM : EXTRA_AIM_US
    const { median, low, high } = medianInterval(
      results.map(({ bareMs, recordedMs }) => (isRatio ? recordedMs / bareMs : (recordedMs - bareMs) * 1e3)),
    )
    // Missed only where the whole interval lies above: noise on a busy machine is no finding.
    const isMissed = low > aim
    const bare = medianInterval(results.map(({ bareMs }) => bareMs)).median
    return [
      `${kernel} kernel, ${waiting}`,
      `${formatFigure(bare * 1e3)} µs`,
      isRatio ? 'ratio' : 'extra µs',
      formatFigure(median),
      `${formatFigure(low)} … ${formatFigure(high)}`,
      String(results.length),
      high <= aim ? 'met' : isMissed ? MISSED : 'undecided: take more --rounds on a quiet machine',
    ]
  })
  console.log(
    `Time of a submission under the recorder against the bare one, ${String(SUBMITS)} a trial, on ${adapterName}` +
      ` (aim: ratio ≤ ${String(RATIO_AIM)} for kernels of about ${String(SIZED_MS)} ms, extra ≤ ${String(EXTRA_AIM_US)} µs for short ones)`,
  )
  if (!hasTimestamps) console.log('This adapter has no timestamps: none are taken.')
  if (!isolated) console.log('The page is not isolated: its clock steps by 100 µs.')
  console.log(
    textTable([['program', 'bare', 'figure', 'median', 'interval', 'rounds', 'aim'], ...rows], [1, 3, 4, 5]),
  )
  return rows.some((row) => row.at(-1) === MISSED) ? 1 : 0
}
