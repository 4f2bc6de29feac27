/** Opens a world of ranks, measures its wire by two messages, and plans sizes and repeats by them. Each rank checks all of its numbers. */
import { exactly } from '../../lab/check-product'
import type { World } from '../../lab/ranks/world'
import type { Verification } from '../../trace/report'
import { REPEAT_WARM_UP } from '../../trace/schema'
import { openWorld } from '../open-world'
import type { Derived, Prepare, RanksOutput } from '../run-types'
import type { Checked, RankSpec } from './prepare-rank'
import { writeCounts } from '../evidence'
import type { collectives } from './meta'
import { filledRateOf, planCollectives, TRIAL_KIB, wireOf } from './plan'
import { PAIR, collectiveOf, variantOf } from './variants'

/** The first sets up, and is not counted. */
const TRIALS = 4

export const prepare: Prepare<typeof collectives> = async (context, values, services, variants) => {
  const { say, urlOf } = services
  const { operation, ranks } = values
  const kib = values.sizes.map(Number)
  say('starting the ranks')
  const cores = navigator.hardwareConcurrency
  const known: Derived = {
    ranks,
    cores,
    ranksPerCore: ranks / cores,
    sharesMemory: globalThis.crossOriginIsolated ? 1 : 0,
  }
  const opened = await openWorld(context, { size: ranks, hasDevice: false }, services)
  if (!opened.ok)
    return { derived: { ...known, noWorld: 1, whyNoWorld: opened.error }, repeats: 1, variants: [] }
  const { value: world } = opened

  const specOf = (variant: string, mostKib: number, trips: number): RankSpec => {
    const { program = PAIR, kib: own = 1 } = collectiveOf(variant) ?? {}
    return { operation: program === PAIR ? 'broadcast' : operation, kib: own, mostKib, trips }
  }
  const pair = urlOf(variantOf(PAIR, ranks, values.sizes[0] ?? 1))
  const trialOf = (kib: number) =>
    trial(context, world, pair, specOf(variantOf(PAIR, 2, kib), TRIAL_KIB[1], 1))
  const [small, large] = [await trialOf(TRIAL_KIB[0]), await trialOf(TRIAL_KIB[1])]
  const crowd = Math.max(1, ranks / cores)
  const filledPerMs = filledRateOf([small.aroundMs, large.aroundMs])
  // GiB, of browsers that say so; TypeScript's library has it nowhere.
  const { deviceMemory } = navigator as { readonly deviceMemory?: number }
  const memoryBytes = deviceMemory === undefined ? null : deviceMemory * 2 ** 30
  const plan = planCollectives({ ...values, kib, variants }, wireOf([small.ms, large.ms]), crowd, {
    filledPerMs,
    memoryBytes,
    hostStepNs: context.session.hostStepNs,
  })
  const { sizes, repeats, often, trips, leftOut } = plan
  const mostKib = Math.max(...sizes)
  return {
    derived: {
      ...known,
      repeats,
      rankClockBoundUs: world.clockBoundNs / 1e3,
      often: writeCounts(often),
      trips: writeCounts(trips),
      leftOut: leftOut.join(' '),
      filledGBPerS: filledPerMs / 1e6,
    },
    repeats: Math.max(repeats, ...often.values()),
    variants: variants.flatMap((name) => {
      const parsed = collectiveOf(name)
      // A line through the messages of a repeat needs all sizes in it.
      const own = parsed?.program === PAIR ? repeats : (often.get(parsed?.kib ?? 0) ?? repeats)
      if (!parsed || !sizes.includes(parsed.kib)) return []
      return [
        {
          name,
          input: {},
          repeats: own,
          stamping: 'none' as const,
          ranks: {
            world,
            size: parsed.ranks,
            specOf: () => specOf(name, mostKib, trips.get(parsed.kib) ?? 1),
          },
          check: (output: unknown) => Promise.resolve(verify(output as RanksOutput)), // a variant on ranks has such an output
        },
      ]
    }),
  }
}

/** `ms`: of one message, half of the shortest round trip. `aroundMs`: of filling, orders and checking, the shortest. */
async function trial(
  { race }: Parameters<typeof prepare>[0],
  world: World,
  program: string,
  spec: RankSpec,
): Promise<{ readonly ms: number; readonly aroundMs: number }> {
  let [leastNs, aroundMs] = [Infinity, Infinity]
  for (let run = 0; run < TRIALS; run += 1) {
    const askedMs = performance.now()
    const { startNs, endNs } = await race(
      world.run({
        size: 2,
        program,
        variant: `trial-${String(spec.kib)}`,
        repeat: REPEAT_WARM_UP,
        record: false,
        linesFromStacks: false,
        stamping: 'none',
        specOf: () => spec,
      }),
    )
    if (run === 0) continue
    leastNs = Math.min(leastNs, endNs - startNs)
    aroundMs = Math.min(aroundMs, performance.now() - askedMs - (endNs - startNs) / 1e6)
  }
  return { ms: Math.max(1e-3, leastNs / 2 / 1e6), aroundMs }
}

const isChecked = (told: unknown): told is Checked =>
  typeof told === 'object' && told !== null && 'failed' in told

/** A rank that tells nothing has failed. */
function verify({ outputs }: RanksOutput): Verification {
  const told = outputs.map((own): Checked => (isChecked(own) ? own : { checked: 1, failed: 1 }))
  const sum = (of: (own: Checked) => number) => told.reduce((total, own) => total + of(own), 0)
  return exactly(
    sum(({ checked }) => checked),
    sum(({ failed }) => failed),
    'numbers that ranks have after a collective, bit for bit',
  )
}
