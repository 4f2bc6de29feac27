/**
 * Opens a world of ranks, measures its wire by two messages, and plans sizes and repeats by them.
 * Each rank checks all of its numbers.
 */
import type { World } from '../../lab/ranks/world'
import { REPEAT_WARM_UP } from '../../trace/schema'
import { openWorld, verificationOf } from '../open-world'
import type { Derived, Prepare } from '../run-types'
import type { RankSpec } from './prepare-rank'
import { writeCounts } from '../evidence'
import type { collectives } from './meta'
import { planCollectives, repeatsOf, TRIAL_KIB, wireOf } from './plan'
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
  const wire = wireOf([await trialOf(TRIAL_KIB[0]), await trialOf(TRIAL_KIB[1])])
  const { sizes, repeats, trips } = planCollectives(
    { ...values, kib, variants },
    wire,
    Math.max(1, ranks / cores),
    context.session.hostStepNs,
  )
  const mostKib = Math.max(...sizes)
  return {
    derived: {
      ...known,
      repeats,
      rankClockBoundUs: world.clockBoundNs / 1e3,
      trips: writeCounts(trips),
    },
    repeats: 2 * repeats - 1,
    variants: variants.flatMap((name) => {
      const parsed = collectiveOf(name)
      if (!parsed || !sizes.includes(parsed.kib)) return []
      return [
        {
          name,
          input: {},
          repeats: repeatsOf(parsed, repeats),
          stamping: 'none' as const,
          ranks: {
            world,
            size: parsed.ranks,
            specOf: () => specOf(name, mostKib, trips.get(parsed.kib) ?? 1),
          },
          check: (output: unknown) => Promise.resolve(verificationOf(output)),
        },
      ]
    }),
  }
}

/** Ms of one message: half of the shortest round trip. */
async function trial(
  { race }: Parameters<typeof prepare>[0],
  world: World,
  program: string,
  spec: RankSpec,
): Promise<number> {
  let leastNs = Infinity
  for (let run = 0; run < TRIALS; run += 1) {
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
    if (run > 0) leastNs = Math.min(leastNs, endNs - startNs)
  }
  return Math.max(1e-3, leastNs / 2 / 1e6)
}
