/**
 * What recorder.js costs a page of frames: the host's time in the callbacks of requestAnimationFrame, with it and without. Each trial has a
 * page of its own, as a visitor has: engines compile calls that changed hands worse. A round gives one ratio; their median is judged.
 */
import { join } from 'node:path'
import { adapterFlags, type AdapterChoice } from '../cli/adapters.mjs'
import { bundleModule } from '../cli/bundle-module'
import { progressLine } from '../cli/progress-line'
import { ROOT } from '../cli/terminal.mjs'
import { formatFigure, textTable } from '../cli/text-table'
import { median, medianInterval, quantile } from '../src/base/stats'
import { decodeRun } from '../src/trace/codec'
import { loadAnew, openIsolatedPage, openOn } from './isolated-page'
import { mainThreads } from './main-thread'
import {
  DRAWS,
  FRAME_ARMS,
  FRAME_LOADS,
  TRIAL_FRAMES,
  WARM_UP_FRAMES,
  type FrameArm,
  type FrameLoad,
} from './recorder-arms'
import type { FrameBenchGlobal } from './recorder-frames-page'

/** At 60 Hz, ms. */
const FRAME_MS = 1000 / 60
/** Of a frame, what the page's main thread runs more. */
const SHARE_AIM = 0.03
const MISSED = 'missed'

/** ms of a frame: in its callback, the lower quartile, since what else the machine does only adds; what the page's main thread ran for one, the recorder's answers too. */
interface Trial {
  readonly hostMs: number
  readonly cpuMs: number
}
type Trials = Readonly<Record<FrameArm, Trial>>

/** @throws Error where the recorder has not seen each draw: its cost would be that of something else */
async function checkDraws(recording: string): Promise<void> {
  const run = await decodeRun(Buffer.from(recording, 'base64'))
  if (!run.ok) throw new Error(run.error.message)
  const { value = [] } = run.value.trace.counters.find(({ name }) => name === 'draws') ?? {}
  let seen = 0
  for (const each of value) seen += each
  const drawn = DRAWS * (WARM_UP_FRAMES + TRIAL_FRAMES)
  if (seen !== drawn) throw new Error(`The recorder counted ${String(seen)} draws of ${String(drawn)}.`)
}

async function openPages(adapter: 'gpu' | 'software', script: string) {
  const { browser, page } = await openIsolatedPage(adapterFlags(adapter), script)
  const trial = async (arm: FrameArm, load: FrameLoad): Promise<Trial & { readonly adapterName: string }> => {
    await loadAnew(page, script)
    const adapterName = await page.evaluate(
      ([under, drawn]) => (globalThis as FrameBenchGlobal).frameBench.prepare(under, drawn),
      [arm, load] as const,
    )
    const ranUs = await mainThreads(browser)
    const before = ranUs()
    const times = await page.evaluate((drawn) => (globalThis as FrameBenchGlobal).frameBench.run(drawn), load)
    const cpuMs = (ranUs() - before) / 1e3 / TRIAL_FRAMES
    const recording = await page.evaluate(
      (under) => (globalThis as FrameBenchGlobal).frameBench.finish(under),
      arm,
    )
    if (recording !== null) await checkDraws(recording)
    return { hostMs: quantile(times, 0.25), cpuMs, adapterName }
  }
  try {
    const { adapterName } = await trial('bare', 'draws')
    return { browser, trial, adapterName }
  } catch (thrown) {
    await browser.close()
    throw thrown
  }
}

export async function benchFrames(choice: AdapterChoice, rounds: number): Promise<number> {
  const script = await bundleModule(join(ROOT, 'bench', 'recorder-frames-page.ts'))
  const { browser, trial, adapterName } = await openOn(choice, (adapter) => openPages(adapter, script))
  const line = progressLine()
  try {
    const results = new Map<FrameLoad, Trials[]>(FRAME_LOADS.map((load) => [load, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [index, load] of FRAME_LOADS.entries()) {
        line.show(
          (round + index / FRAME_LOADS.length) / rounds,
          `round ${String(round + 1)} of ${String(rounds)}, ${load}`,
        )
        const trials: Partial<Record<FrameArm, Trial>> = {}
        // Another arm goes first in each round.
        for (const at of FRAME_ARMS.keys()) {
          const arm = FRAME_ARMS[(at + round) % FRAME_ARMS.length] ?? 'bare'
          trials[arm] = await trial(arm, load)
        }
        results.get(load)?.push(trials as Trials) // every arm was run
      }
    line.end()
    return print(results, adapterName)
  } finally {
    line.end()
    await browser.close()
  }
}

const percent = (share: number): string => (100 * share).toFixed(2)

function rowOf(arm: FrameArm, trials: readonly Trials[]): string[] {
  const ratio = medianInterval(trials.map(({ bare, [arm]: under }) => under.hostMs / bare.hostMs))
  const host = medianInterval(trials.map(({ bare, [arm]: under }) => under.hostMs - bare.hostMs))
  const share = medianInterval(trials.map(({ bare, [arm]: under }) => (under.cpuMs - bare.cpuMs) / FRAME_MS))
  // Missed only where the whole interval lies above: noise on a busy machine is no finding.
  const judgement =
    share.high <= SHARE_AIM
      ? 'met'
      : share.low > SHARE_AIM
        ? MISSED
        : 'undecided: take more --rounds on a quiet machine'
  return [
    arm,
    ratio.median.toFixed(3),
    `${ratio.low.toFixed(3)} … ${ratio.high.toFixed(3)}`,
    formatFigure(host.median * 1e3),
    `${percent(share.median)} (${percent(share.low)} … ${percent(share.high)})`,
    // Timestamps are reported apart.
    arm === 'recorded' ? judgement : '',
  ]
}

function print(results: ReadonlyMap<FrameLoad, readonly Trials[]>, adapterName: string): number {
  const rows = [...results].flatMap(([load, trials]) => {
    const bare = (value: (trial: Trial) => number): string =>
      formatFigure(median(trials.map((each) => value(each.bare))) * 1e3)
    return [
      [
        `${load}: ${bare(({ hostMs }) => hostMs)} µs, CPU ${bare(({ cpuMs }) => cpuMs)} µs`,
        ...Array.from({ length: 5 }, () => ''),
      ],
      ...FRAME_ARMS.slice(1).map((arm) => rowOf(arm, trials)),
    ]
  })
  console.log(
    `Callbacks of ${String(DRAWS)} draws against bare ones on ${adapterName}, lower quartiles of ${String(TRIAL_FRAMES)} frames; CPU is the` +
      ` main thread's, answers too (aim without timestamps: ${String(SHARE_AIM * 100)} % of a frame at 60 Hz).`,
  )
  console.log(
    textTable([['arm', 'callback', 'interval', '+µs', 'CPU + % of a frame', 'aim'], ...rows], [1, 2, 3, 4]),
  )
  return rows.some((row) => row.at(-1) === MISSED) ? 1 : 0
}
