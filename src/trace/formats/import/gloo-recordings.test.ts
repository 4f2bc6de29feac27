/**
 * The recorded profiles of ranks on a CPU (public/recordings/README.md): what torch.profiler writes
 * where there is no device, and which rank came last. Gloo's ranges lie on its own threads and
 * begin when a thread is free; a rank comes when its main thread calls.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { median } from '../../../base/stats'
import { opened, rows } from './testing/read-back'

const STEPS = 5
const MATRICES = 4

async function rankOf(variant: string, rank: number) {
  const file = `public/recordings/cpu/torch-gloo-cpu-${variant}-rank${String(rank)}.json.gz`
  const { trace, format } = await opened(readFileSync(file))
  const all = rows(trace).map((row) => ({
    ...row,
    name: row.name ?? '',
    // One host: both ranks are on its clock, each file from a zero of its own.
    startMs: trace.clocks[0] ? trace.clocks[0].originMs + row.start / 1e6 : Number.NaN,
  }))
  return { format, all, calls: all.filter(({ name }) => name === 'c10d::allreduce_') }
}

async function latenessMs(variant: string): Promise<readonly number[]> {
  const [first, second] = [await rankOf(variant, 0), await rankOf(variant, 1)]
  return first.calls.map(({ startMs }, index) => (second.calls[index]?.startMs ?? Number.NaN) - startMs)
}

describe.each(['late-rank', 'in-step'])('%s', (variant) => {
  it.each([0, 1])('rank %i has its steps, and as many collectives in each', async (rank) => {
    const { format, all, calls } = await rankOf(variant, rank)
    expect(format).toBe('torch-profiler')
    expect(all.filter(({ kind }) => kind === 'window')).toHaveLength(STEPS)
    expect(all.filter(({ name }) => name === 'gloo:all_reduce')).toHaveLength(STEPS * MATRICES)
    const steps = [...new Set(calls.map(({ step }) => step))]
    expect(steps.every((step) => step !== undefined && step >= 0)).toBe(true)
    expect(steps.map((step) => calls.filter((call) => call.step === step).length)).toEqual(
      Array<number>(STEPS).fill(MATRICES),
    )
  })
})

describe('the late rank', () => {
  it('comes last to every all-reduce, after the line at fault', async () => {
    const late = await latenessMs('late-rank')
    expect(late.every((ms) => ms > 0)).toBe(true)
    const shrinks = (rank: number) =>
      rankOf('late-rank', rank).then(({ all }) => all.filter(({ name }) => name.endsWith(' shrink')))
    expect(await shrinks(0)).toEqual([])
    const own = await shrinks(1)
    expect(own).toHaveLength(STEPS)
    // Most of what it does longer is what the other waits.
    expect(median(late)).toBeGreaterThan(median(own.map(({ start, end }) => (end - start) / 1e6)) / 2)
  })

  it('is none of the two that are in step', async () => {
    const last = (await latenessMs('in-step')).filter((ms) => ms > 0).length
    expect(last).toBeGreaterThan(0.4 * STEPS * MATRICES)
    expect(last).toBeLessThan(0.6 * STEPS * MATRICES)
  })
})
