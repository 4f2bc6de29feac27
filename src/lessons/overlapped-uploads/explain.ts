/** What a run of overlapped-uploads says, by the verdict's reason. Figures are quoted from the run, never written here. */
import {
  compare,
  durationRatio,
  explanation,
  factorInWords,
  inTimes,
  measured,
  paragraphs,
  sentences,
  variantsWith,
  whenMeasured,
  type MetricKey,
} from '../explain-tools'
import type { Prose, Quote } from '../lesson'

const COMPUTE: MetricKey = ['step-ms', 'compute-only']
const UPLOAD: MetricKey = ['step-ms', 'upload-only']
const SERIAL: MetricKey = ['step-ms', 'serial']

const depthOf = (variant: string): number => Number(variant.replace('ring-', ''))
const ringName = (variant: string): string =>
  depthOf(variant) === 1 ? 'a ring of one' : `a ring of ${String(depthOf(variant))}`

/** Ring variants that were measured, by depth. */
const rings = (quote: Quote): readonly string[] =>
  variantsWith(quote, 'step-ms')
    .filter((variant) => /^ring-\d+$/.test(variant))
    .toSorted((a, b) => depthOf(a) - depthOf(b))

/** The shallowest ring of two or more: what the lesson is about. A ring of one where nothing deeper was run. */
const mainRing = (quote: Quote): string =>
  rings(quote).find((variant) => depthOf(variant) >= 2) ?? rings(quote)[0] ?? 'ring-2'

/** Each alone, and one after the other. */
function parts(quote: Quote): string | null {
  return sentences(
    whenMeasured(
      quote,
      [COMPUTE, UPLOAD],
      (compute, upload) =>
        `By itself, [[device:computing]] took ${compute} a step, and [[staging:uploading]], through two buffers in turn, ${upload}.`,
    ),
    whenMeasured(quote, [SERIAL], (serial) => `One after the other they took ${serial}.`),
    isSerialAboveSum(quote)
      ? "That is more than the sum of the two: an upload has parts of its own, the host's filling and the browser's carrying, and with two buffers those overlap each other. One after the other, even that is lost."
      : null,
  )
}

function isSerialAboveSum(quote: Quote): boolean {
  const serialLow = quote.get(...SERIAL)?.low ?? null
  const computeHigh = quote.get(...COMPUTE)?.high ?? null
  const uploadHigh = quote.get(...UPLOAD)?.high ?? null
  if (serialLow === null || computeHigh === null || uploadHigh === null) return false
  return serialLow > computeHigh + uploadHigh
}

/** Both at once, against the longer of the two alone. */
function together(quote: Quote): string | null {
  const ring = mainRing(quote)
  const ideal = factorInWords(quote, ['versus-ideal', ring])
  const efficiencyKey: MetricKey = ['overlap-efficiency', ring]
  const hidden = (measured(quote, efficiencyKey) ?? 0) > 0
  return sentences(
    whenMeasured(quote, [['step-ms', ring]], (step) => `With ${ringName(ring)} a step took ${step}.`),
    ideal === null ? null : `That is ${ideal} the ideal, which is the longer of the two by itself.`,
    whenMeasured(quote, [efficiencyKey], (efficiency) =>
      hidden
        ? `Of what could be hidden, the shorter of the two, ${efficiency} was.`
        : `Nothing was hidden: together they took no less time than each alone, added up (overlap ${efficiency}).`,
    ),
  )
}

/** Why one buffer is not enough: or, with separate submissions, may be. */
function one(quote: Quote): string | null {
  const split = quote.report.params['submission'] === 'split'
  const keys: MetricKey[] = [['step-ms', 'ring-1'], SERIAL]
  switch (compare(quote, ['step-ms', 'ring-1'], SERIAL)) {
    case 'overlap':
      return whenMeasured(
        quote,
        keys,
        (ring, serial) =>
          `A ring of one gained nothing that can be told from serial: ${ring} against ${serial}. Its only buffer is [[staging:in flight]] until the submission that reads it has ended, so the host has nowhere to put the next batch.`,
      )
    case 'below':
      return whenMeasured(quote, keys, (ring, serial) =>
        split
          ? `Even a ring of one beat serial, ${ring} against ${serial}: with the copy in a submission of its own, the buffer comes back as soon as the copy has ended, while the matmul still runs.`
          : `A ring of one took less time than serial, ${ring} against ${serial}. It cannot fill its buffer while that is in flight, but it need not wait for the end of a step before it asks for the buffer back.`,
      )
    case 'above':
      return whenMeasured(
        quote,
        keys,
        (ring, serial) =>
          `A ring of one took longer than serial, ${ring} against ${serial}: its one buffer is asked for and awaited in every step, and nothing is gained in return.`,
      )
    case 'unmeasured':
      return null
  }
}

/** Does a deeper ring help? */
function deeper(quote: Quote): string | null {
  const main = mainRing(quote)
  const deepest = rings(quote).at(-1)
  if (deepest === undefined || deepest === main || depthOf(main) < 2) return null
  const keys: MetricKey[] = [
    ['step-ms', deepest],
    ['step-ms', main],
  ]
  switch (compare(quote, ['step-ms', deepest], ['step-ms', main])) {
    case 'overlap':
      return whenMeasured(
        quote,
        keys,
        (deep, shallow) =>
          `More buffers changed nothing that can be told from the spread: ${deep} with ${ringName(deepest)}, ${shallow} with ${ringName(main)}. Two are enough for one to be filled while the other is away; more of them help only where the time of a step varies, and cost memory.`,
      )
    case 'below':
      return whenMeasured(
        quote,
        keys,
        (deep, shallow) =>
          `More buffers helped: ${deep} with ${ringName(deepest)} against ${shallow} with ${ringName(main)}. A buffer comes back late, because the host hears of the end of a submission late; with more of them it need not wait for the news.`,
      )
    case 'above':
      return whenMeasured(
        quote,
        keys,
        (deep, shallow) =>
          `More buffers made it slower: ${deep} with ${ringName(deepest)} against ${shallow} with ${ringName(main)}. More memory in turn means fewer hits in the processor's caches, and more work under way at once.`,
      )
    case 'unmeasured':
      return null
  }
}

/** What ran beside what, and what this does not show. */
function mechanism(quote: Quote): string | null {
  const ring = mainRing(quote)
  return sentences(
    "What overlaps here is the host's share of an upload with the device's computing.",
    whenMeasured(
      quote,
      [['fill-ms', ring]],
      (fill) => `[[host:Filling]] a staging buffer took the host ${fill}.`,
    ),
    'After that the browser carries the bytes on, out of sight of any page.',
    whenMeasured(
      quote,
      [['device-copy-ms', ring]],
      (copy) =>
        `The [[transfer:copy on the device]] took at most ${copy}; it waits its turn in the one queue, between matmuls.`,
    ),
    'Nothing in these figures says that a copy engine ran beside a kernel.',
  )
}

/** Which of the two was the longer, in words and as a ratio. */
function lopsided(quote: Quote): string | null {
  const [compute, upload] = [measured(quote, COMPUTE), measured(quote, UPLOAD)]
  if (compute === null || upload === null) return null
  const computeLonger = compute >= upload
  const ratio = computeLonger ? durationRatio(quote, COMPUTE, UPLOAD) : durationRatio(quote, UPLOAD, COMPUTE)
  if (ratio === null) return null
  return computeLonger
    ? `Computing takes ${inTimes(ratio)} as long as uploading.`
    : `Uploading takes ${inTimes(ratio)} as long as computing.`
}

function shown(quote: Quote): Prose {
  const { reason, text } = quote.report.verdict
  switch (reason) {
    case 'overlap':
      return paragraphs(parts(quote), together(quote), sentences(one(quote), deeper(quote)), mechanism(quote))
    case 'cores-shared':
      return paragraphs(
        parts(quote),
        together(quote),
        'Here both lanes are the same processor. Filling a buffer needs a core, and so does every workgroup of the matmul: what one of them gains, the other loses. An overlap needs two machines, or at least cores that nothing else wants.',
        one(quote),
        'The states of the staging buffers are as real as on a GPU. Follow one of them through free, mapping, mapped, filled and in flight; then watch the same lesson with the recorded run of a GPU.',
      )
    case 'nothing-to-hide':
      return paragraphs(
        sentences(parts(quote), lopsided(quote)),
        'The shorter of the two is all that overlap can ever save. Where one is tiny, even a perfect ring changes next to nothing, and serial code is the simpler choice. Bring the two closer to each other and run again.',
        together(quote),
      )
    case 'no-overlap':
      return paragraphs(
        parts(quote),
        together(quote),
        'Both took long enough to be worth hiding, and yet together they took about as long as one after the other. Look at the staging lanes where the device is idle. *In flight* or *mapping* there: the buffer came back too late, because the browser was still carrying bytes, or because the end of a submission was heard of late. *Filled*: the host was the slower one.',
        'Behind the page, one thread of the browser both carries staged bytes and takes in commands. On a machine with few cores, or with memory shared between processor and GPU, the two sides compete for what they share. A page cannot see which it was; this is inferred.',
        one(quote),
      )
    case 'partial-overlap':
      return paragraphs(
        'The answer on this machine is *partly*.',
        parts(quote),
        together(quote),
        'Some of the shorter one was hidden and some was not. Look in the timeline for what stands between: a staging buffer that came back late, a host that filled more slowly than the device computed, or a device that waited for bytes still being carried.',
        sentences(one(quote), deeper(quote)),
      )
    case 'intervals-overlap':
      if (rings(quote).length === 0) return paragraphs(text)
      return paragraphs(
        'This run allows no clear answer.',
        parts(quote),
        together(quote),
        'Where the intervals are wide, more repeats narrow them, and more batches in each repeat make its beginning and end, where nothing can overlap, count for less.',
      )
    default:
      return paragraphs(text, parts(quote), together(quote), one(quote))
  }
}

export const explainOverlappedUploads = (quote: Quote): Prose => explanation(quote, shown)
