/** The sentences of a finding: what a change gains, and what the file shows of its cause. */
import { counted, durationRangeText, durationText, percentText, plain } from '../base/figures'
import { CAUSE_WORDS, COLLECTOR } from './cause-words'
import { NAMED_GAIN, type Gain, type SourceLine, type StepFacts } from './findings'
import type { Cause } from './replay/causes'
import { MEASURED_ESTIMATE } from './replay/predict'
import { isFloat32, type Removed } from './replay/without'

const us = (value: number): string => durationText(value * 1e3)

/** '1.7 times as fast'. */
export const timesText = (gain: number): string => `${plain(gain, gain < 1.1 ? 3 : 2)} times as fast`

/** Names the step of a recorded page: its frames, or all of its work where it has none. */
export const pageStep = ({ from }: Pick<StepFacts, 'from'>): string =>
  from === 'frames' ? 'a frame' : 'the recorded work'

const rangeText = ({ low, high }: Gain): string => `predicted; ${durationRangeText(low * 1e3, high * 1e3)}`

/** @param change 'Without reading results back' @param step what it is of: 'a frame' */
export function gainText(change: string, gain: Gain, nowUs: number, step = 'a step'): string {
  const { stepUs, high } = gain
  if (gain.gain < NAMED_GAIN)
    return `${change}, ${step} would take ${us(stepUs)} instead of ${us(nowUs)}, a gain below 2 % (${rangeText(gain)}).`
  return `${change}, ${step} would take ${us(stepUs)} instead of ${us(nowUs)}, ${timesText(gain.gain)} (${rangeText(gain)}).${high >= nowUs ? ' It may gain nothing.' : ''}`
}

/** Causes of which the operator or call says more than the cause. */
const NAMED: readonly Cause[] = [
  'read-back',
  'synchronize',
  'host-code',
  'allocation',
  'slow-kernels',
  'host-callback',
]

/** True: a function of the reader's, or what Python runs of its own accord. */
export const isCode = (what: string): boolean => what.includes('()') || what.startsWith(COLLECTOR)

/** 'Without reading results back (aten::item)'. */
export function changeOf(cause: Cause, what: string): string {
  if (cause === 'host-code' && isCode(what)) return `Without ${what}`
  const named = what !== '' && NAMED.includes(cause) ? ` (${what})` : ''
  return `${CAUSE_WORDS[cause].without}${named}`
}

/** The sentence for two changes that gain nothing alone. */
export function togetherText(causes: readonly [Cause, Cause], gain: Gain, nowUs: number): string {
  const change = changesText(causes.map((cause) => ({ cause, code: null })))
  return `${gainText(change, gain, nowUs)} Neither gains anything alone.`
}

export const IN_TF32 = 'In TF32'

/** 'Without reading results back and without waiting for the GPU'. */
export function changesText(removed: readonly Removed[]): string {
  const [first = '', ...others] = removed.map((each) => {
    if (isFloat32(each)) return IN_TF32
    return each.code === null ? CAUSE_WORDS[each.cause].without : `Without ${each.code}`
  })
  return [first, ...others.map((text) => text.charAt(0).toLowerCase() + text.slice(1))].join(' and ')
}

/** The facts that lead a finding of a replayed profile. */
export interface Seen {
  readonly cause: Cause
  readonly what: string
  /** Time of the host or the device in a step, as recorded. */
  readonly spentUs: number
  readonly stepUs: number
  /** The step without the profiler is known, and another. */
  readonly isOther: boolean
  /** Steps that the time is of. */
  readonly steps: number
  /** Launches in a step. */
  readonly launches: number
  /** The stream that collectives share with kernels; null: they have their own. */
  readonly sharedStream: string | null
}

export const ONE_RANK =
  'One rank’s file can’t tell moving data from waiting for another rank: if another sets the pace, a change here gains nothing. Open the files of all ranks together.'

export const THREADS =
  'Several threads launch work. How they wait for each other is not recorded: it is inferred from which went on when, and ranges are wider.'

/** Fewer have no others to be compared with. */
const FEW_STEPS = 3

/** Says in a sentence how the profile shows a cause. */
export function leadOf({
  cause,
  what,
  spentUs,
  stepUs,
  isOther,
  steps,
  launches,
  sharedStream,
}: Seen): string {
  const spent = `${us(spentUs)} of each ${us(stepUs)} step${isOther ? ' under the profiler' : ''}`
  const named = what === '' ? '' : ` (${what})`
  switch (cause) {
    case 'read-back':
      return `The host reads results back${named} for ${spent}.`
    case 'synchronize':
      return `It waits${what === '' ? '' : ` in ${what}`} for ${spent}, and reads nothing.`
    case 'data-loading':
      return `The host is in the DataLoader for ${spent}.`
    case 'host-code':
      return what === ''
        ? `For ${spent} the host runs code that the file does not name.`
        : `The host is in ${what} for ${spent}.`
    case 'dispatch':
      return `Dispatching ${counted(Math.round(launches), 'launch', 'launches')} takes the host ${spent}.`
    case 'allocation':
      return `The host allocates and frees device memory${named} for ${spent}.`
    case 'pageable-copies':
      return `These copies hold the host up for ${spent}.`
    case 'copies-in-line':
      return `Copies between kernels on the same stream take ${spent}.`
    case 'collectives':
      return sharedStream === null
        ? `Collectives take ${spent}.`
        : `Collectives take ${spent}, on ${sharedStream} like the kernels: they can’t overlap there.`
    case 'late-rank':
      return `Waiting in collectives takes ${spent}.`
    case 'slow-kernels':
      return `Kernels${named} take ${spent}, at least twice as long as at peak FLOP/s or peak bandwidth.`
    case 'host-callback':
      return `A host callback${named} holds the GPU up for ${spent}.`
    case 'unknown':
      if (steps < FEW_STEPS) return `No host activity is recorded for ${spent}.`
      return `No host activity is recorded for ${us(spentUs)} a step on average, in pauses that most steps don’t have.`
  }
}

/** A profile's step is so much longer or shorter than its program's that it has to be said. */
export const differs = (recordedUs: number, unprofiledUs: number | null): boolean =>
  unprofiledUs !== null && Math.abs(recordedUs - unprofiledUs) > 0.03 * unprofiledUs

/**
 * How the profile's step and the program's differ; '' where they don't. The 3 is `json-logging` of
 * bench/interventions.
 */
export function slowdownText({ unprofiledUs, estimatedUs, errorsOf }: StepFacts, recordedUs: number): string {
  if (unprofiledUs === null) {
    const isTold = estimatedUs !== null && differs(recordedUs, estimatedUs)
    const estimate = isTold ? ` Without it a step takes about ${us(estimatedUs)} ${ESTIMATED}.` : ''
    return `Times are under the profiler, which made steps up to 3 times as long in our measurements.${estimate} Record with the lines on ‘Open a trace’: they also time steps without it.`
  }
  const how = errorsOf === 'estimated' ? ` ${ESTIMATED}` : ''
  return differs(recordedUs, unprofiledUs)
    ? `A step took ${us(recordedUs)} under the profiler, and ${us(unprofiledUs)} without it${how}. Predictions are for the program without the profiler; all other times and shares are as recorded.`
    : ''
}

const ESTIMATED = `(estimated from what it usually adds; within ${percentText(MEASURED_ESTIMATE.within)} of the measured step in ${MEASURED_ESTIMATE.of} loops)`

const OF_PAGE = /\.([cm]?[jt]sx?|html?)$/

/**
 * 'train.py(42): step', as torch.profiler writes it, and what was called there; of a page
 * 'step (train.js:42)', as DevTools do.
 */
export const sourceText = ({ file, line, name, method }: SourceLine): string =>
  OF_PAGE.test(file)
    ? `${name} (${file}:${String(line)})`
    : `${file}(${String(line)}): ${name}${method === null ? '' : `, .${method}()`}`
