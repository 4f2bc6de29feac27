/** What verdict.md calls variants and words by. Pure. */
import type { Facts, Names } from '../../text/facts'
import { coresFor } from './samplers'
import { counted, GPIPE, ONE_F_ONE_B, scheduledOf, variantOf } from './variants'

export function namesOf({ metrics, derived }: Facts, { ranks }: { readonly ranks: number }): Names {
  const steps = metrics
    .flatMap(({ name, variant, value }) => {
      const parsed = name === 'step-ms' && value !== null ? scheduledOf(variant) : null
      return parsed && value !== null ? [{ ...parsed, value }] : []
    })
    .toSorted((a, b) => a.microBatches - b.microBatches)
  const [few, many] = [steps[0]?.microBatches, steps.at(-1)?.microBatches]
  const isRange = few !== undefined && many !== undefined && few < many
  const named = (schedule: typeof GPIPE | typeof ONE_F_ONE_B, count: number | undefined) =>
    isRange && count !== undefined ? variantOf(schedule, count) : null
  const best = steps
    .filter(({ schedule }) => schedule === ONE_F_ONE_B)
    .toSorted((a, b) => a.value - b.value)[0]?.microBatches
  return {
    few: isRange ? counted(few) : null,
    many: isRange ? counted(many) : null,
    best: isRange && best !== undefined ? counted(best) : null,
    gpipefew: named(GPIPE, few),
    gpipemany: named(GPIPE, many),
    onemany: named(ONE_F_ONE_B, many),
    onebest: named(ONE_F_ONE_B, best),
    needed: String(coresFor(ranks)),
    whynoranks: String(derived['noRanks'] ?? '') || null,
  }
}
