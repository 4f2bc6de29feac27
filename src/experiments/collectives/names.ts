/** What verdict.md calls variants and words by. Pure. */
import type { Facts, Names } from '../../text/facts'
import { crossingFactor } from './curves'
import {
  figureOf,
  GPU,
  NAIVE,
  kibOf,
  RING,
  sizeLabel,
  TREE,
  variantOf,
  type Operation,
  type ProgramName,
} from './variants'

const labelOf = (kib: number | undefined): string | null => (kib === undefined ? null : sizeLabel(kib))

export function namesOf(
  { metrics, derived }: Facts,
  { operation, ranks }: { readonly operation: Operation; readonly ranks: number },
): Names {
  const sizes = metrics
    .flatMap(({ name, variant, value }) => {
      const kib = name === 'collective-ms' && value ? kibOf(RING)(variant) : null
      return kib ?? []
    })
    .toSorted((a, b) => a - b)
  const [small, large] = [sizes[0], sizes.length > 1 ? sizes.at(-1) : undefined]
  const named = (program: ProgramName, kib: number | undefined) =>
    kib === undefined ? null : variantOf(program, ranks, kib)
  const left = String(derived['leftOut'] ?? '')
  return {
    chart: figureOf(operation, Number(derived['ranks'] ?? ranks)),
    operation: `${/^[aeiou]/.test(operation) ? 'an' : 'a'} ${operation}`,
    small: labelOf(small),
    large: labelOf(large),
    naivesmall: named(NAIVE, small),
    treesmall: named(TREE, small),
    ringsmall: named(RING, small),
    naivelarge: named(NAIVE, large),
    treelarge: named(TREE, large),
    ringlarge: named(RING, large),
    gpusmall: named(GPU, small),
    gpularge: named(GPU, large),
    leftout:
      left === ''
        ? null
        : left
            .split(' ')
            .map((kib) => labelOf(Number(kib)))
            .join(', '),
    whynoworld: String(derived['whyNoWorld'] ?? '') || null,
    nomodel:
      { 0: 'the ring is faster at every size', Infinity: 'the ring is faster at no size' }[
        crossingFactor(operation, ranks)
      ] ?? null,
  }
}
