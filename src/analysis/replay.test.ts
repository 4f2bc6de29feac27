import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nothingRemoved, Replay, type Assumption, type Recipe, type Removal } from './replay'

const replay = (recipe: Recipe, removal: Removal, assumption: Assumption) =>
  new Replay(recipe).lengthNs(removal, assumption)

/** A made-up repeat, played forward by the true costs; the recipe is then what a trace of it would say. */
interface Truth {
  /** Host time before each submit(), device time, launch and switch costs, and whether the host awaits it and hears how late. */
  readonly rounds: readonly {
    readonly hostNs: number
    readonly workNs: number
    readonly latencyNs: number
    readonly switchNs: number
    readonly awaits: boolean
    readonly noticeNs: number
  }[]
}

function recipeOf({ rounds }: Truth): Recipe {
  const steps: { isWait: boolean; lengthNs: number; piece: number; noticeNs: number; submits: number }[] = []
  const pieces: { lengthNs: number; latencyNs: number; switchNs: number; isQueued: boolean }[] = []
  let [host, deviceFree] = [0, -Infinity]
  for (const [index, round] of rounds.entries()) {
    host += round.hostNs
    steps.push({ isWait: false, lengthNs: round.hostNs, piece: -1, noticeNs: Number.NaN, submits: index })
    const start = Math.max(host + round.latencyNs, deviceFree + round.switchNs)
    pieces.push({
      lengthNs: round.workNs,
      latencyNs: start - host,
      switchNs: index === 0 ? Number.NaN : start - deviceFree,
      isQueued: host <= deviceFree,
    })
    deviceFree = start + round.workNs
    if (!round.awaits && index < rounds.length - 1) continue
    const heard = Math.max(host, deviceFree + round.noticeNs)
    const noticeNs = heard - deviceFree
    steps.push({ isWait: true, lengthNs: heard - host, piece: index, noticeNs, submits: -1 })
    host = heard
  }
  return {
    lengthNs: host,
    steps: {
      length: steps.length,
      isWait: Uint8Array.from(steps, ({ isWait }) => Number(isWait)),
      lengthNs: Float64Array.from(steps, ({ lengthNs }) => lengthNs),
      piece: Int32Array.from(steps, ({ piece }) => piece),
      noticeNs: Float64Array.from(steps, ({ noticeNs }) => noticeNs),
      submits: Int32Array.from(steps, ({ submits }) => submits),
    },
    pieces: {
      length: pieces.length,
      lengthNs: Float64Array.from(pieces, ({ lengthNs }) => lengthNs),
      latencyNs: Float64Array.from(pieces, ({ latencyNs }) => latencyNs),
      switchNs: Float64Array.from(pieces, ({ switchNs }) => switchNs),
      isQueued: Uint8Array.from(pieces, ({ isQueued }) => Number(isQueued)),
    },
    overhangNs: 0,
  }
}

const ns = fc.integer({ min: 0, max: 1000 })
const truths: fc.Arbitrary<Truth> = fc.record({
  rounds: fc.array(
    fc.record({ hostNs: ns, workNs: ns, latencyNs: ns, switchNs: ns, awaits: fc.boolean(), noticeNs: ns }),
    { minLength: 1, maxLength: 12 },
  ),
})
const assumptions = fc.constantFrom('soonest', 'likely', 'latest')
const busyNs = ({ pieces }: Recipe) => pieces.lengthNs.reduce((sum, ns) => sum + ns, 0)

/** All waits but the last, which closes the repeat. */
const withoutWaits = (recipe: Recipe): Removal => {
  const waits = recipe.steps.isWait.slice()
  waits[waits.lastIndexOf(1)] = 0
  return { ...nothingRemoved(recipe), waits }
}

/** Takes some of everything away: which, by the bits given. */
function someOf(recipe: Recipe, picks: readonly boolean[]): Removal {
  const picked = (index: number) => picks[index % picks.length] === true
  const { isWait, lengthNs } = recipe.steps
  return {
    ...nothingRemoved(recipe),
    waits: isWait.map((wait, at) => (picked(at) ? wait : 0)),
    hostNs: lengthNs.map((ns, at) => (isWait[at] === 0 && picked(at + 1) ? ns / 2 : 0)),
    launches: Uint8Array.from({ length: recipe.pieces.length }, (_, at) => Number(picked(at + 2))),
  }
}

describe('replay', () => {
  it('with nothing taken away gives the measured time, whatever is assumed of what cannot be seen', () => {
    fc.assert(
      fc.property(truths, assumptions, (truth, assumption) => {
        const recipe = recipeOf(truth)
        expect(replay(recipe, nothingRemoved(recipe), assumption)).toBeCloseTo(recipe.lengthNs, 6)
      }),
    )
  })

  it('is never longer for what is taken away, and never shorter than the device’s own work', () => {
    fc.assert(
      fc.property(
        truths,
        fc.array(fc.boolean(), { minLength: 1 }),
        assumptions,
        (truth, picks, assumption) => {
          const recipe = recipeOf(truth)
          const after = replay(recipe, someOf(recipe, picks), assumption)
          expect(after).toBeGreaterThanOrEqual(busyNs(recipe) - 1e-6)
          // 'latest' may take another wait's slow notice for one that was quick: what-if.ts cuts that at the time as it is.
          if (assumption !== 'latest') expect(after).toBeLessThanOrEqual(recipe.lengthNs + 1e-6)
        },
      ),
    )
  })

  it('takes less the more is taken away', () => {
    fc.assert(
      fc.property(truths, fc.array(fc.boolean(), { minLength: 1 }), (truth, picks) => {
        const recipe = recipeOf(truth)
        const some = replay(recipe, someOf(recipe, picks), 'likely')
        expect(replay(recipe, someOf(recipe, [true]), 'likely')).toBeLessThanOrEqual(some + 1e-6)
      }),
    )
  })

  it('finds the truth again where all costs could be seen: no wait but the last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ hostNs: ns, workNs: ns }), { minLength: 1, maxLength: 12 }),
        ns,
        // A submission that comes as the work before it ends cannot be told from one that was queued behind it.
        ns.map((noticeNs) => noticeNs + 1),
        (rounds, latencyNs, noticeNs) => {
          const full = rounds.map((round) => ({ ...round, latencyNs, switchNs: 0, noticeNs }))
          const stalled = recipeOf({ rounds: full.map((round) => ({ ...round, awaits: true })) })
          const mended = recipeOf({ rounds: full.map((round) => ({ ...round, awaits: false })) })
          const found = replay(stalled, withoutWaits(stalled), 'likely')
          expect(found).toBeCloseTo(mended.lengthNs, 6)
        },
      ),
    )
  })

  it('holds the truth between soonest and latest where launches of queued work are hidden in part', () => {
    const rounds = [1, 2, 3, 4].map(() => ({
      hostNs: 10,
      workNs: 100,
      latencyNs: 50,
      switchNs: 5,
      noticeNs: 70,
    }))
    const stalled = recipeOf({ rounds: rounds.map((round) => ({ ...round, awaits: true })) })
    const mended = recipeOf({ rounds: rounds.map((round) => ({ ...round, awaits: false })) })
    const waits = withoutWaits(stalled)
    expect(stalled.lengthNs).toBe(4 * 230)
    expect(mended.lengthNs).toBe(10 + 50 + 4 * 100 + 3 * 5 + 70)
    // No piece of the stalled run was behind another: what a switch costs was not to be seen.
    expect(replay(stalled, waits, 'soonest')).toBe(10 + 50 + 400)
    expect(replay(stalled, waits, 'likely')).toBe(10 + 50 + 400 + 70)
    expect(replay(stalled, waits, 'latest')).toBe(10 + 50 + 400 + 3 * 50 + 70)
  })
})
