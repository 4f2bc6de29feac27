/**
 * How long would a repeat take if one cause of idle time were gone? Each counted repeat is replayed (replay.ts) without what the cause
 * stands for (repeat-model.ts). Pure; from the spans of that one variant alone, so that the variant that was mended can put it to the test.
 *
 * The bounds are of what the trace does not tell: how soon queued work could have begun (the soonest and the latest of replay.ts), where
 * in the clock fit's band the device's times lie, and the spread over the repeats. Not in them: that work may slow what now runs beside it.
 */
import { NS_PER_MS } from '../base/units'
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import type { Metric } from '../trace/report'
import { deviceWindows } from './device-windows'
import { differenceOf } from './difference'
import { summarise } from './metrics'
import { removalOf, RepeatReader, shifted } from './repeat-model'
import { Replay } from './replay'
import type { Gap, GapCause } from '../trace/gaps'

/** Least that a repeat can take whatever is awaited, ms, medians over repeats. */
interface Limits {
  /** All of the device's work, one after the other. */
  readonly deviceMs: number
  /** All that the host does itself: its time less its waits (and less what was taken away). */
  readonly hostMs: number
}

export interface Prediction {
  readonly cause: GapCause
  readonly variant: string
  /** A repeat as measured, ms. */
  readonly now: Metric
  /** A repeat as replayed without the cause, ms. */
  readonly predicted: Metric
  /** The time as it is less this cause's idle time, ms: what it would be if nothing else then set the pace. */
  readonly lessIdleMs: number
  readonly limits: Limits
  /** Waits taken away in a repeat, median. */
  readonly waits: number
}

export type WhatIf =
  | { readonly state: 'predicted'; readonly prediction: Prediction }
  | { readonly state: 'not-predictable'; readonly why: string }

const no = (why: string): WhatIf => ({ state: 'not-predictable', why })

/** The time of a repeat by the host's clock. */
export function repeatTime(placed: PlacedTrace, variant: string): Metric {
  const reader = new RepeatReader(placed)
  const index = placed.trace.strings.indexOf(variant)
  return timeMetric(
    placed,
    variant,
    reader.repeatsOf(index).map((repeat) => reader.lengthNs(index, repeat)),
  )
}

function timeMetric({ trace }: PlacedTrace, variant: string, samplesNs: readonly number[]): Metric {
  const stepNs = trace.clocks.find(({ kind }) => kind === 'host')?.stepNs ?? 0
  return summarise({
    name: 'repeat-ms',
    variant,
    unit: 'ms',
    origin: 'host-clock',
    samples: samplesNs.map((timeNs) => timeNs / NS_PER_MS),
    systematic: stepNs / NS_PER_MS,
    range: [0, Infinity],
  })
}

interface Replayed {
  readonly nowNs: number
  readonly likelyNs: number
  readonly lowNs: number
  readonly highNs: number
  readonly hostNs: number
  readonly waits: number
}

/** `gaps` are those of this repeat. */
function replayRepeat(
  reader: RepeatReader,
  placed: PlacedTrace,
  gaps: readonly Gap[],
  cause: GapCause,
  busyNs: number,
): Replayed | string {
  const [variant, repeat] = [gaps[0]?.variant ?? -1, gaps[0]?.repeat ?? -1]
  const { submission } = placed.trace.spans
  const [earlierNs, laterNs] = reader.shiftsNs(variant, repeat)
  const nowNs = reader.lengthNs(variant, repeat)
  const read = reader.read(variant, repeat)
  if (typeof read === 'string') return read
  const played = [0, -earlierNs, laterNs].map((shiftNs) => {
    const moved = shifted(read, shiftNs)
    const removal = removalOf(moved, (span) => submission[span] ?? -1, gaps, cause)
    const replay = new Replay(moved)
    // The device cannot do its work in less, and what is taken away never makes it later: the clocks' contradictions end there.
    const within = (timeNs: number) => Math.min(nowNs, Math.max(timeNs, busyNs))
    return {
      removal,
      soonestNs: within(replay.lengthNs(removal, 'soonest')),
      latestNs: within(replay.lengthNs(removal, 'latest')),
      likelyNs: shiftNs === 0 ? within(replay.lengthNs(removal, 'likely')) : Number.NaN,
    }
  })
  const [unmoved] = played
  if (!unmoved) return 'Nothing was replayed.'
  const { removal, likelyNs } = unmoved
  return {
    nowNs,
    likelyNs,
    lowNs: Math.min(likelyNs, ...played.map(({ soonestNs }) => soonestNs)),
    highNs: Math.max(likelyNs, ...played.map(({ latestNs }) => latestNs)),
    hostNs: read.steps.reduce(
      (sum, { isWait, lengthNs }, at) => (isWait ? sum : sum + lengthNs - (removal.hostNs.get(at) ?? 0)),
      0,
    ),
    waits: removal.waits.size,
  }
}

/** The same, one repeat after the other: between two of them the page may draw, and whoever asks no longer stops asking. */
export function* whatIfByRepeats(
  placed: PlacedTrace,
  gaps: readonly Gap[],
  variant: string,
  cause: GapCause,
): Generator<void, WhatIf, void> {
  if (cause === 'unknown')
    return no('What the evidence does not decide cannot be taken away: there is no mechanism to replay.')
  if (cause === 'rank-waited')
    return no('It waited for another rank: when that would have come is not in a replay of this one.')
  const windows = deviceWindows(placed.trace).filter((window) => window.variant === variant)
  const variantIndex = windows[0]?.variantIndex ?? -1
  if (windows.length === 0)
    return no('No device times were recorded for it: a replay needs to know how long the device worked.')
  yield
  const byRepeat = gapsByRepeat(gaps, variantIndex)
  if (![...byRepeat.values()].some((own) => own.some((gap) => gap.cause === cause)))
    return no('No gap of this cause was found.')
  yield
  const reader = new RepeatReader(placed)
  const replayed: Replayed[] = []
  for (const { repeat, busyNs } of windows) {
    yield
    const inRepeat = byRepeat.get(repeat)
    if (!inRepeat) {
      // Nothing to take away: it stays as it is.
      const nowNs = reader.lengthNs(variantIndex, repeat)
      replayed.push({ nowNs, likelyNs: nowNs, lowNs: nowNs, highNs: nowNs, hostNs: Number.NaN, waits: 0 })
      continue
    }
    const found = replayRepeat(reader, placed, inRepeat, cause, busyNs)
    if (typeof found === 'string') return no(found)
    replayed.push(found)
  }
  const metric = (pick: (each: Replayed) => number) => timeMetric(placed, variant, replayed.map(pick))
  const [now, likely] = [metric(({ nowNs }) => nowNs), metric(({ likelyNs }) => likelyNs)]
  const idleNs = windows.map(({ repeat }) =>
    (byRepeat.get(repeat) ?? []).reduce((sum, gap) => (gap.cause === cause ? sum + gap.durationNs : sum), 0),
  )
  const hosts = replayed.map(({ hostNs }) => hostNs).filter((hostNs) => !Number.isNaN(hostNs))
  return {
    state: 'predicted',
    prediction: {
      cause,
      variant,
      now,
      predicted: {
        ...likely,
        low: metric(({ lowNs }) => lowNs).low,
        high: metric(({ highNs }) => highNs).high,
        origin: 'derived',
      },
      lessIdleMs: median(replayed.map(({ nowNs }, at) => nowNs - (idleNs[at] ?? 0))) / NS_PER_MS,
      limits: {
        deviceMs: median(windows.map(({ busyNs }) => busyNs)) / NS_PER_MS,
        hostMs: median(hosts) / NS_PER_MS,
      },
      waits: median(replayed.map(({ waits }) => waits)),
    },
  }
}

function gapsByRepeat(gaps: readonly Gap[], variant: number): ReadonlyMap<number, readonly Gap[]> {
  const found = new Map<number, Gap[]>()
  for (const gap of gaps) {
    if (gap.variant !== variant) continue
    const list = found.get(gap.repeat)
    if (list) list.push(gap)
    else found.set(gap.repeat, [gap])
  }
  return found
}

/** How a prediction fared. Which branch it is rests on intervals, never on two medians. */
export type Outcome = 'as-predicted' | 'faster' | 'slower' | 'not-decided' | 'no-gain'

export interface Tested {
  readonly outcome: Outcome
  /** The mended variant's time of a repeat, ms. */
  readonly measured: Metric
  /** Measured over predicted; null where one is missing. */
  readonly ratio: number | null
  /** Why it is not decided; '' where it is. */
  readonly why: string
}

/** `measured`: a repeat of the variant that goes without the cause. */
export function testPrediction(
  { now, predicted }: Pick<Prediction, 'now' | 'predicted'>,
  measured: Metric,
): Tested {
  const ratio =
    measured.value !== null && predicted.value !== null && predicted.value > 0
      ? measured.value / predicted.value
      : null
  const tested = (outcome: Outcome, why = ''): Tested => ({ outcome, measured, ratio, why })
  const gain = differenceOf(now, measured)
  const against = differenceOf(predicted, measured)
  if (gain.verdict === 'unknown') return tested('not-decided', gain.why)
  if (gain.verdict === 'more' || gain.verdict === 'same') return tested('no-gain')
  if (gain.verdict === 'undecided')
    return tested('not-decided', 'the intervals overlap of what was measured with the cause and without it')
  if (against.verdict === 'unknown') return tested('not-decided', against.why)
  if (against.verdict === 'less') return tested('faster')
  if (against.verdict === 'more') return tested('slower')
  const [low, high] = [predicted.low ?? -Infinity, predicted.high ?? Infinity]
  const isWithin = (measured.low ?? -Infinity) >= low && (measured.high ?? Infinity) <= high
  if (isWithin && differenceOf(now, predicted).verdict === 'undecided')
    return tested(
      'not-decided',
      'the prediction’s own interval holds the time as it is, so anything would agree with it',
    )
  if (isWithin) return tested('as-predicted')
  return tested('not-decided', 'the intervals overlap, and the measured one is not within the predicted one')
}
