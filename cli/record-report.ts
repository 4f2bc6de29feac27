/** What a recording of a page holds, in numbers, and what to look at first: `report.json` of `lab record`. Times in µs. */
import type { AnalysisJson } from './analysis-shape'
import { SPAN_KINDS, SPAN_ROLES, type SpanRole, type Trace } from '../src/trace/schema'

/** Where a page's scripts called: as the recorder looked, at some of many calls (src/recorder/call-sites.ts). */
interface CallSite {
  readonly what: string
  readonly url: string
  readonly line: number
  readonly caller: string
}

interface PageFinding {
  readonly what: string
  readonly evidence: string
  readonly mend: string
  /** 'https://a.test/app.js:12 (draw)', most often seen first. */
  readonly lines: readonly string[]
  /** Id of the lesson that mends it; null: there is none. */
  readonly lesson: string | null
}

export interface PageReport {
  readonly schema: 'host-device-lab/page@1'
  readonly url: string
  readonly adapter: Trace['info']['adapter']
  readonly submits: number
  readonly passes: { readonly compute: number; readonly render: number; readonly unlabelled: number }
  readonly waits: readonly { readonly role: SpanRole; readonly count: number; readonly us: number }[]
  /** Windows from one requestAnimationFrame to the next. */
  readonly frames: { readonly count: number; readonly medianUs: number | null }
  /** Calls and bytes by path, of the whole recording. */
  readonly uploads: Readonly<Record<string, number>>
  readonly counts: Readonly<Record<string, number>>
  readonly findings: readonly PageFinding[]
  /** What could not be recorded, by reason. */
  readonly rejected: Trace['rejected']
}

/** What to look for in a finding of the analysis: the calls that did it. */
const ROLE_OF: Readonly<Record<string, SpanRole>> = {
  'read-back': 'wait-map',
  'late-upload': 'wait-staging',
  synchronise: 'wait-done',
  'small-kernels': 'submit',
  'host-busy': 'submit',
}
const WAITS: readonly SpanRole[] = ['wait-map', 'wait-staging', 'wait-done']
const UPLOADS = /^(writeBuffer|writeTexture|mapped|mappedAtCreation|copyExternalImageToTexture)\b/
const MOST_LINES = 3
/** A frame, from which they are worth a look: fewer are no loop over objects. Chosen. */
const MANY_SMALL_WRITES = 16
const FEW_BINDS_MADE = 1

/** @param analysis of the same trace */
export function pageReport(trace: Trace, analysis: Pick<AnalysisJson, 'diagnoses'>): PageReport {
  const { spans, info } = trace
  const roles = new Map<SpanRole, { count: number; us: number }>()
  const framesNs: number[] = []
  let unlabelled = 0
  for (let span = 0; span < spans.length; span += 1) {
    const role = SPAN_ROLES[spans.role[span] ?? 0] ?? 'none'
    const lengthNs = (spans.end[span] ?? 0) - (spans.start[span] ?? 0)
    if (SPAN_KINDS[spans.kind[span] ?? 0] === 'window') framesNs.push(lengthNs)
    const sum = roles.get(role) ?? { count: 0, us: 0 }
    roles.set(role, { count: sum.count + 1, us: sum.us + lengthNs / 1e3 })
    const isPass = role === 'pass' || role === 'render-pass'
    // So named by the recorder where they have no label, and by a program that labels them so.
    if (isPass && trace.strings[spans.name[span] ?? -1] === 'pass') unlabelled += 1
  }
  const counts: Record<string, number> = {}
  for (const { name, unit, value } of trace.counters) {
    if (unit !== 'calls' && unit !== 'bytes') continue
    let sum = 0
    for (const each of value) sum += each
    counts[name] = sum
  }
  const countOf = (role: SpanRole) => roles.get(role)?.count ?? 0
  const sorted = framesNs.toSorted((a, b) => a - b)
  return {
    schema: 'host-device-lab/page@1',
    url: String(info.params['url']),
    adapter: info.adapter,
    submits: countOf('submit'),
    passes: { compute: countOf('pass'), render: countOf('render-pass'), unlabelled },
    waits: WAITS.flatMap((role) => {
      const sum = roles.get(role)
      return sum ? [{ role, ...sum }] : []
    }),
    frames: {
      count: framesNs.length,
      medianUs: sorted.length > 0 ? (sorted[sorted.length >> 1] ?? 0) / 1e3 : null,
    },
    uploads: Object.fromEntries(Object.entries(counts).filter(([name]) => UPLOADS.test(name))),
    counts,
    findings: [...ofAnalysis(trace, analysis), ...ofCounts(trace, counts, framesNs.length)],
    rejected: trace.rejected,
  }
}

const ofAnalysis = (trace: Trace, { diagnoses }: Pick<AnalysisJson, 'diagnoses'>): readonly PageFinding[] =>
  diagnoses.flatMap(({ findings, minor }) =>
    [...findings, ...minor].map(({ fault, sentence, evidence, mend, lesson }) => ({
      what: sentence,
      evidence,
      mend,
      lines: linesOf(trace, ROLE_OF[fault]),
      lesson,
    })),
  )

function ofCounts(
  trace: Trace,
  counts: Readonly<Record<string, number>>,
  frames: number,
): readonly PageFinding[] {
  if (frames === 0) return []
  const aFrame = (name: string) => (counts[name] ?? 0) / frames
  const small = aFrame('writeBuffer calls up to 256 bytes')
  const made = aFrame('bind groups made')
  const found: PageFinding[] = []
  if (small >= MANY_SMALL_WRITES)
    found.push({
      what: `Each frame writes ${String(Math.round(small))} times at most 256 bytes.`,
      evidence: `${String(counts['writeBuffer calls up to 256 bytes'])} of ${String(counts['writeBuffer calls'])} calls of writeBuffer() in ${String(frames)} frames.`,
      mend: 'Keep them in one buffer with an offset each, and write that once a frame.',
      lines: linesOf(trace, 'write'),
      lesson: null,
    })
  if (made > FEW_BINDS_MADE)
    found.push({
      what: `Each frame makes ${String(Math.round(made))} bind groups.`,
      evidence: `${String(counts['bind groups made'])} in ${String(frames)} frames.`,
      mend: 'Make them once, and change what they point to by a dynamic offset.',
      lines: [],
      lesson: null,
    })
  return found
}

function linesOf({ info }: Trace, role: SpanRole | undefined): readonly string[] {
  return Object.entries(info.derived)
    .flatMap(([name, text]) => (name.startsWith('site ') ? [JSON.parse(String(text)) as CallSite] : []))
    .filter(({ what }) => what === role)
    .slice(0, MOST_LINES)
    .map(({ url, line, caller }) => `${url}:${String(line)}${caller === '' ? '' : ` (${caller})`}`)
}

const MOST_SHOWN = 5

/** For a terminal. */
export function pageText({ submits, passes, frames, waits, findings, rejected }: PageReport): string {
  const lost = Object.entries(rejected)
  return [
    `${String(submits)} submits, ${String(passes.compute)} compute and ${String(passes.render)} render passes, ${String(frames.count)} frames, ${String(waits.reduce((sum, { count }) => sum + count, 0))} waits`,
    ...(findings.length === 0 ? ['Nothing stands out.'] : []),
    ...findings
      .slice(0, MOST_SHOWN)
      .flatMap(({ what, evidence, mend, lines, lesson }, index) => [
        `${String(index + 1)}. ${what}`,
        `   ${evidence}`,
        ...lines.map((line) => `   at ${line}`),
        `   ${mend}${lesson === null ? '' : ` Lesson: ${lesson}.`}`,
      ]),
    ...(passes.unlabelled > 0 ? [`${String(passes.unlabelled)} passes have no label.`] : []),
    ...(lost.length > 0
      ? [`Not recorded: ${lost.map(([why, count]) => `${why} (${String(count)})`).join(', ')}.`]
      : []),
  ].join('\n')
}
