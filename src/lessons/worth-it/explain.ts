/** What a run of worth-it says, by the verdict's reason. Figures are quoted from the run, never written here. */
import {
  compare,
  durationRatio,
  explanation,
  factorInWords,
  inTimes,
  paragraphs,
  sentences,
  variantsWith,
  whenMeasured,
  type MetricKey,
} from '../explain-tools'
import type { Prose, Quote } from '../lesson'

const CROSSOVER: MetricKey = ['crossover-n', 'round-trip']
const RULE: MetricKey = ['rule-n', 'round-trip']
const RULE_LATENCY: MetricKey = ['rule-latency-n', 'round-trip']
const LATENCY: MetricKey = ['latency-ms', 'latency']
const UPLOAD: MetricKey = ['upload-gb-per-s', 'upload']
const READBACK: MetricKey = ['readback-gb-per-s', 'readback']
/** What the prediction asks about. */
const ASKED = 128

const time = (place: string, n: number): MetricKey => ['time-ms', `${place}-${String(n)}`]

/** Sizes with a metric at a place, ascending. */
const sizesWith = (quote: Quote, name: string, place: string): readonly number[] =>
  variantsWith(quote, name)
    .flatMap((variant) => {
      const size = variant.startsWith(`${place}-`) ? Number(variant.slice(place.length + 1)) : Number.NaN
      return Number.isInteger(size) ? [size] : []
    })
    .toSorted((a, b) => a - b)

const bothWays = (quote: Quote): readonly number[] => {
  const onDevice = sizesWith(quote, 'time-ms', 'round-trip')
  return sizesWith(quote, 'time-ms', 'cpu').filter((n) => onDevice.includes(n))
}
const usesOf = (quote: Quote): number => Number(quote.report.params['uses'] ?? 1)
/** 'a product', or what stands for it where the matrices are used again. */
const operation = (quote: Quote): string =>
  usesOf(quote) === 1 ? 'the product' : `${String(usesOf(quote))} products of the same matrices`
const square = (n: number): string => `${String(n)} × ${String(n)}`

/** The headline: what a round trip is made of. */
function parts(quote: Quote): string | null {
  const sizes = sizesWith(quote, 'kernel-share', 'round-trip')
  const n = sizes.includes(ASKED) ? ASKED : (sizes.find((size) => size > ASKED) ?? sizes.at(-1) ?? ASKED)
  const variant = `round-trip-${String(n)}`
  return sentences(
    whenMeasured(
      quote,
      [
        ['time-ms', variant],
        ['kernel-share', variant],
      ],
      (whole, share) =>
        `There and back with matrices of ${square(n)} took ${whole}. Of that time [[device:the device]] was computing ${share}.`,
    ),
    whenMeasured(
      quote,
      [
        ['fill-ms', variant],
        ['read-ms', variant],
      ],
      (fill, read) =>
        `[[staging:Filling]] the staging buffers took the host ${fill}, and copying the result out ${read}.`,
    ),
    whenMeasured(
      quote,
      [['other-wait-ms', variant]],
      (other) =>
        `For ${other} the host [[wait:waited]] while the device was not computing: bytes were on their way, and word of the end.`,
    ),
  )
}

/** Both ends of the range, so that the reader sees which way it turns. */
function ends(quote: Quote): string | null {
  const sizes = bothWays(quote)
  const [first, last] = [sizes[0], sizes.at(-1)]
  const at = (n: number): string | null =>
    whenMeasured(
      quote,
      [time('cpu', n), time('round-trip', n)],
      (cpu, device) =>
        `At ${square(n)} ${operation(quote)} took [[host:the processor]] ${cpu}, and ${device} with the way to the device and back.`,
    )
  if (first === undefined || last === undefined) return null
  return first === last ? at(first) : sentences(at(first), at(last))
}

function crossing(quote: Quote): string | null {
  return whenMeasured(
    quote,
    [CROSSOVER],
    (n) =>
      `The two curves cross at n = ${n}. Below that the processor was done first; above it the device was, although two matrices travelled there and one back.`,
  )
}

/** The same matrices, were they on the device already. */
function resident(quote: Quote): string | null {
  const sizes = sizesWith(quote, 'time-ms', 'resident')
  const n = sizesWith(quote, 'time-ms', 'round-trip').findLast((size) => sizes.includes(size))
  if (n === undefined) return null
  const [stays, trip] = [time('resident', n), time('round-trip', n)]
  if (compare(quote, stays, trip) !== 'below') return null
  const ratio = durationRatio(quote, trip, stays)
  return sentences(
    whenMeasured(
      quote,
      [stays, trip],
      (there, back) =>
        `Left on the device and queued one behind the other, ${operation(quote)} took ${there} at ${square(n)}, against ${back} there and back${ratio === null ? '' : `, which is ${inTimes(ratio)} as long`}.`,
    ),
    whenMeasured(
      quote,
      [['crossover-n', 'resident']],
      (crossed) => `For matrices that are there already and stay there, the curves cross at n = ${crossed}.`,
    ),
    'So the question is seldom how fast the device computes. It is where the data lives before and after.',
  )
}

/** What the rule of thumb is made of, and what it comes to. */
function ruleOf(quote: Quote): string | null {
  return sentences(
    whenMeasured(
      quote,
      [UPLOAD, READBACK],
      (up, down) =>
        `The rule of thumb weighs the computing that is saved against the bytes that travel. Bytes went up at ${up} here and came back at ${down}.`,
    ),
    whenMeasured(
      quote,
      [RULE],
      (n) => `With the rates of processor and device the rule puts the crossover at n = ${n}.`,
    ),
  )
}

function withLatency(quote: Quote): string | null {
  return whenMeasured(
    quote,
    [LATENCY, RULE_LATENCY],
    (latency, n) =>
      `A round trip with hardly a byte in it took ${latency}. Add that to the side of the device, and the rule says n = ${n}.`,
  )
}

/** How far the rule is off, by name. */
function offBy(quote: Quote, name: string, whose: string): string | null {
  const factor = factorInWords(quote, [name, 'round-trip'])
  return factor === null ? null : `What was measured is ${factor} what ${whose} says.`
}

function reuse(quote: Quote): string {
  return usesOf(quote) === 1
    ? 'One product for each upload is the worst case for a device. Every further product of matrices that are there already costs computing only, so the way there is shared.'
    : `Here each upload served ${String(usesOf(quote))} products. The way there and back is paid once for all of them, which is what moves the crossover down: compare with a run that uses each upload once.`
}

const LATENCY_DECIDES =
  'For small matrices it is not the bytes that decide. A fixed price is paid for each round trip: commands go through another process, and word of the end comes back late. A rule that knows rates and bandwidths only cannot see it, and calls the device worth it far too early.'

function shown(quote: Quote): Prose {
  const { reason, text } = quote.report.verdict
  switch (reason) {
    case 'rule-misses-latency':
      return paragraphs(
        parts(quote),
        sentences(crossing(quote), ends(quote)),
        sentences(ruleOf(quote), offBy(quote, 'rule-factor', 'the rule')),
        sentences(
          LATENCY_DECIDES,
          withLatency(quote),
          offBy(quote, 'rule-latency-factor', 'the rule with latency'),
        ),
        sentences(resident(quote), reuse(quote)),
      )
    case 'rule-holds':
      return paragraphs(
        parts(quote),
        sentences(crossing(quote), ends(quote)),
        sentences(ruleOf(quote), offBy(quote, 'rule-factor', 'the rule')),
        sentences(
          'Near enough to serve: at this size the bytes weigh more than what is paid once for each round trip.',
          withLatency(quote),
        ),
        sentences(resident(quote), reuse(quote)),
      )
    case 'rule-undecided':
      return paragraphs(
        parts(quote),
        sentences(crossing(quote), ends(quote)),
        sentences(
          ruleOf(quote),
          offBy(quote, 'rule-factor', 'the rule'),
          'That interval has room for a rule that is right and for one that is far off, so neither is claimed. More repeats narrow it.',
        ),
        withLatency(quote),
        resident(quote),
      )
    case 'rule-misses':
      return paragraphs(
        parts(quote),
        sentences(crossing(quote), ends(quote)),
        sentences(ruleOf(quote), offBy(quote, 'rule-factor', 'the rule')),
        sentences(
          withLatency(quote),
          offBy(quote, 'rule-latency-factor', 'the rule with latency'),
          'So something else weighs here. The rule takes one rate for all sizes, but a small matrix fills neither the units of a device nor those of a processor with many threads; and it lets nothing overlap, though a second buffer may be filled while the first is carried. The figures by size show which.',
        ),
        resident(quote),
      )
    case 'rule-unknown':
      return paragraphs(
        parts(quote),
        sentences(crossing(quote), ends(quote)),
        'The rule of thumb needs four rates, and one of them could not be had in this run, so there is nothing to compare with. The table of figures says which, and why.',
        sentences(resident(quote), reuse(quote)),
      )
    case 'gpu-always-wins':
      return paragraphs(
        parts(quote),
        sentences(
          'At every size of this run the device was done first, its way there and back included.',
          ends(quote),
        ),
        'There is a crossover, but further down. Run smaller matrices until the processor wins; or look at how the processor was used, since plain code or a single thread makes any device look good.',
        resident(quote),
      )
    case 'cpu-always-wins':
      return paragraphs(
        parts(quote),
        sentences('At every size of this run the processor was done first.', ends(quote)),
        quote.report.environment.isSoftware
          ? 'It could not be otherwise. This adapter computes on the same processor, with less than the best code for it, and on top of that comes the way through another process. A device that is not faster is never worth the way, however large the matrices are.'
          : 'Here the device computes no faster than the processor does, even with everything in place. Then no size is large enough: both sides of the comparison grow with the same power of n, and the way there comes on top.',
        resident(quote),
      )
    case 'sizes-too-small':
      return paragraphs(
        parts(quote),
        sentences('At every size of this run the processor was done first.', ends(quote)),
        'But the device computes faster once everything is in place, and its lead grows with n³, while the bytes grow with n². Somewhere above the largest size the curves must cross. Choose larger sizes; or let each upload serve more products.',
        sentences(ruleOf(quote), withLatency(quote)),
      )
    case 'intervals-overlap':
      return paragraphs(
        parts(quote),
        sentences(
          'The repeats of this run differ so much from one another that at no pair of sizes one side is ahead for certain, so no crossover is claimed.',
          ends(quote),
        ),
        'Close what else is using the processor, and run more repeats.',
      )
    case 'nothing-to-compare':
      return paragraphs(
        'No size was run both by the processor and by the device, so there are no two curves that could cross. Sizes that would take too long on one of them are left out: choose smaller ones, or fewer products on each upload.',
        parts(quote),
      )
    default:
      return paragraphs(text, parts(quote), crossing(quote))
  }
}

/** How the processor's side was computed: a poor opponent makes any device look good. */
function opponent(quote: Quote): string | null {
  const { derived } = quote.report
  const [library, threads] = [derived['processorLibrary'], derived['processorThreads']]
  const note = String(derived['processorNote'] ?? '')
  if (typeof library !== 'string' || typeof threads !== 'number') return null
  return sentences(
    `[[host:The processor]] multiplied with ${library}, on ${threads === 1 ? 'one thread' : `${String(threads)} threads`}.`,
    note === '' ? null : `That is less than it could do (${note}), so every crossover here lies too low.`,
  )
}

function leftOut(quote: Quote): string | null {
  const sizes = String(quote.report.derived['sizesLeftOut'] ?? '')
  return sizes === ''
    ? null
    : `Not run both ways, since one of the two would have taken too long: n = ${sizes.replaceAll(' ', ', ')}.`
}

export const explainWorthIt = (quote: Quote): Prose =>
  explanation(quote, (sound) => paragraphs(...shown(sound), sentences(opponent(sound), leftOut(sound))))
