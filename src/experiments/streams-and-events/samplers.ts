/** When the first result was in the program's hands, and how long it took until a call that races was answered. Pure. */
import { summarise } from '../../analysis/metrics'
import { NOT_RECORDED } from '../declare/device-samplers'
import { NOT_NEGATIVE, SHARE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf } from '../declare/samplers'
import { VariantSpans } from '../evidence'
import type { Window } from '../run-types'
import { CALL_NAMES, RACE } from './variants'

/** ns from the window's start to the end of the first read; null where nothing was read, or nothing recorded. */
function firstReadNs({ spans, evidence }: View<unknown>, { repeat, startNs }: Window): number | null {
  const ends = spans.find(repeat, { role: 'read' }).map((span) => evidence.placed.endNs[span] ?? Number.NaN)
  return ends.length > 0 ? Math.min(...ends) - startNs : null
}

export const firstResult: RepeatSampler<unknown> = {
  kind: 'repeats',
  quantity: 'time',
  origin: 'host-clock',
  range: NOT_NEGATIVE,
  sample: firstReadNs,
  systematic: ({ evidence }) => evidence.hostStepNs,
  missing: () => NOT_RECORDED,
}

/** The same as a share of the time until all results had been read. */
export const firstShare: RepeatSampler<unknown> = {
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

/** Until one of the calls was answered; its place is the call's name. */
export const answerTime: DerivedSampler<unknown> = {
  kind: 'derived',
  quantity: 'time',
  origin: 'host-clock',
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
      ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
    })
  },
}
