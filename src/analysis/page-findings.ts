/**
 * Finds what a page's frames do again and again, each with how often, the evidence and the line
 * that does it.
 */
import { bytesText, counted, durationText, percentText, plain } from '../base/figures'
import { spanRoleIndex, type Trace } from '../trace/schema'
import { NAMED_SHARE, type Finding } from './findings'
import { callsOf, type PageFigure, type PageFigures, type Startup } from './page-figures'
import { COSTLY } from './replay/read-page'

/**
 * A place from which a page's scripts called. The recorder reads the stack of some of many calls
 * (src/recorder/call-sites.ts).
 */
interface CallSite {
  readonly what: string
  readonly url: string
  readonly line: number
  readonly caller: string
}

export interface PageFinding {
  readonly what: string
  /** How often: of a frame where it is of frames; null of a cause of idle time. */
  readonly count: number | null
  readonly evidence: string
  readonly mend: string
  /** 'https://a.test/app.js:12 (draw)', most often seen first. */
  readonly lines: readonly string[]
  /** The fault that a lesson which mends it names; null: there is none. */
  readonly fault: string | null
}

/** Calls to look for in a finding of the analysis, by its cause or by what the page did. */
const CALLS_OF: Readonly<Record<string, string>> = {
  'read-back': 'wait-map',
  'copies-in-line': 'wait-staging',
  synchronize: 'wait-done',
  dispatch: 'submit',
  'host-code': 'submit',
  [COSTLY.image]: 'image',
  [COSTLY.compile]: 'pipelines made',
  [COSTLY.create]: 'create',
  [COSTLY.texture]: 'texture',
  [COSTLY.write]: 'write',
  [COSTLY.fill]: 'fill',
  [COSTLY.read]: 'read',
}
const MOST_LINES = 3

/** A figure of a frame that is too large from a count on. */
interface TooMany {
  readonly figure: PageFigure
  /** Fewer are no fault. */
  readonly from: number
  readonly does: (count: string) => string
  readonly noun?: string
  readonly mend: string
}

/**
 * Counts for each frame. Chosen: 16 writes are a loop over objects, and what changes with each
 * frame may need one object.
 */
const EACH_FRAME: readonly TooMany[] = [
  {
    figure: 'smallWritesPerFrame',
    from: 16,
    does: (count) => `makes ${count} writes of at most 256 bytes`,
    mend: 'Keep them in one buffer, each at its own offset, and write it once a frame.',
  },
  {
    figure: 'buffersMadePerFrame',
    from: 1,
    does: (count) => `makes ${count}`,
    noun: 'buffer',
    mend: 'Make them once, and write into them.',
  },
  {
    figure: 'texturesMadePerFrame',
    from: 1,
    does: (count) => `makes ${count}`,
    noun: 'texture',
    mend: 'Make them once, and again only when their size changes.',
  },
  {
    figure: 'bindGroupsMadePerFrame',
    from: 2,
    does: (count) => `makes ${count}`,
    noun: 'bind group',
    mend: 'Make them once, and change what they point to with a dynamic offset.',
  },
  {
    figure: 'emptySubmitsPerFrame',
    from: 1,
    does: (count) => `submits ${count} without a command buffer`,
    noun: 'time',
    mend: 'Leave these out: each is a message to the GPU process that does nothing.',
  },
  {
    figure: 'imagesPerFrame',
    from: 1,
    does: (count) => `copies ${count} to textures`,
    noun: 'image',
    mend: 'Copy an image or a canvas only when it has changed, or draw it with WebGPU: each copy is an upload.',
  },
  {
    figure: 'submitsPerFrame',
    from: 3,
    does: (count) => `submits ${count} times`,
    mend: 'Hand all command buffers of a frame to one submit(): each call costs the browser a message to its GPU process.',
  },
]

type Named = Pick<Finding, 'cause' | 'what' | 'line' | 'sentence' | 'evidence' | 'mend' | 'share'>

export interface FindingInput {
  readonly trace: Trace
  readonly diagnoses: readonly { readonly findings: readonly Named[] }[]
  readonly figures: PageFigures
}

/** Findings in order: the largest gain first, then those of frames, then those that happen once. */
export function pageFindings(input: FindingInput): readonly PageFinding[] {
  const { trace, diagnoses, figures } = input
  const found = diagnoses
    .flatMap(({ findings }) => findings)
    .toSorted((a, b) => b.share - a.share)
    .map(({ cause, what, line, sentence, evidence, mend }): PageFinding => ({
      what: sentence,
      count: null,
      evidence,
      mend,
      lines: line
        ? [`${line.file}:${String(line.line)} (${line.name})`]
        : sitesOf(trace, CALLS_OF[what] ?? CALLS_OF[cause]),
      fault: what === '' ? cause : null,
    }))
  const add: Add = (figure, said) =>
    found.push({ ...said, lines: said.lines ?? linesOf(trace, figure), fault: said.fault ?? null })
  for (const { figure, from, does, noun, mend } of EACH_FRAME) {
    const count = figures.values[figure] ?? 0
    if (count < from) continue
    const { frames, sum } = figures.seen(figure)
    add(figure, {
      what: `A frame ${does(noun === undefined ? plain(count) : counted(count, noun))}.`,
      count,
      evidence: `${String(sum)} in ${String(frames)} of ${counted(figures.frames, 'frame')}.${copied(trace, figures, figure)}`,
      mend,
    })
  }
  addWaits(input, add)
  addPipelines(input, add)
  return found
}

type Add = (
  figure: PageFigure,
  said: Omit<PageFinding, 'lines' | 'fault'> & Partial<Pick<PageFinding, 'lines' | 'fault'>>,
) => void

/** What the replay says of waits where a device's time is known. */
function addWaits({ trace, figures, diagnoses }: FindingInput, add: Add): void {
  if (diagnoses.length > 0) return
  const { run, values, readbacksNs } = figures
  if (run && run.queueWaits.ns >= NAMED_SHARE * run.lengthNs)
    add('submitsPerWait', {
      what: `The host waits ${counted(run.queueWaits.count, 'time')} for the queue to empty: ${percentText(Math.min(1, run.queueWaits.ns / run.lengthNs))} of the time.`,
      count: run.queueWaits.count,
      evidence: `${counted(run.submits, 'submit')} in ${durationText(run.lengthNs)}.`,
      mend: 'Take onSubmittedWorkDone() out of the loop: submit the next work first. The queue keeps the order.',
      lines: sitesOf(trace, CALLS_OF['synchronize']),
      fault: 'synchronize',
    })
  if (values.readbacksAwaitedAtOnce)
    add('readbacksAwaitedAtOnce', {
      what: `${counted(values.readbacksAwaitedAtOnce, 'readback')} awaited right after the submit.`,
      count: values.readbacksAwaitedAtOnce,
      evidence: `Nothing was submitted after them; the host waited for ${durationText(readbacksNs)} in all.`,
      mend: `Read each result a few ${figures.frames > 0 ? 'frames' : 'steps'} later, from one of several readback buffers.`,
      fault: 'read-back',
    })
}

/** A start that a person notices, and that pipelines were made in. */
const isSlowStart = ({ firstNs, medianNs, pipelines }: Startup): boolean =>
  pipelines > 0 && firstNs - medianNs > SLOW_START_NS && firstNs > 3 * medianNs
const SLOW_START_NS = 50e6

/** Bytes and time of images that a frame copies. */
function copied({ spans }: Trace, { values, frames }: PageFigures, figure: PageFigure): string {
  if (figure !== 'imagesPerFrame' || frames === 0) return ''
  const image = spanRoleIndex('image')
  let ns = 0
  for (let span = 0; span < spans.length; span += 1)
    if (spans.role[span] === image) ns += (spans.end[span] ?? 0) - (spans.start[span] ?? 0)
  return ` They total ${bytesText(values.imageBytesPerFrame ?? 0)} a frame, and the calls take ${durationText(ns / frames)} of it on average.`
}

function addPipelines({ figures }: FindingInput, add: Add): void {
  const { values, stalls, startup } = figures
  const { pipelinesInFrames, frameMs } = values
  if (startup && isSlowStart(startup)) {
    const { firstNs, medianNs, pipelines, callsNs } = startup
    const [first, rest] = figures.frames > 0 ? ['frame', 'frames'] : ['submission', 'submissions']
    add('pipelinesInFrames', {
      what: `The first ${first} took ${durationText(firstNs)}, against a median of ${durationText(medianNs)}.`,
      count: pipelines,
      evidence: `${counted(pipelines, 'pipeline')} ${pipelines === 1 ? 'was' : 'were'} made synchronously before it. The calls took ${durationText(callsNs)}; the GPU also waits for what the browser compiles after them.`,
      mend: `Make them with createRenderPipelineAsync() or createComputePipelineAsync(), several at once, before the ${rest} begin.`,
    })
  }
  if (pipelinesInFrames)
    add('pipelinesInFrames', {
      what: `${counted(pipelinesInFrames, 'pipeline')} compiled after the first frame.`,
      count: pipelinesInFrames,
      evidence: `In ${counted(stalls.frames, 'frame')}; the longest took ${durationText(stalls.longestNs)}, the median of all ${durationText((frameMs ?? 0) * 1e6)}.`,
      mend: 'Make them before the first frame, with createRenderPipelineAsync() or createComputePipelineAsync().',
    })
}

/** The places of the calls behind a figure. */
export const linesOf = (trace: Trace, figure: PageFigure): readonly string[] =>
  sitesOf(trace, callsOf(figure))

const sitesOf = ({ info }: Trace, wanted: string | undefined): readonly string[] =>
  Object.entries(info.derived)
    .flatMap(([name, text]) => (name.startsWith('site ') ? [JSON.parse(String(text)) as CallSite] : []))
    .filter(({ what }) => what === wanted)
    .slice(0, MOST_LINES)
    .map(({ url, line, caller }) => `${url}:${String(line)}${caller === '' ? '' : ` (${caller})`}`)
