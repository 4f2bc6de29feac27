/**
 * A recorded page in words: the first sentence of its verdict where no change to its calls is
 * predicted to gain, and calls that it can do without, as cause-words.ts has causes.
 */
import { counted, durationText, percentText } from '../base/figures'
import { median } from '../base/stats'
import { spanKindIndex, TIMER_SUBMITS, type Trace } from '../trace/schema'
import { displayPeriodNs, LATE_FRAME } from './held-waits'
import { NAMED_SHARE, type Diagnosis, type StepFacts } from './findings'
import { COSTLY, SCRIPT } from './replay/read-page'

/** Pace of a page beyond its own calls. */
export type PagePace = ReturnType<typeof pagePace>

/** From this share of its time on a device sets the pace. */
const BUSY = 0.8

const WINDOW = spanKindIndex('window')

export function pagePace({ spans, counters, lanes }: Trace) {
  const submit = spanKindIndex('submit')
  let submits = 0
  for (let span = 0; span < spans.length; span += 1) if (spans.kind[span] === submit) submits += 1
  const timers = counters.find(({ name }) => name === TIMER_SUBMITS)
  const frames = Array.from(spans.kind.subarray(0, spans.length)).flatMap((kind, span) =>
    kind === WINDOW ? [(spans.end[span] ?? 0) - (spans.start[span] ?? 0)] : [],
  )
  return {
    submits,
    /** Submissions among these in callbacks of timers. */
    ofTimers: timers?.length ?? 0,
    /** All tasks of its thread are recorded, so that it was idle between them is known. */
    seesTasks: lanes.some(({ name }) => name === 'tasks'),
    /** Most of its frames come as often as the display shows one. */
    keepsUp: frames.length > 0 && median(frames) < LATE_FRAME * displayPeriodNs(frames),
  }
}

interface PageFacts {
  readonly pace: PagePace
  readonly busyRatio: number | null
  /** Both are in µs; `spanUs` lasts from the first pass to the last. */
  readonly device: { readonly busyUs: number; readonly spanUs: number }
  readonly steps: StepFacts | null
  /** Share of the recorded time. */
  readonly idleShare: number
  readonly excused: Diagnosis['excused']
  /** Share of the unexplained idle time in which work had been submitted. */
  readonly queuedShare: number
  /** Why nothing is predicted; '' where something is. */
  readonly problem: string
}

export function pageWords(facts: PageFacts): Pick<Diagnosis, 'sentence' | 'note'> {
  const { busyRatio, problem, excused } = facts
  const busy = percentText(busyRatio ?? 0)
  const [most] = [...excused].sort((a, b) => b.share - a.share)
  if (facts.pace.submits < 2)
    return { sentence: 'The page submitted once: too little to say what sets its pace.', note: '' }
  // A burst of passes is no pace of a page that then does other things.
  const wholeUs = facts.steps?.from === 'extent' ? facts.steps.medianUs : 0
  const { busyUs, spanUs } = facts.device
  if (busyUs < BUSY * wholeUs && ((busyRatio ?? 0) >= BUSY || spanUs < wholeUs / 2))
    return {
      sentence: `The GPU was at work for ${durationText(busyUs * 1e3)} of ${durationText(wholeUs * 1e3)}, and no change to the page’s calls is predicted to gain ${percentText(NAMED_SHARE)}.`,
      note: problem,
    }
  if ((busyRatio ?? 0) >= BUSY)
    return {
      sentence: `The GPU sets the pace: it was at work for ${busy} of the time from its first pass to its last.`,
      note: 'Its passes are what is left to make faster.',
    }
  if (most?.excuse === 'unknown' && most.share >= NAMED_SHARE)
    return { sentence: unseen(facts), note: problem }
  if (most?.excuse === 'between-frames' && most.share >= NAMED_SHARE)
    return {
      sentence: `The page keeps up with its display: the GPU was at work for ${busy} of the time, and otherwise idle between frames, while the page waited for the next one.`,
      note: problem,
    }
  if (facts.pace.keepsUp && facts.steps?.from === 'frames')
    return {
      sentence: `The page keeps up with its display: the GPU was at work for ${busy} of the time, and no change to the page’s calls is predicted to show more frames.`,
      note: problem,
    }
  return {
    sentence: `The GPU was at work for ${busy} of the time, and no change to the page’s calls is predicted to gain ${percentText(NAMED_SHARE)}.`,
    note: problem,
  }
}

function unseen({ pace, idleShare, queuedShare }: PageFacts): string {
  const { submits, ofTimers, seesTasks } = pace
  const idle = `the GPU was idle for ${percentText(idleShare)} of the time`
  if (queuedShare > 0.5)
    return `The GPU had work but did not begin it: ${idle} between passes, mostly with more work submitted. Uploads, copies and pipelines that it waits for have no timestamps.`
  if (ofTimers * 2 > submits)
    return `The page’s timers set the pace: they made ${String(ofTimers)} of ${counted(submits, 'submission')}, and ${idle}.`
  return seesTasks
    ? `The page sets its own pace: ${idle}, and so was the page’s thread. It waited for timers, the network or messages.`
    : `${idle.charAt(0).toUpperCase()}${idle.slice(1)}, and nothing of the page is recorded meanwhile: it may be timers, the network or its script.`
}

interface CallWords {
  readonly title: string
  readonly change: string
  readonly mend: string
}
/** By the name that the program has for it. */
export const CALL_WORDS: Readonly<Record<string, CallWords>> = {
  [COSTLY.image]: {
    title: 'Images are copied to textures again and again',
    change: 'Without copyExternalImageToTexture()',
    mend: 'Copy an image or a canvas only when it has changed, and draw what changes every frame with WebGPU.',
  },
  [COSTLY.compile]: {
    title: 'Pipelines are made while the page runs',
    change: 'Without making pipelines',
    mend: 'Make them before the work begins, with createRenderPipelineAsync() or createComputePipelineAsync().',
  },
  [COSTLY.create]: {
    title: 'Mapped buffers are made again and again',
    change: 'Without making mapped buffers',
    mend: 'Make them once and reuse them: each call fills their memory with zeros.',
  },
  [COSTLY.texture]: {
    title: 'Textures are written again and again',
    change: 'Without writeTexture()',
    mend: 'Write only what has changed, or draw it with WebGPU.',
  },
  [COSTLY.write]: {
    title: 'writeBuffer() holds the page up',
    change: 'Without writeBuffer()',
    mend: 'Keep what changes in one buffer, each value at its own offset, and write it once.',
  },
  [COSTLY.fill]: {
    title: 'Filling staging buffers holds the page up',
    change: 'Without filling staging buffers',
    mend: 'Fill them in a worker, or make the data on the GPU.',
  },
  [COSTLY.read]: {
    title: 'Reading mapped buffers holds the page up',
    change: 'Without reading mapped buffers',
    mend: 'Read less, or in a worker.',
  },
  [SCRIPT]: {
    title: 'The page’s script holds the GPU up',
    change: 'Without the script’s other work',
    mend: 'Submit before this work, make it faster, or move it to a worker.',
  },
}
