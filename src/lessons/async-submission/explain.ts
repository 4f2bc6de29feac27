/** What a run of async-submission says, by the verdict's reason. Figures are quoted from the run, never written here. */
import {
  compare,
  explanation,
  inTimes,
  leastRatio,
  measured,
  paragraphs,
  sentences,
  whenMeasured,
  type MetricKey,
} from '../explain-tools'
import type { Prose, Quote } from '../lesson'

const queued = (name: string): MetricKey => [name, 'queued']
const awaited = (name: string): MetricKey => [name, 'await-each']

/** The host's share of a step: what it did, and how long the device then worked. */
function handingOver(quote: Quote): string | null {
  const ratio = leastRatio(quote, queued('kernel-ms'), queued('submit-us'))
  return sentences(
    whenMeasured(
      quote,
      [queued('host-free-ratio'), queued('encode-us'), queued('submit-us')],
      (free, encode, submit) =>
        `With everything queued, [[host:the host]] was free for ${free} of the run. A step cost it ${encode} to record and ${submit} inside \`submit()\`; that was all it had to do.`,
    ),
    ratio === null
      ? null
      : whenMeasured(
          quote,
          [queued('kernel-ms')],
          (kernel) =>
            `The matmul that such a call set going kept [[device:the device]] busy for ${kernel}, at least ${inTimes(ratio)} as long. A clock around \`submit()\` times the handing over and nothing else.`,
        ),
  )
}

function depth(quote: Quote): string | null {
  return sentences(
    whenMeasured(
      quote,
      [queued('queue-depth-max')],
      (deepest) => `[[queue:The queue]] grew to ${deepest} submissions: so far ahead did the host run.`,
    ),
    whenMeasured(
      quote,
      [queued('device-busy-ratio')],
      (busy) => `From its first pass to its last the device was computing ${busy} of the time.`,
    ),
    // Where the begin of a pass is stamped early the gap comes out negative: there is none to speak of.
    (measured(quote, queued('launch-gap-us')) ?? 0) > 0
      ? whenMeasured(
          quote,
          [queued('launch-gap-us')],
          (gap) => `Between two passes that stood in the queue already it was idle for ${gap}.`,
        )
      : null,
  )
}

/** Queued against awaiting each, and why they differ or do not. */
function waiting(quote: Quote): string | null {
  const stepKeys = [awaited('step-ms'), queued('step-ms')]
  const busy = whenMeasured(
    quote,
    [awaited('device-busy-ratio'), queued('device-busy-ratio')],
    (each, all) => `The device was computing ${each} of the time, against ${all} with a full queue.`,
  )
  switch (compare(quote, awaited('step-ms'), queued('step-ms'))) {
    case 'above':
      return sentences(
        whenMeasured(
          quote,
          stepKeys,
          (each, all) => `Waiting after every step made a step take ${each} instead of ${all}.`,
        ),
        busy,
        '[[wait:Waiting]] kept the host no busier. What was missing was work in the queue: when a pass ended, nothing stood behind it, and nothing could until the host had heard of the end and submitted again.',
      )
    case 'overlap':
      return sentences(
        whenMeasured(
          quote,
          stepKeys,
          (each, all) =>
            `Waiting after every step made no difference to a step's time that this run can tell: ${each} against ${all}, and the two intervals overlap. What a wait costs is about the same each time, so beside a long kernel it hardly shows.`,
        ),
        busy,
      )
    case 'below':
      return whenMeasured(
        quote,
        stepKeys,
        (each, all) =>
          `A step was shorter when the host waited after each, ${each} against ${all}. A queue cannot bring that about by being emptier; something on this machine differed between the two, such as its clock rate or other programs. Run it again with more repeats.`,
      )
    case 'unmeasured':
      return null
  }
}

function hearing(quote: Quote): string | null {
  const text = (lag: string): string =>
    `The host heard of an end ${lag} after the device had reached it. In between lie the browser's own look at what has finished, a message between two processes, and the event loop of the program. So the moment a promise settles is not the moment the device was done, and the four times of a command want a fifth: *heard of*.`
  // A lag that is not above zero lies within the bound of the clock fit and says nothing.
  const key = [awaited('completion-lag-ms'), queued('completion-lag-ms')].find(
    (candidate) => (measured(quote, candidate) ?? 0) > 0,
  )
  return key ? whenMeasured(quote, [key], text) : null
}

function shown(quote: Quote): Prose {
  const { reason, text } = quote.report.verdict
  switch (reason) {
    case 'host-runs-ahead':
      return paragraphs(handingOver(quote), depth(quote), waiting(quote), hearing(quote))
    case 'kernel-too-short':
      return paragraphs(
        sentences(
          whenMeasured(
            quote,
            [queued('kernel-ms'), queued('encode-us'), queued('submit-us')],
            (kernel, encode, submit) =>
              `A matmul took the device ${kernel}; recording it took the host ${encode}, and \`submit()\` ${submit}.`,
          ),
          'The host needed a good part of that time to hand over the next step, so it had little lead to gain. Where kernels are shorter still, the queue runs dry and the host sets the pace.',
          whenMeasured(
            quote,
            [queued('queue-depth-max')],
            (deepest) => `At its deepest the queue held ${deepest} submissions.`,
          ),
        ),
        'That is a finding too. Where kernels are this small, the remedy is fewer and larger submissions: several passes in one command buffer, or one kernel that does the work of several. To see the host run ahead, give each matmul more time.',
        hearing(quote),
      )
    case 'submit-blocked':
      return paragraphs(
        sentences(
          whenMeasured(
            quote,
            [queued('submit-us')],
            (submit) => `\`submit()\` did not return at once here: it held the host for ${submit} a call.`,
            '`submit()` did not return at once here: it held the host for a good part of each step.',
          ),
          'Commands travel from the page to another process of the browser through a buffer of limited size. When that process falls behind, or has no core to run on, the page may have to wait for room.',
          'A page can see that the call was slow, not why; the reason given here is inferred.',
        ),
        'Try fewer steps, so that less is under way at once, and close what else is using the processor.',
        waiting(quote),
      )
    case 'no-difference':
      return paragraphs(
        handingOver(quote),
        'So the host did not get far ahead: for a good part of the run it was busy handing over what the device was waiting for. Longer kernels change that, since a step costs the host the same however long it runs.',
        waiting(quote),
        hearing(quote),
      )
    case 'intervals-overlap':
      if (measured(quote, queued('step-ms')) === null) return paragraphs(text)
      return paragraphs(
        sentences(
          'The repeats of this run spread too far for a conclusion.',
          whenMeasured(
            quote,
            [queued('step-ms'), awaited('step-ms')],
            (all, each) => `A step took ${all} queued and ${each} with a wait after each.`,
          ),
          'More repeats narrow the intervals; other programs and a machine that runs hot widen them.',
        ),
        handingOver(quote),
      )
    default:
      return paragraphs(text, handingOver(quote), waiting(quote))
  }
}

export const explainAsyncSubmission = (quote: Quote): Prose => explanation(quote, shown)
