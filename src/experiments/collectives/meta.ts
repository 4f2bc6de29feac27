/**
 * Is a ring faster? Ranks run collectives of send() and recv() through one rank, as a tree, and
 * round a ring, over sizes.
 */
import type { Facts, Names } from '../../text/facts'
import {
  ALGORITHMS,
  ALL,
  collectiveOf,
  figureOf,
  kibOf,
  LEAST_RANKS,
  MOST_RANKS,
  NAIVE,
  OPERATIONS,
  PAIR,
  RING,
  SIZE_LABELS,
  sizeLabel,
  variantOf,
  type Operation,
  type ProgramName,
} from './variants'
import { defineExperiment } from '../declare/experiment'
import { choice, list, number } from '../declare/params'
import { makespan } from '../declare/samplers'
import { shared } from '../shared-params'
import { figuresOfCollectives, torchCollectives } from './charts'
import { crossover, lead, line, predicted } from './samplers'

const labelOf = (kib: number | undefined): string | null => (kib === undefined ? null : sizeLabel(kib))

function namesOf(
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
  return {
    chart: figureOf(operation, Number(derived['ranks'] ?? ranks)),
    operation: `${/^[aeiou]/.test(operation) ? 'an' : 'a'} ${operation}`,
    small: labelOf(small),
    large: labelOf(large),
    naivesmall: named(NAIVE, small),
    ringsmall: named(RING, small),
    naivelarge: named(NAIVE, large),
    ringlarge: named(RING, large),
    whynoworld: String(derived['whyNoWorld'] ?? '') || null,
  }
}

const of = (program: ProgramName) => ({
  variants: (variant: string) => kibOf(program)(variant) !== null,
})
const collective = {
  variants: (variant: string) => collectiveOf(variant) !== null && !of(PAIR).variants(variant),
}
const whole = { at: [''] }

export const collectives = defineExperiment({
  id: 'collectives',
  title: 'Collectives',
  question: 'From which size on is a ring worth it?',
  params: [
    choice(
      'operation',
      'Operation',
      'What the ranks do together, as MPI and torch.distributed call it.',
      OPERATIONS,
      { place: 'dial' },
    ),
    number('ranks', 'Ranks', 'Workers that take part. With more of them than cores they take turns.', {
      place: 'dial',
      default: 4,
      min: LEAST_RANKS,
      max: MOST_RANKS,
    }),
    list(
      'sizes',
      'Sizes',
      'Sizes of the buffer on each rank. The largest are left out where there is no time for them.',
      SIZE_LABELS,
      { place: 'dial', default: ['1', '4', '16', '64', '256', '1024', '4096', '16384'] },
    ),
    {
      ...shared.repeats,
      default: 7,
      help: `${shared.repeats.help} Sizes that take little time are repeated nearly twice as often, where there is time.`,
    },
    { ...shared.seconds, default: 10 },
  ],
  short: { sizes: ['1', '16', '64', '256'], repeats: 2 },
  sources: [],
  variants: ({ ranks, sizes }) =>
    ([PAIR, ...ALGORITHMS] as const).flatMap((program) => sizes.map((kib) => variantOf(program, ranks, kib))),
  all: ALL,
  names: namesOf,
  metrics: {
    'collective-ms': ['From the barrier to the last rank’s end', makespan, collective],
    lead: ['Naive took so many times as long', lead, of(RING)],
    'alpha-us': ['α: what a message costs, whatever its size', line.alpha, whole],
    'gb-per-s': ['B: rate of the bytes alone', line.rate, whole],
    'line-error-ratio': ['Farthest from the line', line.error, whole],
    'crossover-kib': ['Size from which on the ring is faster, in KiB', crossover, whole],
    'predicted-kib': ['The same, by α and B, in KiB', predicted, whole],
  },
  figures: figuresOfCollectives,
  references: torchCollectives,
})
