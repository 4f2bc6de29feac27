/**
 * The findings of a device that is replayed: each cause with what a step would take without it,
 * most gain first. A profile has a finding for each cause, a recorded page one for each kind of
 * wait and of call.
 */
import { counted, durationText, percentText } from '../base/figures'
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { SCRIPTS_LANE, spanKindIndex } from '../trace/schema'
import { CauseFacts } from './cause-facts'
import { CALL_WORDS } from './page-words'
import { CAUSE_WORDS, COLLECTOR, COLLECTOR_WORDS, wordsOf } from './cause-words'
import { changeOf, gainText, isCode, pageStep, togetherText } from './finding-words'
import {
  type Example,
  type Finding,
  type Gain,
  MINOR_SHARE,
  NAMED_GAIN,
  NAMED_SHARE,
  type SourceLine,
  type StepFacts,
} from './findings'
import type { HostStacks } from './host-stacks'
import { IndexedSet, union } from './intervals'
import type { Cause } from './replay/causes'
import type { DeviceReplay } from './replay/device-replay'
import type { Stretch } from './replay/program'
import { SCRIPT } from './replay/read-page'
import type { Removed } from './replay/without'
import { SpanNames } from './replay/span-names'
import type { Interval } from './types'

/** Names the function of a page that ran for most of some time, by samples of its script. */

/** A function with a smaller share of the sampled time is not worth naming. */
const NAMED_PART = 0.25

/** @param times sorted, disjoint; null where nothing was sampled, or no function stands out */
function scriptLine(placed: PlacedTrace, times: readonly Interval[]): SourceLine | null {
  const { trace, startNs, endNs } = placed
  const lane = trace.lanes.findIndex(({ name }) => name === SCRIPTS_LANE)
  if (lane < 0) return null
  const within = IndexedSet.of(times)
  const names = new SpanNames(trace)
  const nsOf = new Map<string, number>()
  let allNs = 0
  for (let span = 0; span < trace.spans.length; span += 1) {
    if (trace.spans.lane[span] !== lane) continue
    const ns = within.totalWithin(startNs[span] ?? 0, endNs[span] ?? 0)
    const name = names.of(span)
    nsOf.set(name, (nsOf.get(name) ?? 0) + ns)
    allNs += ns
  }
  const [most] = [...nsOf].sort((a, b) => b[1] - a[1])
  if (!most || most[1] < NAMED_PART * allNs || allNs === 0) return null
  const [, name, file, line] = /^(.*) \((.*):(\d+)\)$/.exec(most[0]) ?? []
  if (name === undefined || file === undefined) return null
  return { file, line: Number(line), name, method: null, share: most[1] / allNs }
}

/** A wait of one of these behind that of another keeps the host as long. */
const WAITS: readonly Cause[] = ['read-back', 'synchronize', 'allocation', 'pageable-copies']
/** A pair of changes must gain more than one change: among all pairs one reaches 1.02 by chance. */
const PAIR_GAIN = 1.05
/**
 * Of what a graph of the whole step would gain, half to all is reached (predict.ts): the rest can't
 * be captured. With two thirds most first findings were right, in both recordings of
 * bench/interventions.
 */
const GRAPH_SHARE = 2 / 3

const ENCODE = spanKindIndex('encode')
const PAGE_WAITS: readonly Cause[] = ['read-back', 'synchronize', 'copies-in-line', 'dispatch']

export function stepFacts(
  { read, replay }: DeviceReplay,
  unprofiledUs: number | null,
  trace: 'page' | 'PyTorch' | 'other',
): StepFacts {
  // The reader may take the estimate.
  const isEstimate = unprofiledUs !== null && Math.abs(1e3 * unprofiledUs - replay.estimatedNs) < 1
  return {
    count: read.stepCount,
    medianUs: replay.medianNs / 1e3,
    replayedUs: replay.replayedNs / 1e3,
    profilerUs: read.profilerNs / 1e3,
    from: read.steps.from,
    unprofiledUs,
    estimatedUs: unprofiledUs === null && trace === 'PyTorch' ? replay.estimatedNs / 1e3 : null,
    errorsOf:
      trace === 'page' ? 'pages' : unprofiledUs === null ? 'alone' : isEstimate ? 'estimated' : 'timed',
  }
}

export function gainOf({ replay, isOneRank }: DeviceReplay, removed: readonly Removed[]): Gain {
  const { stepNs, lowNs, highNs } = replay.without(removed)
  const nowNs = replay.replayedNs
  const high = (isOneRank ? nowNs : highNs) / 1e3
  return { stepUs: stepNs / 1e3, low: lowNs / 1e3, high, gain: nowNs / stepNs }
}

/** Code that recurs without a name is the program's own: only what comes once is unknown. */
const removal = (cause: Cause, code: string | null = null): Removed => ({ cause, code, isStrict: true })

/** A long stretch within an operator is its own work on the host, and no code of the reader's. */
const IN_OPERATOR = {
  title: 'An operator keeps the host busy',
  mend: 'If it happens once, it is set-up (libraries load, cuDNN tries its algorithms): record after a few warm-up steps. If its tensors are on the CPU, create them on the GPU. Otherwise choose a variant of the operator that does less on the host.',
}
const OPERATOR = /^\w+::\w/
const BETWEEN_GRAPHS =
  'The step already launches graphs. What remains lies before and between them: torch.compile’s guards, input copies, operators outside the graphs.'

/** @param gaps of the device, with their causes */
export function profileFindings(
  placed: PlacedTrace,
  stacks: HostStacks,
  device: DeviceReplay,
  gaps: readonly Gap[],
): readonly Finding[] {
  const { replay, causes, read } = device
  const facts = new CauseFacts(placed, stacks, device)
  const nowUs = replay.replayedNs / 1e3
  const found = causes
    // Code that recurs without a name is listed as the program's own.
    .filter((cause) => cause !== 'unknown' || read.program.stretches.some((each) => each.cause === 'unknown'))
    .map((cause) => {
      const isBetweenGraphs = cause === 'dispatch' && facts.launchesGraphs()
      const gain = gainOf(device, [removal(cause)])
      const { line, what, said } = facts.namesOf(cause)
      const isOperator = cause === 'host-code' && OPERATOR.test(what)
      const { title, mend } = isOperator
        ? IN_OPERATOR
        : what === COLLECTOR
          ? COLLECTOR_WORDS
          : wordsOf(cause, read.stepCount > 1)
      const work = read.program.work.flatMap((each) => (each.cause === cause ? [each.span] : []))
      return findingOf(gain, nowUs, {
        cause,
        what,
        line,
        example: exampleOf(cause, gaps, work, placed),
        title,
        sentence: gainText(
          isBetweenGraphs ? 'With all launches in one graph' : changeOf(cause, isCode(what) ? said : what),
          gain,
          nowUs,
        ),
        evidence: facts.evidenceOf(cause, said, (code) => gainOf(device, [{ cause, code }]).gain, gain.gain),
        mend: isBetweenGraphs ? BETWEEN_GRAPHS : mend,
      })
    })
  const isNamed = ({ without }: Finding) => without !== null && without.gain >= NAMED_GAIN
  const alone = found.filter(({ share }) => share >= MINOR_SHARE)
  if (!alone.some(isNamed)) return together(device, found, nowUs)
  const waits = found.filter((each) => WAITS.includes(each.cause) && !isNamed(each))
  const pair = together(device, waits, nowUs)
  return ranked([...alone.filter(({ cause }) => !pair.some((each) => each.cause === cause)), ...pair])
}

/** @param gaps of the device, with their causes */
export function pageGains(
  placed: PlacedTrace,
  device: DeviceReplay,
  gaps: readonly Gap[],
): readonly Finding[] {
  const { read, replay, causes } = device
  const { stretches, work, chains, stepEndsNs } = read.program
  const nowUs = replay.replayedNs / 1e3
  const step = pageStep(read.steps)
  const steps = stepEndsNs.length
  const { kind } = placed.trace.spans
  const finding = (cause: Cause, code: string | null, isOf: (stretch: Stretch) => boolean): Finding => {
    const gain = gainOf(device, [removal(cause, code)])
    const own = stretches.filter(isOf)
    const ownNs = own.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
    const uploadNs = work
      .filter((each) => code !== null && chains[each.code]?.[0] === code)
      .reduce((sum, { lengthNs }) => sum + lengthNs, 0)
    const { title, without, mend, onPage } = CAUSE_WORDS[cause]
    const words = code === null ? undefined : CALL_WORDS[code]
    const line = code === SCRIPT ? scriptLine(placed, union(own.map(timeOf))) : null
    const change = words?.change ?? (cause === 'dispatch' ? 'With one submit() per iteration' : without)
    const spans = new Set(own.map(({ span }) => span).filter((span) => kind[span] !== ENCODE)).size
    const count =
      steps > 1 ? `${counted(Math.round(spans / steps), 'time')} in ${step}` : counted(spans, 'time')
    const ownUs = (ownNs + uploadNs) / steps / 1e3
    return findingOf(
      gain,
      nowUs,
      {
        cause,
        what: code ?? '',
        line,
        example: exampleOf(
          cause,
          gaps,
          own.map(({ span }) => span),
          placed,
        ),
        title: words?.title ?? title,
        sentence: gainText(change, gain, nowUs, step),
        evidence:
          code === SCRIPT
            ? `The script runs for ${durationText(ownNs / steps)} of ${step}, outside WebGPU calls${line ? `, ${percentText(line.share)} of it in ${line.name}` : ''}.`
            : `${count}, for ${durationText(ownNs / steps)} of ${durationText(nowUs * 1e3)}.${uploadNs > ownNs ? ` The passes after them began late; the replay charges ${durationText(uploadNs / steps)} of that to these calls.` : ''}`,
        mend: words?.mend ?? onPage ?? mend,
      },
      // A frame may just miss the display for a short call.
      ownUs < NAMED_SHARE * nowUs ? ownUs : Infinity,
    )
  }
  return [
    ...PAGE_WAITS.filter((cause) => causes.includes(cause)).map((cause) =>
      finding(cause, null, (stretch) => stretch.cause === cause),
    ),
    ...chains.flatMap(([code = ''], at) => [finding('host-code', code, (stretch) => stretch.code === at)]),
  ].sort((a, b) => b.usPerStep - a.usPerStep)
}

const timeOf = ({ startNs, endNs }: Stretch) => ({ start: startNs, end: endNs })

function findingOf(
  gain: Gain,
  nowUs: number,
  { cause, what, line, ...said }: Omit<Finding, 'usPerStep' | 'share' | 'without' | 'together'>,
  mostUs = Infinity,
): Finding {
  const saved = Math.min(mostUs, Math.max(0, nowUs - gain.stepUs))
  const share = nowUs > 0 ? saved / nowUs : 0
  return { cause, what, line, usPerStep: saved, share, without: gain, together: null, ...said }
}

/** The longest gap of the cause, else the longest of its spans. */
function exampleOf(
  cause: Cause,
  gaps: readonly Gap[],
  spans: readonly number[],
  { startNs, endNs }: PlacedTrace,
): Example | null {
  let [gap, longestNs] = [-1, 0]
  for (const [index, { cause: of, durationNs }] of gaps.entries())
    if (of === cause && durationNs > longestNs) [gap, longestNs] = [index, durationNs]
  if (gap >= 0) return { type: 'gap', gap }
  const lengthOf = (span: number) => (endNs[span] ?? 0) - (startNs[span] ?? 0)
  const span = spans.reduce((most, each) => (most < 0 || lengthOf(each) > lengthOf(most) ? each : most), -1)
  return span < 0 ? null : { type: 'span', span }
}

/** The two causes whose removal gains most together, where neither gains anything alone. */
function together(device: DeviceReplay, found: readonly Finding[], nowUs: number): readonly Finding[] {
  let best: { pair: readonly [Finding, Finding]; gain: Gain } | null = null
  for (const [index, a] of found.entries())
    for (const b of found.slice(index + 1)) {
      const gain = gainOf(device, [removal(a.cause), removal(b.cause)])
      if (gain.gain >= PAIR_GAIN && gain.gain > (best?.gain.gain ?? 0)) best = { pair: [a, b], gain }
    }
  if (!best) return []
  const { pair, gain } = best
  const sentence = togetherText([pair[0].cause, pair[1].cause], gain, nowUs)
  return pair.map((finding, at): Finding => ({
    ...finding,
    usPerStep: nowUs - gain.stepUs,
    share: 1 - gain.stepUs / nowUs,
    together: { cause: pair[1 - at]?.cause ?? finding.cause, gain },
    sentence,
  }))
}

/** Most gain first, as far as it is to be expected. */
const ranked = (found: readonly Finding[]): readonly Finding[] =>
  [...found].sort((a, b) => expectedUs(b) - expectedUs(a))
const expectedUs = ({ cause, usPerStep }: Finding): number =>
  (cause === 'dispatch' ? GRAPH_SHARE : 1) * usPerStep
