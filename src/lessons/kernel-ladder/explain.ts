/** What a run of kernel-ladder says, by the verdict's reason. Figures are quoted from the run, never written here. */
import {
  compare,
  explanation,
  factorInWords,
  measured,
  paragraphs,
  sentences,
  variantsWith,
  whenMeasured,
  type MetricKey,
} from '../explain-tools'
import type { Prose, Quote } from '../lesson'

const PEAK: MetricKey = ['peak-gflops', 'fma-peak']
const ALONE: MetricKey = ['step-ms', 'transfers-only']
const moved = (rung: string): string => `${rung}+transfers`

interface Rungs {
  readonly all: readonly string[]
  readonly first: string
  readonly fastest: string
}

/** Variants that are no rung by itself: the whole run, the roofline's two, and whatever moves its data. */
const NO_RUNG = /^$|^fma-peak$|^stream-copy$|transfers/

/** Rungs that were timed, in the order of the run; null where there are not two. */
function rungsOf(quote: Quote): Rungs | null {
  const all = variantsWith(quote, 'kernel-ms').filter(
    (rung) => !NO_RUNG.test(rung) && measured(quote, ['kernel-ms', rung]) !== null,
  )
  const timeOf = (rung: string) => measured(quote, ['kernel-ms', rung]) ?? Infinity
  const [first] = all
  const fastest = all.toSorted((a, b) => timeOf(a) - timeOf(b))[0]
  return first !== undefined && fastest !== undefined && all.length > 1 ? { all, first, fastest } : null
}

/** The headline of the ladder itself: fastest against first, and against what the device can do. */
function climb(quote: Quote, { first, fastest }: Rungs): string | null {
  const factor = factorInWords(quote, ['best-speedup', ''])
  return sentences(
    fastest === first
      ? whenMeasured(
          quote,
          [['kernel-ms', first]],
          (time) => `No kernel was faster than the first, **${first}**, which took ${time}.`,
        )
      : whenMeasured(
          quote,
          [
            ['kernel-ms', fastest],
            ['kernel-ms', first],
          ],
          (fast, slow) =>
            `On matrices that stay on [[device:the device]], **${fastest}** took ${fast} for what **${first}** took ${slow}${factor === null ? '' : `: ${factor} as fast`}.`,
        ),
    whenMeasured(
      quote,
      [['gflops', fastest], ['peak-share', fastest], PEAK],
      (rate, share, peak) =>
        `That is ${rate}, or ${share} of the ${peak} that this device was seen to reach when it does nothing but multiply and add.`,
    ),
  )
}

/** The same change of kernel, seen by a step that moves its data. */
function withTransfers(quote: Quote, { first, fastest }: Rungs): string | null {
  const factor = factorInWords(quote, ['best-step-speedup', ''])
  return sentences(
    whenMeasured(
      quote,
      [
        ['step-ms', moved(fastest)],
        ['step-ms', moved(first)],
      ],
      (fast, slow) =>
        `In a step that uploads A and B and reads C back, the same change of kernel turned ${slow} into ${fast}${factor === null ? '' : `: ${factor} as fast`}.`,
    ),
    whenMeasured(
      quote,
      [['not-kernel-share', moved(fastest)]],
      (share) => `Of the step with **${fastest}**, ${share} is not the kernel.`,
    ),
    whenMeasured(
      quote,
      [
        ['device-busy-ratio', moved(first)],
        ['device-busy-ratio', moved(fastest)],
      ],
      (before, after) =>
        fastest === first
          ? `From its first pass to its last the device was computing ${after} of the time.`
          : `From its first pass to its last the device was computing ${before} of the time with **${first}**, ${after} with **${fastest}**.`,
    ),
  )
}

/** Amdahl's law, measured: the step without any kernel. */
function limit(quote: Quote, { first, fastest }: Rungs): string | null {
  const most = factorInWords(quote, ['step-speedup-limit', ''])
  return sentences(
    whenMeasured(
      quote,
      [ALONE],
      (alone) => `The transfers alone, with no kernel in the step at all, took ${alone}.`,
    ),
    most === null
      ? null
      : `So a kernel that took no time whatever could make the step of **${first}** ${most} as fast, and no kernel more than that.`,
    whenMeasured(
      quote,
      [
        ['host-copy-ms', moved(fastest)],
        ['rest-ms', moved(fastest)],
      ],
      (copying, rest) =>
        `Of a step, [[host:the host]] spent ${copying} copying into staging buffers and out of the result; for ${rest} the bytes were on their way, or [[wait:the host waited]] to hear.`,
    ),
  )
}

/** Rungs that were slower than the one before: a ladder is a list of ideas, not a promise. */
function backwards(quote: Quote, { all }: Rungs): string | null {
  const said = all.slice(1).flatMap((rung, index) => {
    const before = all[index] ?? rung
    if (compare(quote, ['kernel-ms', rung], ['kernel-ms', before]) !== 'above') return []
    return (
      whenMeasured(
        quote,
        [
          ['kernel-ms', rung],
          ['kernel-ms', before],
        ],
        (now, then) =>
          `**${rung}** took ${now}, longer than the rung before it, **${before}**, with ${then}.`,
      ) ?? []
    )
  })
  if (said.length === 0) return null
  const software = quote.report.environment.isSoftware
    ? 'On a software adapter that is normal: its workgroup memory is ordinary memory behind the same caches, so copying into it and waiting at barriers is added work.'
    : 'A rung is an idea, and whether it pays is for the device to say: its caches may have done that work already, or a tile may not suit this size.'
  return [...said, software].join(' ')
}

function leftOut({ report }: Quote): string | null {
  const why = report.derived['leftOut']
  return typeof why === 'string' && why !== '' ? `Left out on this adapter: ${why}` : null
}

const REMEDY =
  'What helps is not in the kernel. Leave the matrices on the device between steps; move less; do more with what was moved. Or let the next upload run while this matmul does, which hides the shorter of the two, and only that.'

function shown(quote: Quote): Prose {
  const { reason, text } = quote.report.verdict
  const rungs = rungsOf(quote)
  if (reason === 'nothing-to-compare' || rungs === null)
    return paragraphs(
      reason === 'nothing-to-compare'
        ? 'A ladder needs two rungs to compare, and this run timed fewer. Choose at least two kernels.'
        : text,
      leftOut(quote),
    )
  const steps = [withTransfers(quote, rungs), limit(quote, rungs)]
  switch (reason) {
    case 'transfers-take-over':
      return paragraphs(
        climb(quote, rungs),
        ...steps,
        'This is Amdahl’s law: what you make faster shortens the whole by its own share only, and each success makes that share smaller. After a few rungs the kernel is no longer what there is to gain.',
        REMEDY,
        backwards(quote, rungs),
        leftOut(quote),
      )
    case 'kernel-dominates':
      return paragraphs(
        climb(quote, rungs),
        ...steps,
        'Here even the fastest kernel is still the larger part of the step, so a faster one would still help, and the transfers are not yet what to look at. How far that holds depends on the work for each byte: try small matrices, for which the transfers weigh more.',
        backwards(quote, rungs),
        leftOut(quote),
      )
    case 'ladder-climbs':
      return paragraphs(
        climb(quote, rungs),
        'Nothing was moved in this run, so what a rung gains the program gains. This is how kernels are compared in papers and benchmarks. Whether it is your program’s case depends on where its data are: run it again with transfers.',
        whenMeasured(
          quote,
          [['intensity', ''], PEAK, ['copy-gb-per-s', 'stream-copy']],
          (intensity, peak, copy) =>
            `The matmul does ${intensity} at least, and the device was seen to reach ${peak} and to move ${copy} in its own memory. Where a point stands far below the roof, neither is what holds the kernel up: it waits, or it does other things than multiplying.`,
        ),
        backwards(quote, rungs),
        leftOut(quote),
      )
    case 'ladder-flat':
      return paragraphs(
        climb(quote, rungs),
        'So the ladder is flat here. Its rungs save trips to memory; where the trips are short, because caches serve them or because the matrices are small, there is little to save.',
        ...steps,
        backwards(quote, rungs),
        leftOut(quote),
      )
    case 'intervals-overlap':
      return paragraphs(
        'The intervals of this run overlap where the answer would be, so no conclusion is drawn. More repeats narrow them; another size moves kernel and transfers apart.',
        climb(quote, rungs),
        ...steps,
        leftOut(quote),
      )
    default:
      return paragraphs(text, climb(quote, rungs), ...steps)
  }
}

export const explainKernelLadder = (quote: Quote): Prose => explanation(quote, shown)
