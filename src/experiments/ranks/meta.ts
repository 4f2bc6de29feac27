/**
 * What is a rank? One product on one, two and four of them, which share one GPU; and ranks that
 * never go on.
 */
import { only, SHARE, type RepeatSampler, type View } from '../declare/metric'
import { makespan, MATMUL, medianSpan, timesAsFast, steps, sumOfSpans, windowOver } from '../declare/samplers'
import type { GraphFigure } from '../../trace/figure'
import { rankOfLane } from '../../trace/collectives'
import type { Metric } from '../../trace/report'
import type { Evidence, Window } from '../run-types'
import { defineExperiment } from '../declare/experiment'
import { choice, number } from '../declare/params'
import { matmulSources, shared } from '../shared-params'
import { byId } from '../../base/lists'

export const ONE = 'one-rank'
export const TWO = 'two-ranks'
export const FOUR = 'four-ranks'
/** Both send first, and wait for ever. */
export const BOTH_SEND = 'both-send'
/** A number that a rank reads decides whether it joins the next exchange. */
export const ITEM_DECIDES = 'item-decides'
/** An exchange after each product: nobody reads, or one rank does. */
export const NONE_READS = 'none-reads'
export const ONE_READS = 'one-reads'

export const SHARDED: readonly string[] = [ONE, TWO, FOUR]
export const HANGING: readonly string[] = [BOTH_SEND, ITEM_DECIDES]
export const EXCHANGING: readonly string[] = [NONE_READS, ONE_READS]

/** Values of the parameter `also`, and the variants of each. */
const ALSO = {
  nothing: [],
  [BOTH_SEND]: [BOTH_SEND],
  [ITEM_DECIDES]: [ITEM_DECIDES],
  [ONE_READS]: EXCHANGING,
} as const satisfies Readonly<Record<string, readonly string[]>>

/** `ranks`: on how many of them it runs. */
const ALL = [
  { id: ONE, program: 'shard', ranks: 1 },
  { id: TWO, program: 'shard', ranks: 2 },
  { id: FOUR, program: 'shard', ranks: 4 },
  { id: NONE_READS, program: 'exchange', ranks: 2 },
  { id: ONE_READS, program: 'exchange', ranks: 2 },
]
const found = byId(ALL)
export const ranksOf = (variant: string): number => found(variant)?.ranks ?? 2
export const MOST_RANKS = 4

/**
 * `derived` holds here who waited for whom when it was found: '0 send 1, 1 send 0'; and the same as
 * a sentence.
 */
export const waitsKey = (variant: string): string => `waits ${variant}`
export const hangKey = (variant: string): string => `hang ${variant}`

/** The wire is cut once for all: the last calls end together, and with them the window. */
const wasCut = <Values>({ evidence }: View<Values>, span: number, { endNs }: Window): boolean =>
  endNs - (evidence.placed.endNs[span] ?? 0) < CUT_WITHIN_NS

/**
 * Time from the call that closed the ring, the last of those that were never answered, until the
 * wire was cut.
 */
const foundAfter: RepeatSampler<unknown> = {
  ...makespan,
  sample: (view, window) => {
    const { spans, evidence } = view
    const { startNs } = evidence.placed
    const { repeat, endNs } = window
    const calls = [...spans.find(repeat, { role: 'send' }), ...spans.find(repeat, { role: 'recv' })]
    const cut = calls.filter((span) => wasCut(view, span, window))
    return cut.length > 0 ? endNs - Math.max(...cut.map((span) => startNs[span] ?? Number.NaN)) : null
  },
}
/** Ranks learn by messages that a hang was found. */
const CUT_WITHIN_NS = 200e6

/**
 * The share of its sums that rank 0 got: it has one when it has received the other rank's number.
 */
const sumsOfRank0: RepeatSampler<{ readonly steps: number }> = {
  quantity: 'ratio',
  range: SHARE,
  sample: (view, window) => {
    const { lanes, spans } = view.evidence.placed.trace
    const received = view.spans
      .find(window.repeat, { role: 'recv' })
      .filter((span) => rankOfLane(lanes[spans.lane[span] ?? -1]?.name ?? '') === 0)
      .filter((span) => !wasCut(view, span, window))
    return received.length > 0 ? received.length / steps(view) : null
  },
}

function waitForFigures(
  _: readonly Metric[],
  { derived }: Pick<Evidence, 'derived'>,
): readonly GraphFigure[] {
  return HANGING.flatMap((variant) => {
    const waits = derived[waitsKey(variant)]
    if (typeof waits !== 'string') return []
    const edges = [...waits.matchAll(/(\d+) (send|recv) (\d+)/g)].map(([, from, operation = '', to]) => ({
      from: Number(from),
      to: Number(to),
      label: `waits in ${operation}`,
    }))
    const waiting = new Set(edges.map(({ from }) => from))
    return [
      {
        kind: 'graph',
        id: `waits-${variant}`,
        title: `Who waits for whom: ${variant}`,
        caption:
          variant === BOTH_SEND
            ? 'As found in the last repeat. The arrows form a cycle, so nobody in it goes on.'
            : 'As found in the last repeat. A rank that has returned answers no arrow.',
        nodes: Array.from({ length: ranksOf(variant) }, (_own, rank) => ({
          label: `rank ${String(rank)}`,
          state: waiting.has(rank) ? ('waits' as const) : ('returned' as const),
        })),
        edges,
      },
    ]
  })
}

const sharded = only(...SHARDED)
const several = only(TWO, FOUR)

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
  short: { kernel: 4, steps: 3, repeats: 2 },
  sources: matmulSources,
  all: ALL,
  variants: ({ also }) => [...SHARDED, ...ALSO[also]],
  names: ({ derived }) => ({
    itemdecides: String(derived[hangKey(ITEM_DECIDES)] ?? '') || null,
  }),
  metrics: {
    speedup: ['Speed-up over one rank', timesAsFast(ONE), several],
    'all-ms': ['Until rank 0 had all rows', makespan, sharded],
    'rows-ms': ['Rows of one rank, on the device', medianSpan(MATMUL), sharded],
    'gather-ms': ['Rank 0 waited for rows', sumOfSpans({ role: 'recv' }), several],
    'sums-ratio': ['Sums that rank 0 got before it hung', sumsOfRank0, only(ITEM_DECIDES)],
    'found-ms': ['Until the hang was found', foundAfter, only(...HANGING)],
    'step-ms': ['Time of a step', windowOver(steps), only(...EXCHANGING)],
  },
  figures: waitForFigures,
})
