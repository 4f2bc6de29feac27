/** What a host computes in JavaScript, as its loops say it (`base/host-work.ts`). */
import type { HostWork } from '../base/host-work'
import type { Card, RanksCost } from './card'

export const scriptNs = (
  { loopRate, gflops, resultNs }: RanksCost,
  { flops = 0, results = 0, looped = 0 }: HostWork,
): number => flops / gflops + results * resultNs + (4 * looped) / loopRate

const SQUARE = 128
/** As experiments measure it: a product of 128 × 128. Null where the card says nothing of it. */
export function scriptGflops({ ranks }: Card): number | null {
  const flops = 2 * SQUARE ** 3
  return ranks ? flops / scriptNs(ranks, { flops, results: SQUARE ** 2, looped: SQUARE ** 2 }) : null
}
