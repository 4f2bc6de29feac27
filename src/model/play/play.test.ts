/**
 * The picture says what the program does on the model: round numbers, so that the right values can
 * be worked out beside it.
 */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startOf, type Play, type Values } from './play'
import { playOf } from '../../lessons/plays'
import { runPlay } from './run-play'

const of = (lesson: string): Play => {
  const play = playOf(lesson)
  if (!play) throw new Error(`${lesson} has no play`)
  return play
}
const seen = async (lesson: string, values: Values = {}) => {
  const play = of(lesson)
  return await runPlay(play, { ...startOf(play), ...values })
}

/** All handles at one end or the other. */
const corners = ({ handles }: Play): readonly Values[] =>
  Object.entries(handles).reduce<readonly Values[]>(
    (all, [id, { stops }]) =>
      all.flatMap((values) => [stops[0], stops.at(-1)].map((stop = 0) => ({ ...values, [id]: stop }))),
    [{}],
  )

const lessons = readdirSync(new URL('../../lessons', import.meta.url)).filter((name) => playOf(name) !== null)

it('eleven lessons have one', () => expect(lessons).toHaveLength(11))

describe.each(lessons)('%s', (lesson) => {
  const play = of(lesson)

  it('has two or three handles, each at one of its stops', () => {
    const handles = Object.values(play.handles)
    expect([2, 3]).toContain(handles.length)
    for (const { stops, start } of handles) {
      expect(stops).toContain(start)
      expect(stops).toEqual(stops.toSorted((one, other) => one - other))
    }
  })
  it('has a step at least in the picture wherever its handles stand, and three at first', async () => {
    for (const values of corners(play)) {
      const { steps, stepNs, windowNs, computes } = await seen(lesson, values)
      expect(stepNs).toBeGreaterThan(0)
      expect(stepNs).toBeLessThanOrEqual(windowNs)
      expect(steps.length).toBeGreaterThan(0)
      expect(computes).toBeGreaterThanOrEqual(0)
      expect(computes).toBeLessThanOrEqual(1)
    }
    expect((await seen(lesson)).steps.length).toBeGreaterThanOrEqual(3)
  })
  it('says something else for each of its handles', async () => {
    const start = startOf(play)
    const said = async (values: Values) => play.says({ ...start, ...values }, await seen(lesson, values))
    expect(await said({})).not.toMatch(/NaN|Infinity/)
    for (const [id, { stops }] of Object.entries(play.handles)) {
      const ends = [await said({ [id]: stops[0] ?? 0 }), await said({ [id]: stops.at(-1) ?? 0 })]
      expect(ends[0], id).not.toBe(ends[1])
    }
  })
})

it('is the same, to the nanosecond, each time', async () =>
  expect(await seen('sync-stalls')).toEqual(await seen('sync-stalls')))

it('takes turns with a read in every step, and the longer of the two without', async () => {
  for (const [hostMs, kernelMs] of [
    [0.5, 1.5],
    [1.5, 1.5],
    [3, 0.5],
  ] as const) {
    const every = await seen('sync-stalls', { hostMs, kernelMs, every: 1 })
    const never = await seen('sync-stalls', { hostMs, kernelMs, every: 100 })
    expect(every.stepNs / 1e6 / (hostMs + kernelMs)).toBeCloseTo(1.05, 1)
    expect(never.stepNs / 1e6 / Math.max(hostMs, kernelMs)).toBeCloseTo(1, 1)
  }
})

it('computes for more of the time with fewer reads', async () => {
  const shares: number[] = []
  for (const every of [1, 2, 4, 100]) shares.push((await seen('sync-stalls', { every })).computes)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
})

it('one after the other: filling, carrying and computing add up', async () => {
  const { stepNs } = await seen('overlapped-uploads', { kernelMs: 2, mib: 8, link: 4 })
  const bytes = 8 * 2 ** 20
  const parts = bytes / 10 + bytes / 4 + 2e6
  expect(stepNs).toBeGreaterThan(parts)
  expect(stepNs).toBeLessThan(parts + 0.4e6)
})

it('a ring goes at the pace of the slower of the two', async () => {
  const { stepNs } = await seen('staging-buffers', { fill: 2, carry: 16, depth: 4 })
  expect(stepNs / ((4 * 2 ** 20) / 2)).toBeCloseTo(1, 1)
})

it('a pipeline on ranks is idle as the formula says, and for more where messages cost something', async () => {
  for (const ranks of [2, 3, 5])
    for (const microBatches of [1, 3, 16]) {
      const formula = (ranks - 1) / (microBatches + ranks - 1)
      const of = (alphaMs: number) => seen('pipeline-bubble', { ranks, microBatches, alphaMs })
      expect(1 - (await of(0)).computes).toBeCloseTo(formula, 9)
      expect(1 - (await of(0.2)).computes).toBeGreaterThan(formula)
    }
  const stepsOf = async (alphaMs: number) =>
    Promise.all(
      [1, 4, 32].map(
        async (microBatches) => (await seen('pipeline-bubble', { ranks: 3, microBatches, alphaMs })).stepNs,
      ),
    )
  const [[one = 0, few = 0, many = 0], [, fewDear = 0, manyDear = 0]] = [await stepsOf(0), await stepsOf(0.2)]
  expect(one).toBeGreaterThan(few)
  expect(few).toBeGreaterThan(many)
  expect(manyDear).toBeGreaterThan(fewDear)
})

it('workers of a loader keep the device as busy as the two times say, wherever the handles stand', async () => {
  const { makingMs: making, kernelMs: kernel, workers: counts } = of('starved-by-the-loader').handles
  // Both ends among them.
  const some = (stops: readonly number[] = []) =>
    stops.filter((_, index) => index % 5 === 0 || index === stops.length - 1)
  for (const makingMs of some(making?.stops))
    for (const kernelMs of some(kernel?.stops))
      for (const workers of counts?.stops ?? []) {
        const at = `${String(makingMs)} ms, ${String(kernelMs)} ms, ${String(workers)} workers`
        const { computes, stepNs } = await seen('starved-by-the-loader', { makingMs, kernelMs, workers })
        const arithmetic = Math.min(1, (workers * kernelMs) / makingMs)
        // Between two kernels the device takes a moment of its own.
        expect(computes, at).toBeLessThan(arithmetic + 0.005)
        expect(computes, at).toBeGreaterThan(arithmetic - 0.02)
        expect(stepNs / 1e6 / Math.max(kernelMs, makingMs / workers), at).toBeCloseTo(1, 1)
      }
})

it('batches of workers that are behind come in bursts, in order', async () => {
  const { workers, passes, waits } = await seen('starved-by-the-loader', {
    makingMs: 6,
    kernelMs: 0.6,
    workers: 3,
  })
  expect(workers.map(({ length }) => length)).toEqual([3, 3, 3])
  for (const [batch, { startNs }] of passes.entries()) {
    const made = workers[batch % 3]?.[Math.floor(batch / 3)]
    expect(startNs, String(batch)).toBeGreaterThan(made?.endNs ?? Infinity)
  }
  const gaps = passes.slice(1).map(({ startNs }, index) => startNs - (passes[index]?.endNs ?? 0))
  expect(gaps.map((gap) => gap > 1e6)).toEqual([false, false, true, false, false])
  // The third is cut by the picture's end.
  expect(waits.filter(({ startNs, endNs }) => endNs - startNs > 1.5e6)).toHaveLength(3)
})

it('does not begin at its lesson’s answer, and most never show it', () => {
  const stops = (lesson: string, id: string) => of(lesson).handles[id]?.stops ?? []
  const { hostMs, kernelMs } = startOf(of('sync-stalls'))
  expect(hostMs).not.toBe(kernelMs)
  expect(Math.max(...stops('command-queue', 'kernels'))).toBeLessThan(64)
  expect(Math.max(...stops('tensor-residence', 'mib'))).toBeLessThan(8)
  expect(Math.min(...stops('transfer-cost', 'mib'))).toBeGreaterThan(4 / 1024)
  expect(Math.max(...stops('transfer-cost', 'mib'))).toBeLessThan(64)
  expect(Math.max(...stops('streams-and-events', 'results'))).toBeLessThan(8)
  expect(stops('pipeline-bubble', 'ranks')).not.toContain(4)
  const [least, longest] = [
    Math.min(...stops('starved-by-the-loader', 'makingMs')),
    Math.max(...stops('starved-by-the-loader', 'kernelMs')),
  ]
  expect(least / longest).toBeGreaterThan(2)
})
