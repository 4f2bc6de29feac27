/**
 * Measures one frame while a reader drags a block of a step of 20,000 events: the replay and its
 * picture.
 */
import { orderStatistic } from '../src/base/stats'
import { Trial } from '../src/analysis/replay/trial'
import { diagnosed, simulate } from '../src/analysis/testing/training-loop'
import { openTraceFile } from '../src/trace/formats/import/open-trace'
import type { Cause } from '../src/analysis/replay/causes'

/**
 * A frame has 16.7 ms; the browser takes the rest. CPU time, which a busy machine hardly lengthens.
 */
const AIM_MS = 12
const FRAMES = 120

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** True: met. */
export async function benchFrames(): Promise<boolean> {
  const { file } = simulate({
    steps: 4,
    kernels: 6_600,
    kernelUs: 20,
    launchUs: 12,
    read: true,
    loaderUs: 3_000,
    functions: { augment: 20_000, log: 10_000 },
  })
  const opened = await openTraceFile(file.bytes())
  if (!opened.ok) throw new Error(opened.error.message)
  const { trace } = opened.value
  const { replayed } = diagnosed(trace)
  const trial = new Trial(replayed.replay, trace.spans.kind)
  const block = trial.blocks.findIndex(({ name }) => name === 'augment')
  const events = trace.spans.length / 4
  const frames = (causes: readonly Cause[]): readonly number[] =>
    Array.from({ length: FRAMES }, (_, at) => {
      const began = cpuMs()
      trial.tried(causes, new Map([[block, 1 - at / FRAMES]]))
      return cpuMs() - began
    }).slice(FRAMES / 4)
  let isMet = true
  for (const causes of [[], ['read-back', 'data-loading']] as const) {
    const ms = frames(causes)
    const usual = orderStatistic(ms, 0.5, 0)
    if (usual > AIM_MS) isMet = false
    console.log(
      `A block dragged in a step of ${String(Math.round(events))} events${causes.length > 0 ? `, without ${causes.join(' and ')}` : ''}: ${usual.toFixed(1)} ms a frame (aim: at most ${String(AIM_MS)}).`,
    )
  }
  return isMet
}
