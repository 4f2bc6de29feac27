/**
 * Predicts by replay what a recorded page would gain without parts of its thread's work: findings,
 * largest gain first.
 */
import { counted, durationText } from '../base/figures'
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { spanKindIndex } from '../trace/schema'
import { CAUSE_WORDS } from './cause-words'
import { gainText, pageStep } from './finding-words'
import { NAMED_SHARE, type Example, type Finding } from './findings'
import { gainOf } from './profile-findings'
import type { Cause } from './replay/causes'
import type { DeviceReplay } from './replay/device-replay'
import type { Stretch } from './replay/program'
import { COSTLY, SCRIPT } from './replay/read-page'

interface CallWords {
  readonly title: string
  readonly change: string
  readonly mend: string
}
/** By the name that the program has for it. */
const CALLS: Readonly<Record<string, CallWords>> = {
  [COSTLY.image]: {
    title: 'Images are copied to textures again and again',
    change: 'Without copyExternalImageToTexture()',
    mend: 'Copy an image or a canvas only when it has changed, and draw with WebGPU what changes in each frame.',
  },
  [COSTLY.compile]: {
    title: 'Pipelines are made while the page works',
    change: 'Without making pipelines',
    mend: 'Make them before the work begins, with createRenderPipelineAsync() or createComputePipelineAsync().',
  },
  [COSTLY.create]: {
    title: 'Buffers are made mapped again and again',
    change: 'Without making mapped buffers',
    mend: 'Make them once and use them again: their memory is filled with zeros in each call.',
  },
  [COSTLY.texture]: {
    title: 'Textures are written again and again',
    change: 'Without writeTexture()',
    mend: 'Write only what has changed, or draw it with WebGPU.',
  },
  [COSTLY.write]: {
    title: 'writeBuffer() holds the page up',
    change: 'Without writeBuffer()',
    mend: 'Keep what changes in one buffer with an offset each, and write it once.',
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

const ENCODE = spanKindIndex('encode')
const WAITS: readonly Cause[] = ['read-back', 'synchronize', 'copies-in-line', 'dispatch']

/** @param gaps of the device, with their causes */
export function pageGains(
  placed: PlacedTrace,
  device: DeviceReplay,
  gaps: readonly Gap[],
): readonly Finding[] {
  const { read, replay, causes } = device
  const { program } = read
  const nowUs = replay.replayedNs / 1e3
  const step = pageStep(read.steps)
  const steps = program.stepEndsNs.length
  const finding = (cause: Cause, code: string | null, isOf: (stretch: Stretch) => boolean): Finding => {
    const gain = gainOf(device, [{ cause, code, isStrict: true }])
    const own = program.stretches.filter(isOf)
    const ownNs = own.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
    const at = code === null ? -1 : program.chains.findIndex(([name]) => name === code)
    const uploads = program.work.filter((each) => at >= 0 && each.code === at)
    const uploadNs = uploads.reduce((sum, { lengthNs }) => sum + lengthNs, 0)
    const words = code === null ? null : CALLS[code]
    const { title, without, mend, onPage } = CAUSE_WORDS[cause]
    const ownUs = (ownNs + uploadNs) / steps / 1e3
    const saved = Math.min(ownUs < NAMED_SHARE * nowUs ? ownUs : Infinity, Math.max(0, nowUs - gain.stepUs))
    const change = words?.change ?? (cause === 'dispatch' ? 'With one submit() for each turn' : without)
    const { kind } = placed.trace.spans
    const spans = new Set(own.map(({ span }) => span).filter((span) => kind[span] !== ENCODE)).size
    const count =
      steps > 1 ? `${counted(Math.round(spans / steps), 'time')} in ${step}` : counted(spans, 'time')
    return {
      cause,
      what: code ?? '',
      line: null,
      usPerStep: saved,
      share: nowUs > 0 ? saved / nowUs : 0,
      without: gain,
      together: null,
      example: exampleOf(gaps, cause, placed, own),
      title: words?.title ?? title,
      sentence: gainText(change, gain, nowUs, step),
      evidence:
        code === SCRIPT
          ? `The script is at work for ${durationText(ownNs / steps)} of ${step}, outside of calls of WebGPU.`
          : `${count}, for ${durationText(ownNs / steps)} of ${durationText(nowUs * 1e3)}.${uploadNs > ownNs ? ` The passes behind them began late; the replay charges these calls with ${durationText(uploadNs / steps)} of that.` : ''}`,
      mend: words?.mend ?? onPage ?? mend,
    }
  }
  return [
    ...WAITS.filter((cause) => causes.includes(cause)).map((cause) =>
      finding(cause, null, (stretch) => stretch.cause === cause),
    ),
    ...program.chains.flatMap(([code = ''], at) => [
      finding('host-code', code, (stretch) => stretch.code === at),
    ]),
  ].sort((a, b) => b.usPerStep - a.usPerStep)
}

/** The longest gap of the cause, else its longest stretch. */
function exampleOf(
  gaps: readonly Gap[],
  cause: Cause,
  { startNs, endNs }: PlacedTrace,
  own: readonly Stretch[],
): Example | null {
  let [gap, longestNs] = [-1, 0]
  for (const [index, { cause: of, durationNs }] of gaps.entries())
    if (of === cause && durationNs > longestNs) [gap, longestNs] = [index, durationNs]
  if (gap >= 0) return { type: 'gap', gap }
  const lengthOf = (span: number) => (endNs[span] ?? 0) - (startNs[span] ?? 0)
  const span = own.reduce((most, each) => (lengthOf(each.span) > lengthOf(most) ? each.span : most), -1)
  return span < 0 ? null : { type: 'span', span }
}
