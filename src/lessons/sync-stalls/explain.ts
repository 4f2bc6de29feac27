/** What a run of sync-stalls says, by the verdict's reason. Figures are quoted from the run, never written here. */
import {
  compare,
  durationRatio,
  explanation,
  factorInWords,
  idleInWords,
  inTimes,
  measured,
  paragraphs,
  sentences,
  variantsWith,
  whenMeasured,
  type MetricKey,
} from '../explain-tools'
import type { Prose, Quote } from '../lesson'

const OFTEN_TO_SELDOM = ['every-step', 'every-4', 'every-16', 'every-64'] as const
const often: Readonly<Record<string, string>> = {
  'every-step': 'after every step',
  'every-4': 'after every 4th step',
  'every-16': 'after every 16th step',
  'every-64': 'after every 64th step',
}
const whatIsRead: Readonly<Record<string, string>> = {
  item: 'Four bytes',
  matrix: 'The whole matrix',
  shape: 'The shape',
  branch: 'Four bytes that decide what comes next',
}

/** The variant that read most often among those that were run. */
function oftenest(quote: Quote): string {
  const run = new Set([...variantsWith(quote, 'step-ms'), ...variantsWith(quote, 'device-busy-ratio')])
  return OFTEN_TO_SELDOM.find((variant) => run.has(variant)) ?? 'every-step'
}

/** The headline: what the device did with and without reads. */
function busy(quote: Quote, variant: string): string | null {
  const share = measured(quote, ['device-busy-ratio', variant])
  const slowdown = factorInWords(quote, ['slowdown', variant])
  const read = whatIsRead[String(quote.report.params['read'] ?? 'item')] ?? 'A value'
  return sentences(
    whenMeasured(
      quote,
      [
        ['device-busy-ratio', 'never'],
        ['device-busy-ratio', variant],
      ],
      (never, reading) =>
        `Left alone, [[device:the device]] was computing ${never} of the time. ${read} read back ${often[variant] ?? variant} brought that to ${reading}${share === null ? '' : `: it was ${idleInWords(share)}`}.`,
    ),
    whenMeasured(
      quote,
      [
        ['step-ms', variant],
        ['step-ms', 'never'],
      ],
      (reading, never) =>
        `A step took ${reading} instead of ${never}${slowdown === null ? '' : `: ${slowdown} as long`}.`,
    ),
  )
}

/** Where the time of a stall goes. */
function stall(quote: Quote, variant: string): string | null {
  const key = (name: string): MetricKey => [name, variant]
  const ratio = durationRatio(quote, key('idle-per-stall-ms'), key('kernel-ms'))
  return sentences(
    whenMeasured(
      quote,
      [key('stall-ms')],
      (waited) => `For each readback [[wait:the host waited]] ${waited}.`,
    ),
    whenMeasured(
      quote,
      [key('idle-per-stall-ms'), key('kernel-ms')],
      (idle, kernel) =>
        `The device stood [[idle:idle]] for ${idle} on account of it, and one matmul takes ${kernel}${ratio === null ? '' : `: the idle time is ${inTimes(ratio)} the work`}.`,
    ),
  )
}

/** Did the matmul itself become slower? Only if the intervals say so. */
function kernelItself(quote: Quote, variant: string): string | null {
  const keys: MetricKey[] = [
    ['kernel-ms', 'never'],
    ['kernel-ms', variant],
  ]
  switch (compare(quote, ['kernel-ms', variant], ['kernel-ms', 'never'])) {
    case 'overlap':
      return whenMeasured(
        quote,
        keys,
        (never, reading) =>
          `The matmul itself took as long as ever, ${never} against ${reading}. Nothing ran slower; it ran later.`,
      )
    case 'above':
      return whenMeasured(
        quote,
        keys,
        (never, reading) =>
          `The matmul itself took longer too, ${reading} against ${never}. A device that is often idle may lower its clock rate, and the first pass after a pause then pays for it.`,
      )
    case 'below':
      return whenMeasured(
        quote,
        keys,
        (never, reading) =>
          `The matmul itself took less time, ${reading} against ${never}: a device that often rests may stay cooler. So it is not the kernel that a readback slows down.`,
      )
    case 'unmeasured':
      return null
  }
}

function why(quote: Quote): string {
  switch (quote.report.params['read']) {
    case 'matrix':
      return 'Two things add up here. The host waits until everything queued before the copy is done, and then for the bytes themselves. Compare with a run that reads 4 bytes: what both have in common is the waiting, what this one has on top is the matrix.'
    case 'branch':
      return 'An `if` on a value that the device has computed is a readback like any other. It is the hardest to move out of the way, because the next submission depends on its outcome.'
    default:
      return 'It is not the bytes. Four of them would cross any bus in less time than a clock can show. The host waits until everything queued before the copy is done, then until word of it arrives; only then does it submit the next step. By that time the queue has long been empty.'
  }
}

function seldom(quote: Quote, variant: string): string | null {
  const rarer = OFTEN_TO_SELDOM.slice(OFTEN_TO_SELDOM.findIndex((name) => name === variant) + 1).find(
    (name) => measured(quote, ['step-ms', name]) !== null,
  )
  if (rarer === undefined) return null
  return sentences(
    whenMeasured(
      quote,
      [
        ['device-busy-ratio', rarer],
        ['step-ms', rarer],
      ],
      (share, step) =>
        `Reading ${often[rarer] ?? rarer} instead left the device busy ${share} of the time, at ${step} a step. The price of a readback is paid per readback: ask for the number less often, and the same price is shared by more steps.`,
    ),
  )
}

function shown(quote: Quote): Prose {
  const variant = oftenest(quote)
  const { reason, text } = quote.report.verdict
  switch (reason) {
    case 'stall-dominates':
      return paragraphs(
        busy(quote, variant),
        sentences(stall(quote, variant), kernelItself(quote, variant)),
        why(quote),
        seldom(quote, variant),
      )
    case 'stall-hidden-by-long-kernel':
      return paragraphs(
        busy(quote, variant),
        stall(quote, variant),
        'The stall is there, but beside kernels this long it hardly weighs. What a readback costs is much the same whatever comes before it; the length of a kernel decides whether you notice. Make the matmul shorter, and the same stall takes over.',
      )
    case 'metadata-is-free':
      return paragraphs(
        sentences(
          whenMeasured(
            quote,
            [
              ['step-ms', 'never'],
              ['step-ms', variant],
            ],
            (never, reading) =>
              `A step took ${never} without reading and ${reading} when the shape was read ${often[variant] ?? variant}.`,
          ),
          'Reading the shape cost nothing, or next to nothing.',
        ),
        'Shape, element type, strides and device are facts that the host wrote down when it made the buffer or tensor. No command is queued, no byte travels, nothing is waited for. The *values* are what the device knows and the host does not.',
        whenMeasured(
          quote,
          [['device-busy-ratio', variant]],
          (share) => `The device went on computing meanwhile, ${share} of the time.`,
        ),
      )
    case 'host-bound':
      if (quote.report.params['read'] === 'shape') {
        return paragraphs(
          sentences(
            whenMeasured(
              quote,
              [
                ['step-ms', 'never'],
                ['step-ms', variant],
              ],
              (never, reading) =>
                `A step took ${never} without reading and ${reading} when the shape was read ${often[variant] ?? variant}.`,
            ),
            'The shape cannot be the cause. The host has it in its own memory; no command is queued for it and nothing is waited for. Something else held the host up during part of this run.',
          ),
          'Close what else is using the processor and run again, with more repeats.',
        )
      }
      return paragraphs(
        sentences(
          whenMeasured(
            quote,
            [
              ['device-busy-ratio', 'never'],
              ['kernel-ms', 'never'],
            ],
            (share, kernel) =>
              `Even without a single readback the device was computing only ${share} of the time, with ${kernel} a matmul.`,
          ),
          'Here the host could not hand over steps as fast as the device finished them. A device that is starved already has less to lose to a stall.',
        ),
        'To see the stall by itself, give each matmul more time, so that the queue has something in it.',
        stall(quote, variant),
      )
    case 'intervals-overlap':
      if (measured(quote, ['step-ms', 'never']) === null || measured(quote, ['step-ms', variant]) === null)
        return paragraphs(text)
      return paragraphs(
        sentences(
          'The repeats of this run differ from one another by more than reading and not reading do, so no conclusion is drawn.',
          whenMeasured(
            quote,
            [
              ['step-ms', 'never'],
              ['step-ms', variant],
            ],
            (never, reading) =>
              `A step took ${never} without reading and ${reading} when reading ${often[variant] ?? variant}.`,
          ),
          'More repeats narrow the intervals; shorter kernels make the stall larger beside them.',
        ),
        stall(quote, variant),
      )
    default:
      return paragraphs(text, busy(quote, variant), stall(quote, variant))
  }
}

export const explainSyncStalls = (quote: Quote): Prose => explanation(quote, shown)
