/** What is a rank? One product on one, two and four of them, which share one GPU; and ranks that never go on. */
import { defineExperiment } from '../declare/experiment'
import { choice, number } from '../declare/params'
import { makespan, MATMUL, medianSpan, ofWindows, steps, sumOfSpans, windowOver } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import { waitForFigures } from './charts'
import { foundAfter } from './samplers'
import {
  ALL,
  ALSO,
  BOTH_SEND,
  EXCHANGING,
  FOUR,
  HANGING,
  hangKey,
  ITEM_DECIDES,
  NONE_READS,
  ONE,
  ONE_READS,
  SHARDED,
  TWO,
} from './variants'

const isIn = (variants: readonly string[]) => ({ variants: (name: string) => variants.includes(name) })
const sharded = isIn(SHARDED)
const several = isIn([TWO, FOUR])

export const ranks = defineExperiment({
  id: 'ranks',
  title: 'Ranks',
  question: 'What do several ranks gain on one GPU, and why do they hang?',
  params: [
    number(
      'kernel',
      'Time of the product over a report',
      'How many times as long one rank takes for the product as this browser takes to report a short kernel. The product is sized by the measured rate of this device.',
      { place: 'dial', default: 12, min: 0.25, max: 64, integer: false, unit: '×', scale: 'log2' },
    ),
    choice(
      'also',
      'Also run',
      'As variants of their own, on two ranks: programs that hang, and one in which a rank reads.',
      {
        nothing: 'nothing else',
        [BOTH_SEND]: 'both send first',
        [ITEM_DECIDES]: 'a number read decides',
        [ONE_READS]: 'one rank reads',
      },
      { place: 'dial' },
    ),
    {
      ...shared.steps,
      label: 'Exchanges',
      help: 'Products in each repeat, for variants that exchange a number after each product: each product is a fifth of a report long.',
      default: 8,
      max: 64,
    },
    shared.repeats,
    { ...shared.seconds, default: 10 },
  ],
  presets: [
    { id: 'short', label: 'Short run', values: { kernel: 4, steps: 3, repeats: 2 } },
    { id: 'both-send', label: 'Both send first', values: { also: BOTH_SEND, repeats: 2 } },
    { id: 'item-decides', label: 'A number decides', values: { also: ITEM_DECIDES, repeats: 2 } },
    { id: 'one-reads', label: 'One rank reads', values: { also: ONE_READS } },
  ],
  sources: matmulSources,
  all: ALL,
  variants: ({ also }) => [...SHARDED, ...ALSO[also]],
  names: ({ derived }) => ({
    bothsend: String(derived[hangKey(BOTH_SEND)] ?? '') || null,
    itemdecides: String(derived[hangKey(ITEM_DECIDES)] ?? '') || null,
  }),
  metrics: {
    speedup: [
      'Speed-up over one rank',
      { ...ofWindows<unknown>([ONE], (own, [one = Number.NaN]) => one / own), isFactor: true },
      several,
    ],
    'all-ms': ['Until rank 0 had all rows', makespan, sharded],
    'rows-ms': ['Rows of one rank, on the device', medianSpan(MATMUL), sharded],
    'device-ms': ['All ranks’ rows, added up', sumOfSpans(MATMUL), sharded],
    'gather-ms': ['Rank 0 waited for rows', sumOfSpans({ role: 'recv' }), several],
    'found-ms': ['Until the hang was found', foundAfter, isIn(HANGING)],
    'step-ms': ['Time of a step', windowOver(steps), isIn(EXCHANGING)],
    later: [
      'Longer with one rank that reads',
      { ...ofWindows<unknown>([NONE_READS], (own, [none = Number.NaN]) => own / none), isFactor: true },
      isIn([ONE_READS]),
    ],
  },
  figures: waitForFigures,
})
