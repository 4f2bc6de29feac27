/**
 * What would a second stream give me? Results awaited together or one by one, and on two devices;
 * and what CUDA's race becomes here.
 */
import { summarise } from '../../analysis/metrics'
import { completionLag } from '../declare/device-samplers'
import {
  NOT_NEGATIVE,
  only,
  SHARE,
  type DerivedSampler,
  type RepeatSampler,
  type View,
} from '../declare/metric'
import { lengthOf, MATMUL, medianSpan, ratioTo, windowOver, worked } from '../declare/samplers'
import { VariantSpans } from '../evidence'
import type { Evidence, Window } from '../run-types'
import type { BarFigure, FigureHue } from '../../trace/figure'
import type { Metric } from '../../trace/report'
import { defineExperiment } from '../declare/experiment'
import { choice, number } from '../declare/params'
import { matmulSources, shared } from '../shared-params'

/** All results are awaited together. */
export const WAIT_ALL = 'wait-all'
/** Each result is awaited by itself. */
export const WAIT_ONE = 'wait-one'
/** Does what wait-one does, with the products in turn on two devices. */
export const TWO_DEVICES = 'two-devices'
/** Calls that would race with the device in CUDA. */
export const RACE = 'race'

/** Calls that are tried, by the names that programs/race.js gives back. */
const CALLS = {
  'range-too-early': 'getMappedRange() before mapAsync() has resolved',
  'map-twice': 'a second mapAsync() before the first has resolved',
  'submit-asked': 'submit() of a copy into a buffer that mapAsync() has asked for',
  'submit-mapped': 'submit() of a copy into a buffer that is mapped',
  'write-mapped': 'writeBuffer() into a buffer that is mapped',
  'use-after-unmap': 'reading a mapped range after unmap()',
  'range-unasked': 'getMappedRange() without mapAsync()',
  'destroy-queued': 'destroy() while the copy is queued and mapAsync() is awaited',
  'map-queued': 'mapAsync() while the product and the copy are queued',
} as const
type Call = keyof typeof CALLS
export const CALL_NAMES = Object.keys(CALLS) as readonly Call[]

/** Answers to a call, as the program found them. */
export const ANSWERS = ['exception', 'rejected', 'validation', 'waited', 'let-through'] as const
type Answer = (typeof ANSWERS)[number]

/** Reads the answer from `derived`; null: the call was not tried. */
const answerTo = (derived: Readonly<Record<string, unknown>>, call: Call): Answer | null =>
  ANSWERS.find((answer) => answer === derived[`race ${call}`]) ?? null

/**
 * ns from the window's start to the end of the first read; null where nothing was read, or nothing
 * recorded.
 */
function firstReadNs({ spans, evidence }: View<unknown>, { repeat, startNs }: Window): number | null {
  const ends = spans.find(repeat, { role: 'read' }).map((span) => evidence.placed.endNs[span] ?? Number.NaN)
  return ends.length > 0 ? Math.min(...ends) - startNs : null
}

const firstResult: RepeatSampler<unknown> = {
  quantity: 'time',
  range: NOT_NEGATIVE,
  sample: firstReadNs,
  systematic: ({ evidence }) => evidence.hostStepNs,
}

/** The same time as a share of that until all results had been read. */
const firstShare: RepeatSampler<unknown> = {
  ...firstResult,
  quantity: 'ratio',
  range: SHARE,
  sample: (view, window) => {
    const firstNs = firstReadNs(view, window)
    return firstNs === null ? null : firstNs / lengthOf(window)
  },
  systematic: ({ evidence, windows }) =>
    Math.max(0, ...windows.map((window) => (2 * evidence.hostStepNs) / lengthOf(window))),
}

/** Time until one of the calls was answered. Its variant is the call's name. */
const answerTime: DerivedSampler<unknown> = {
  quantity: 'time',
  derive: ({ evidence }, named) => {
    const spans = new VariantSpans(evidence, RACE)
    const at = CALL_NAMES.findIndex((call) => call === named.variant)
    const samples = spans.repeats.flatMap((repeat) => spans.lengths(repeat, { role: 'compute' })[at] ?? [])
    return summarise({
      ...named,
      origin: 'host-clock',
      samples: samples.map((ns) => ns / 1e6),
      systematic: evidence.hostStepNs / 1e6,
      range: NOT_NEGATIVE,
    })
  },
}

const LOOKS: Readonly<Record<Answer, readonly [label: string, hue: FigureHue]>> = {
  exception: ['threw an exception', 'variant-1'],
  rejected: ['gave a rejected promise', 'variant-2'],
  validation: ['gave a validation error', 'variant-3'],
  waited: ['waited, and was right', 'wait'],
  'let-through': ['was let through', 'variant-4'],
}

function answersFigure(
  metrics: readonly Metric[],
  { derived }: Pick<Evidence, 'derived'>,
): readonly BarFigure[] {
  const bars = CALL_NAMES.flatMap((call) => {
    const answer = answerTo(derived, call)
    const metric = metrics.find(({ name, variant }) => name === 'answer-ms' && variant === call)
    if (answer === null || metric?.value == null) return []
    const { value, low, high } = metric
    return [{ label: CALLS[call], parts: { [answer]: { value, low, high } }, total: null }]
  })
  if (bars.length === 0) return []
  return [
    {
      kind: 'bars',
      id: 'answers',
      title: 'Nine calls that touch a buffer too early',
      caption: 'How long it took until the program had the answer, and what the answer was.',
      axis: { label: 'until the answer', unit: 'ms' },
      parts: ANSWERS.filter((answer) => bars.some(({ parts }) => answer in parts)).map((id) => {
        const [label, hue] = LOOKS[id]
        return { id, label, hue }
      }),
      bars,
      thresholds: [],
    },
  ]
}

const results = only(WAIT_ALL, WAIT_ONE, TWO_DEVICES)
const race = only(RACE)

const countOf = (...kinds: readonly (Answer | null)[]) =>
  worked(
    'count',
    ({ evidence: { derived } }) =>
      CALL_NAMES.filter((call) => kinds.includes(answerTo(derived, call))).length,
    'as the program found it',
  )

export const streamsAndEvents = defineExperiment({
  id: 'streams-and-events',
  title: 'Streams and events',
  question: 'When can the first of several results be read?',
  params: [
    number(
      'kernel',
      'Time of one product over a report',
      'A product is sized from the measured rate of this device so that it takes this many times as long as the report of a short kernel takes here.',
      { place: 'dial', default: 4, min: 0.02, max: 16, integer: false, unit: '×', scale: 'log2' },
    ),
    choice(
      'also',
      'Also try',
      'As a variant of its own: calls that would race with the device in CUDA, and what WebGPU answers.',
      { nothing: 'nothing else', [RACE]: 'calls that race' },
      { place: 'dial' },
    ),
    {
      ...shared.steps,
      label: 'Results',
      help: 'Results in each repeat, each in a submission of its own.',
      default: 8,
      max: 32,
    },
    shared.repeats,
    shared.seconds,
  ],
  short: { steps: 4, repeats: 2, also: RACE },
  sources: matmulSources,
  variants: ({ also }) => [WAIT_ALL, WAIT_ONE, TWO_DEVICES, ...(also === RACE ? [RACE] : [])],
  metrics: {
    'first-share': ['First result read, of the time of all', firstShare, results],
    'first-result-ms': ['Until the first result was read', firstResult, results],
    'all-ms': ['Until all results were read', windowOver(), results],
    slowdown: ['Longer than on one device', ratioTo(WAIT_ONE), only(TWO_DEVICES)],
    'kernel-ms': ['One product, on the device', medianSpan(MATMUL), results],
    'completion-lag-ms': ['From its end to the report', completionLag(), results],
    refused: ['Calls met with an error', countOf('exception', 'rejected', 'validation'), race],
    waited: ['Calls that waited', countOf('waited'), race],
    'let-through': ['Calls neither refused nor made to wait', countOf('let-through'), race],
    'answer-ms': [
      'Until the call was answered',
      answerTime,
      { at: (measured) => (measured.includes(RACE) ? CALL_NAMES : []) },
    ],
  },
  figures: answersFigure,
})
