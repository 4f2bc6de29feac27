// The measured pairs hold what the replay promises. `npm run bench -- interventions` prints each.
import { describe, expect, it } from 'vitest'
import { median } from '../src/base/stats'
import { IS_LONG } from '../src/testing/long'
import { scorePages } from './interventions-pages'
import { isAsFarOffAsSaid, readRunPairs } from './interventions-runs'
import { isReplayed, readTruth, scoreLoop, type Scored } from './interventions-score'

/**
 * `npm test` tries every fourth pair: reads, dispatch, code, copies and pauses; `npm run test:long`
 * all.
 */
const EVERY = IS_LONG ? 1 : 4

const { loops } = await readTruth()
const tried = loops.filter((loop, index) => isReplayed(loop) && index % EVERY === 0)
const scored: Scored[] = []
for (const loop of tried) scored.push(await scoreLoop(loop))

describe(`pairs of training loops (${String(tried.length)} of ${String(loops.length)})`, () => {
  it.each(scored)('$loop.id: not every round was shorter than the bound', ({ isBeaten }) =>
    expect(isBeaten).toBe(false),
  )

  it('are predicted three times as well as by the guess that nothing is gained', () => {
    const ours = median(scored.map(({ error }) => error))
    expect(3 * ours).toBeLessThan(median(scored.map(({ noGainError }) => noGainError)))
    expect(ours).toBeLessThan(IS_LONG ? 0.02 : 0.05)
  })

  it('have their right cause first in three of four', () => {
    const right = scored.filter(({ isFirstRight }) => isFirstRight).length
    expect(right).toBeGreaterThanOrEqual(Math.floor(0.75 * scored.length))
  })
})

const { pages } = await scorePages()

describe('pairs of pages', () => {
  it.each(pages)('$id: not every round was shorter than the bound', ({ isBeaten }) =>
    expect(isBeaten).toBe(false),
  )

  it('are predicted three times as well as by the guess that nothing is gained', () => {
    const ours = median(pages.map(({ error }) => error))
    expect(3 * ours).toBeLessThan(median(pages.map(({ noGainError }) => noGainError)))
  })

  it('have their right cause first in four of five', () =>
    expect(pages.filter(({ isFirstRight }) => isFirstRight).length).toBeGreaterThanOrEqual(
      0.8 * pages.length,
    ))
})

const pairs = await readRunPairs()

describe('variants of recorded runs', () => {
  it.each(pairs)('$name: is as far off as RUN_ERROR says at most', (pair) => {
    expect(pair).toSatisfy(isAsFarOffAsSaid)
  })

  it('are predicted within 4 % of a repeat in the median, and within 12 % in nine of ten', () => {
    const errors = pairs.map(({ error }) => Math.abs(error)).sort((a, b) => a - b)
    expect(pairs.length).toBeGreaterThanOrEqual(20)
    expect(median(errors)).toBeLessThan(0.04)
    expect(errors[Math.floor(0.9 * errors.length)]).toBeLessThan(0.12)
  })

  it('never contradict a prediction that says how much is gained', () => {
    const outcomes = new Set(pairs.map(({ outcome }) => outcome))
    expect(outcomes).not.toContain('no-gain')
    expect(outcomes).not.toContain('slower')
  })
})
