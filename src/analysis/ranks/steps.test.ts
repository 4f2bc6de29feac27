/**
 * Tests which collectives are a step, and how late a rank is in it: eight steps of four
 * collectives, in each of which rank 1 comes late.
 */
import { describe, expect, it } from 'vitest'
import { placeTrace } from '../../trace/place'
import { findBands } from '../../timeline/lod/bands'
import { analyseRanks } from '.'
import { ALL_REDUCE, madeUpRanks, type MadeUp } from './testing/made-up-ranks'

const LATE_US = 3800
const STEPS = Array.from({ length: 8 }, (_, step) => step)
const late: MadeUp = {
  ranks: 2,
  // No two alike, as steps are.
  stepsUs: STEPS.map((step) => 9000 + 137 * ((5 * step) % 8)),
  collectives: [ALL_REDUCE, ALL_REDUCE, ALL_REDUCE, ALL_REDUCE],
  transferUs: 300,
  laterUs: (rank, step) => (rank === 1 ? 20 + 5 * (step % 3) : 0),
  launchedLaterUs: (rank) => (rank === 1 ? LATE_US : 0),
  leavesUs: (rank, index) => (7 * rank + 3 * index) % 3,
  offsetUs: (rank) => 1234 * rank,
}
const lateOf = async (made: MadeUp) => analyseRanks(await madeUpRanks(made))
const isAbout = (us: number | null | undefined, expected: number) => {
  expect(us).toBeGreaterThan(expected)
  expect(us).toBeLessThan(1.03 * expected)
}

describe('steps of ranks', () => {
  it('are ProfilerStep, by its numbers', async () => {
    const { late: found, verdict } = await lateOf({ ...late, firstStep: 12 })
    expect(found).toMatchObject({ rank: 1, steps: STEPS.map((step) => step + 12), cause: 'host-code' })
    isAbout(found?.medianUs, LATE_US)
    isAbout(found?.totalUs, 8 * LATE_US)
    expect(verdict.sentence).toMatch(
      /^Rank 1 is late by 3\.8\d ms a step \(median\), 30\.\d ms in all, in steps 12 to 19, and the other waits for it: the host ran the program’s own code and had launched nothing\.$/,
    )
  })

  it.each([(step: number) => `step ${String(step)}`, (step: number) => `train_iter_${String(step)}`])(
    'are else the file’s own ranges, by their numbers',
    async (stepName) => {
      const { late: found } = await lateOf({ ...late, firstStep: 100, stepName })
      expect(found).toMatchObject({ rank: 1, steps: STEPS.map((step) => step + 100) })
      isAbout(found?.medianUs, LATE_US)
    },
  )

  it('are not ranges that stand once a layer, or whose numbers begin anew', async () => {
    const { late: found } = await lateOf({
      ...late,
      firstStep: 0,
      stepName: (step) => `layer ${String(step)}`,
    })
    const again = await lateOf({ ...late, firstStep: 0, stepName: (step) => `batch ${String(step % 2)}` })
    // The period of the collectives says the same of both.
    expect(found?.steps).toEqual(STEPS)
    expect(again.late?.steps).toEqual(STEPS)
  })

  it('are else the period of collectives that are all alike', async () => {
    const { late: found } = await lateOf(late)
    expect(found).toMatchObject({ rank: 1, steps: STEPS })
    isAbout(found?.medianUs, LATE_US)
    isAbout(found?.totalUs, 8 * LATE_US)
  })

  it('begin where the collectives pause, in a profile that begins in the middle of one too', async () => {
    const { late: found } = await lateOf({ ...late, missing: () => [2, 1] })
    // The file holds only the last two collectives of the first step, in which no rank is late.
    expect(found?.steps).toEqual(STEPS.slice(1))
    isAbout(found?.medianUs, LATE_US)
  })

  it('sum up what the others waited in each collective', async () => {
    // A quarter of it before each of the four.
    const quarters: MadeUp = {
      ...late,
      stepsUs: STEPS.flatMap((step) => [9000 + 137 * step, 400, 400, 400]),
      collectives: [ALL_REDUCE],
      launchedLaterUs: (rank) => (rank === 1 ? LATE_US / 4 : 0),
      laterUs: () => 0,
    }
    const { late: found } = await lateOf(quarters)
    expect(found).toMatchObject({ rank: 1, steps: STEPS })
    isAbout(found?.medianUs, 0.999 * LATE_US)
  })

  it('are none where neither files nor collectives show them', async () => {
    const { late: found, verdict } = await lateOf({ ...late, collectives: [ALL_REDUCE] })
    expect(found).toMatchObject({ rank: 1, steps: null, medianUs: null })
    isAbout(found?.totalUs, 8 * LATE_US)
    expect(verdict.sentence).toMatch(/^Rank 1 is late by 30\.\d ms in 8 of 8 collectives together/)
  })

  it('say what the host of the late rank did then', async () => {
    const does = (rank: number) => (rank === 1 ? 'aten::avg_pool2d' : null)
    const { verdict } = await lateOf({ ...late, firstStep: 0, does })
    expect(verdict.doing).toBe('It is mostly in aten::avg_pool2d.')
  })
})

describe('the bands of several ranks’ steps', () => {
  it('are one a step, from its first rank’s begin, and none into the next', async () => {
    const { joined } = await lateOf({ ...late, firstStep: 3 })
    if (!joined) throw new Error('nothing was joined')
    const bands = findBands(placeTrace(joined))
    expect(bands.map(({ variant }) => variant)).toEqual(
      STEPS.map((step) => `ProfilerStep#${String(step + 3)}`),
    )
    for (const [index, { startNs, endNs }] of bands.entries()) {
      expect(endNs).toBeGreaterThan(startNs)
      expect(bands[index + 1]?.startNs ?? Infinity).toBeGreaterThanOrEqual(endNs)
    }
  })
})
