import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  nothingRemoved,
  Replay,
  type Assumption,
  type DeviceWork,
  type HostStep,
  type Removal,
  type ReplayModel,
} from './replay'

const replay = (model: ReplayModel, removal: Removal, assumption: Assumption) =>
  new Replay(model).lengthNs(removal, assumption)

/**
 * A made-up repeat, played forward by the true costs; the model is then what a trace of it would
 * say.
 */
interface Truth {
  /**
   * Host time before each submit(), device time, launch and switch costs, and whether the host
   * awaits it and hears how late.
   */
  readonly rounds: readonly {
    readonly hostNs: number
    readonly workNs: number
    readonly latencyNs: number
    readonly switchNs: number
    readonly awaits: boolean
    readonly completionLatencyNs: number
  }[]
}

function modelOf({ rounds }: Truth): ReplayModel {
  const steps: HostStep[] = []
  const work: DeviceWork[] = []
  let [host, deviceFree] = [0, -Infinity]
  for (const [index, round] of rounds.entries()) {
    host += round.hostNs
    const own = { isWait: false, lengthNs: round.hostNs, heard: -1, completionLatencyNs: Number.NaN }
    steps.push({ ...own, submits: index })
    const start = Math.max(host + round.latencyNs, deviceFree + round.switchNs)
    work.push({
      lengthNs: round.workNs,
      latencyNs: start - host,
      switchNs: index === 0 ? Number.NaN : start - deviceFree,
      isQueued: host <= deviceFree,
    })
    deviceFree = start + round.workNs
    if (!round.awaits && index < rounds.length - 1) continue
    const heardNs = Math.max(host, deviceFree + round.completionLatencyNs)
    steps.push({
      isWait: true,
      lengthNs: heardNs - host,
      heard: index,
      completionLatencyNs: heardNs - deviceFree,
      submits: -1,
    })
    host = heardNs
  }
  return { lengthNs: host, steps, work, overhangNs: 0 }
}

const ns = fc.integer({ min: 0, max: 1000 })
const truths: fc.Arbitrary<Truth> = fc.record({
  rounds: fc.array(
    fc.record({
      hostNs: ns,
      workNs: ns,
      latencyNs: ns,
      switchNs: ns,
      awaits: fc.boolean(),
      completionLatencyNs: ns,
    }),
    { minLength: 1, maxLength: 12 },
  ),
})
const assumptions = fc.constantFrom('soonest', 'likely', 'latest')
const busyNs = ({ work }: ReplayModel) => work.reduce((sum, { lengthNs }) => sum + lengthNs, 0)

/** All waits but the last, which closes the repeat. */
const withoutWaits = ({ steps }: ReplayModel): Removal => {
  const waits = steps.flatMap(({ isWait }, at) => (isWait ? [at] : []))
  return { ...nothingRemoved(), waits: new Set(waits.slice(0, -1)) }
}

/** Takes some of everything away: which, by the bits given. */
function someOf({ steps, work }: ReplayModel, picks: readonly boolean[]): Removal {
  const picked = (index: number) => picks[index % picks.length] === true
  return {
    waits: new Set(steps.flatMap(({ isWait }, at) => (isWait && picked(at) ? [at] : []))),
    hostNs: new Map(
      steps.flatMap(({ isWait, lengthNs }, at) => (!isWait && picked(at + 1) ? [[at, lengthNs / 2]] : [])),
    ),
    launches: new Set(work.flatMap((_, at) => (picked(at + 2) ? [at] : []))),
    insideNs: new Map(),
  }
}

describe('replay', () => {
  it('with nothing taken away gives the measured time, whatever is assumed of what cannot be seen', () => {
    fc.assert(
      fc.property(truths, assumptions, (truth, assumption) => {
        const model = modelOf(truth)
        expect(replay(model, nothingRemoved(), assumption)).toBeCloseTo(model.lengthNs, 6)
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
          const model = modelOf(truth)
          const after = replay(model, someOf(model, picks), assumption)
          expect(after).toBeGreaterThanOrEqual(busyNs(model) - 1e-6)
          // 'latest' may take another wait's slow notice for one that was quick: what-if.ts cuts
          // that at the time as it is.
          if (assumption !== 'latest') expect(after).toBeLessThanOrEqual(model.lengthNs + 1e-6)
        },
      ),
    )
  })

  it('takes less the more is taken away', () => {
    fc.assert(
      fc.property(truths, fc.array(fc.boolean(), { minLength: 1 }), (truth, picks) => {
        const model = modelOf(truth)
        const some = replay(model, someOf(model, picks), 'likely')
        expect(replay(model, someOf(model, [true]), 'likely')).toBeLessThanOrEqual(some + 1e-6)
      }),
    )
  })

  it('finds the truth again where all costs could be seen: no wait but the last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ hostNs: ns, workNs: ns }), { minLength: 1, maxLength: 12 }),
        ns,
        // A submission that comes as the work before it ends cannot be distinguished from one that
        // was queued behind it.
        ns.map((completionLatencyNs) => completionLatencyNs + 1),
        (rounds, latencyNs, completionLatencyNs) => {
          const full = rounds.map((round) => ({ ...round, latencyNs, switchNs: 0, completionLatencyNs }))
          const stalled = modelOf({ rounds: full.map((round) => ({ ...round, awaits: true })) })
          const mended = modelOf({ rounds: full.map((round) => ({ ...round, awaits: false })) })
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
      completionLatencyNs: 70,
    }))
    const stalled = modelOf({ rounds: rounds.map((round) => ({ ...round, awaits: true })) })
    const mended = modelOf({ rounds: rounds.map((round) => ({ ...round, awaits: false })) })
    const waits = withoutWaits(stalled)
    expect(stalled.lengthNs).toBe(4 * 230)
    expect(mended.lengthNs).toBe(10 + 50 + 4 * 100 + 3 * 5 + 70)
    // No work of the stalled run was behind another: what a switch costs was not to be seen.
    expect(replay(stalled, waits, 'soonest')).toBe(10 + 50 + 400)
    expect(replay(stalled, waits, 'likely')).toBe(10 + 50 + 400 + 70)
    expect(replay(stalled, waits, 'latest')).toBe(10 + 50 + 400 + 3 * 50 + 70)
  })
})
