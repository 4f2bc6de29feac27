import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FAKE_FLOPS, fakeBench, fakeCandidate, type FakeRun } from './testing/fake-bench'
import { chooseEntry } from './trial'
import { runTrials } from './trials'

const ENOUGH = { budgetMs: 1e6, atOnce: 3 }

/** Candidates in the order given, simplest first. */
async function tune(runs: Readonly<Record<string, FakeRun>>, options = ENOUGH) {
  const candidates = Object.keys(runs).map((label, rank) => fakeCandidate(label, rank))
  const { bench, calls } = fakeBench(runs)
  const result = await runTrials(candidates, bench, options)
  const outcomes = Object.fromEntries(result.trials.map(({ label, outcome }) => [label, outcome]))
  return { ...result, calls, outcomes, elapsedMs: bench.elapsedMs() }
}

describe('of kernels that are right', () => {
  it('the fastest is chosen, and every trial says its time and rate', async () => {
    const { chosen, trials } = await tune({ slow: { ms: 4 }, fast: { ms: 2 }, middling: { ms: 3 } })
    expect(chosen?.label).toBe('fast')
    expect(trials.map(({ label, ms, outcome }) => [label, ms, outcome])).toEqual([
      ['slow', 4, 'slower'],
      ['fast', 2, 'chosen'],
      ['middling', 3, 'slower'],
    ])
    for (const { ms, gflops } of trials) expect(gflops).toBeCloseTo(FAKE_FLOPS / ((ms ?? 0) * 1e6), 9)
  })

  it('whatever their times and order, none that is clearly faster than the chosen one is passed over', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.double({ min: 0.01, max: 50, noNaN: true }), { minLength: 1, maxLength: 12 }),
        async (times) => {
          const runs = Object.fromEntries(times.map((ms, at) => [`kernel ${String(at)}`, { ms }]))
          const { chosen } = await tune(runs)
          const chosenMs = runs[chosen?.label ?? '']?.ms ?? Infinity
          expect(chosenMs).toBeLessThanOrEqual(Math.min(...times) * 1.03)
        },
      ),
    )
  })

  it('the simplest is chosen of those that noise does not tell apart', async () => {
    const noise = [1, 1.02, 0.99, 1.01, 0.98, 1.03, 1]
    const { chosen } = await tune({
      simple: { ms: 2.01, noise },
      faster: { ms: 2, noise: noise.toReversed() },
      slow: { ms: 2.4, noise },
    })
    expect(chosen?.label).toBe('simple')
  })

  it('a simpler one is not preferred where it is slower beyond noise', () => {
    const timed = (rank: number, samples: readonly number[]) => ({ candidate: { rank }, samples })
    const fast = timed(1, [1, 1.001, 1.002, 1, 1.001])
    expect(chooseEntry([timed(0, [1.02, 1.021, 1.02, 1.022, 1.02]), fast])).toBe(fast)
    expect(chooseEntry([timed(0, [1.2, 0.9, 1.3, 1.2, 1.2]), fast])).toBe(fast)
    expect(chooseEntry([])).toBeNull()
  })

  it('the best few are repeated in turn, the others not', async () => {
    const { calls } = await tune({ a: { ms: 1 }, b: { ms: 1.1 }, c: { ms: 2 } })
    // After two looks at each.
    const finals = calls.filter((call) => call.startsWith('sample')).slice(6)
    expect(finals.slice(0, 4)).toEqual(['sample a', 'sample b', 'sample a', 'sample b'])
    expect(finals).not.toContain('sample c')
  })
})

describe('never chosen, and said why', () => {
  it('a fast kernel whose result is wrong', async () => {
    const { chosen, trials, calls } = await tune({ right: { ms: 5 }, wrong: { ms: 1, wrongFromCheck: 0 } })
    expect(chosen?.label).toBe('right')
    expect(trials[1]).toMatchObject({ outcome: 'wrong-result', ms: null, gflops: null })
    expect(trials[1]?.reason).toContain('sampled entries are wrong')
    expect(calls).not.toContain('sample wrong')
  })

  it('one that is right at first and wrong when it is looked at again', async () => {
    const { chosen, outcomes } = await tune({ right: { ms: 5 }, fickle: { ms: 1, wrongFromCheck: 1 } })
    expect(chosen?.label).toBe('right')
    expect(outcomes).toEqual({ right: 'chosen', fickle: 'wrong-result' })
  })

  it('one that does not compile, or fails when it runs', async () => {
    const { chosen, trials } = await tune({
      illegal: { ms: 1, compileFault: 'tiled.wgsl:12: no such name' },
      failing: { ms: 1, sampleFault: 'The device gave no timestamps.' },
      sound: { ms: 3 },
    })
    expect(chosen?.label).toBe('sound')
    expect(trials.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['failed', 'tiled.wgsl:12: no such name'],
      ['failed', 'The device gave no timestamps.'],
      ['chosen', undefined],
    ])
  })

  it('anything, where all are wrong', async () => {
    const { chosen, outcomes } = await tune({
      one: { ms: 1, wrongFromCheck: 0 },
      other: { ms: 1, compileFault: 'no' },
    })
    expect(chosen).toBeNull()
    expect(outcomes).toEqual({ one: 'wrong-result', other: 'failed' })
  })
})

describe('the budget', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`kernel ${String(at)}`, { ms: 5 + at * 0.1 }]),
  )

  it('ends the trials, and those that had no turn say so', async () => {
    const { chosen, trials, elapsedMs } = await tune(many, { budgetMs: 400, atOnce: 2 })
    expect(chosen).not.toBeNull()
    expect(trials.at(-1)).toMatchObject({ outcome: 'no-time-left', ms: null })
    expect(trials.at(-1)?.reason).toContain('time')
    // One sample and one check may be under way when it ends.
    expect(elapsedMs).toBeLessThan(400 + 100)
  })

  it('is for one at first, then for more at a time, with the clock brought up again after each wait for a compiler', async () => {
    const { bench, calls } = fakeBench(
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, { ms: 1 }])),
      600,
    )
    const candidates = ['a', 'b', 'c', 'd', 'e'].map((id, at) => fakeCandidate(id, at))
    await runTrials(candidates, bench, { budgetMs: 1e6, atOnce: 2 })
    const turns = calls.filter((call) => /compile|warm|check/.test(call)).join(', ')
    expect(turns).toMatch(
      /^compile a, (warm up a, )?check a, compile b, compile c, warm up a, check b, check c, compile d/,
    )
  })

  it('however small, lets the first right kernel be found', async () => {
    const { chosen, outcomes } = await tune(
      {
        wrong: { ms: 1, wrongFromCheck: 0 },
        illegal: { ms: 1, compileFault: 'no' },
        right: { ms: 1 },
        late: { ms: 1 },
      },
      { budgetMs: 0, atOnce: 1 },
    )
    expect(chosen?.label).toBe('right')
    expect(outcomes['late']).toBe('no-time-left')
  })

  it('is not spent on what cannot win: padding, or a part of the work, foretells it', async () => {
    const { bench, calls } = fakeBench({ good: { ms: 20 }, padded: { ms: 1000 }, slow: { ms: 400 } })
    const candidates = [fakeCandidate('good', 2), fakeCandidate('padded', 1, 64), fakeCandidate('slow', 0)]
    const { trials } = await runTrials(candidates, bench, { budgetMs: 1e6, atOnce: 1 })
    expect(calls).not.toContain('compile padded')
    expect(calls).toContain('foretell slow')
    expect(calls).not.toContain('check slow')
    expect(trials.map(({ outcome, ms }) => [outcome, ms])).toEqual([
      ['chosen', 20],
      ['slower', null],
      ['slower', null],
    ])
    for (const { reason } of trials.slice(1)) expect(reason).toMatch(/\d ms/)
  })
})
