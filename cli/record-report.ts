/**
 * What a recording of a page holds, in numbers, and what to look at first: `report.json` of `lab
 * record`. Times in µs.
 */
import { pageFigures, type PageFigure } from '../src/analysis/page-figures'
import { linesOf, pageFindings } from '../src/analysis/page-findings'
import { counted, durationText, percentText, plain } from '../src/base/figures'
import { median } from '../src/base/stats'
import { DESTROYED } from '../src/recorder/page-info'
import {
  COMPUTE_PASSES,
  NOT_RESOLVED,
  RENDER_PASSES,
  SPAN_ROLES,
  adapterNameOf,
  isSoftwareAdapter,
  type SpanRole,
  type Trace,
} from '../src/trace/schema'
import type { AnalysisJson } from './lab-analyze'
import { sayHolds, type FailIf } from './fail-if'

export type PageReport = ReturnType<typeof pageReport>

const WAITS: readonly SpanRole[] = ['wait-map', 'wait-staging', 'wait-done']
const UPLOADS = /^(writeBuffer|writeTexture|mapped|mappedAtCreation|copyExternalImageToTexture)\b/

/**
 * @param analysis of the same trace
 * @param lessonOf id of the lesson that mends a fault; null: there is none
 */
export function pageReport(
  trace: Trace,
  analysis: Pick<AnalysisJson, 'diagnoses' | 'devices'>,
  lessonOf: (fault: string) => string | null,
) {
  const { spans, info } = trace
  const roles = new Map<SpanRole, { count: number; us: number }>()
  for (let span = 0; span < spans.length; span += 1) {
    const role = SPAN_ROLES[spans.role[span] ?? 0] ?? 'none'
    const sum = roles.get(role) ?? { count: 0, us: 0 }
    const us = ((spans.end[span] ?? 0) - (spans.start[span] ?? 0)) / 1e3
    roles.set(role, { count: sum.count + 1, us: sum.us + us })
  }
  const counts: Record<string, number> = {}
  for (const { name, unit, value } of trace.counters) {
    if (unit !== 'calls' && unit !== 'bytes') continue
    let sum = 0
    for (const each of value) sum += each
    counts[name] = sum
  }
  const countOf = (role: SpanRole) => roles.get(role)?.count ?? 0
  const figures = pageFigures(trace)
  const { values, windowsNs, run, startup } = figures
  const queues = new Set(spans.lane.subarray(0, spans.length))
  const busyUs = ({ device }: { readonly device: string }) =>
    analysis.devices.find(({ id }) => id === device)?.busyUs ?? 0
  const diagnoses = analysis.diagnoses.toSorted((a, b) => busyUs(b) - busyUs(a))
  return {
    schema: 'host-device-lab/page@2' as const,
    url: String(info.params['url']),
    adapter: info.adapter,
    /** The first sentence about each device's time, the busiest first. */
    verdicts:
      diagnoses.length > 0
        ? diagnoses.map(({ sentence }) => sentence)
        : ['No pass in the recording has timestamps, so we can’t tell when the GPU was busy.'],
    /** Grounds of these sentences, and what they leave open. */
    notes: [...diagnoses.map(({ note }) => note), untimed(trace)].filter((note) => note !== ''),
    submits: countOf('submit'),
    /** Submits among them without a command buffer, and to a device that was lost by then. */
    vain: { empty: counts['empty submits'] ?? 0, void: counts['submits to lost devices'] ?? 0 },
    /** Queues that took others. */
    devices: trace.lanes.filter(({ kind, id }) => kind === 'queue' && queues.has(id)).length,
    startup: startup && {
      firstUs: startup.firstNs / 1e3,
      medianUs: startup.medianNs / 1e3,
      pipelines: startup.pipelines,
      callsUs: startup.callsNs / 1e3,
    },
    passes: {
      compute: counts[COMPUTE_PASSES] ?? countOf('pass'),
      render: counts[RENDER_PASSES] ?? countOf('render-pass'),
    },
    waits: WAITS.flatMap((role) => {
      const sum = roles.get(role)
      return sum ? [{ role, ...sum }] : []
    }),
    /** Windows from one requestAnimationFrame to the next. */
    frames: {
      count: windowsNs.length,
      submitting: figures.frames,
      medianUs: windowsNs.length > 0 ? median(windowsNs) / 1e3 : null,
    },
    /**
     * Counts from a page's first result, or else its first submit; null: it has frames, or hardly
     * submits.
     */
    run: run && {
      submits: run.submits,
      us: run.lengthNs / 1e3,
      waits: run.waits,
      waitedUs: run.waitedNs / 1e3,
    },
    /** By the names of `--fail-if`; null: it cannot be determined. */
    figures: values,
    /** Calls and bytes by path, of the whole recording. */
    uploads: Object.fromEntries(Object.entries(counts).filter(([name]) => UPLOADS.test(name))),
    counts,
    findings: pageFindings({ trace, diagnoses, figures }).map(({ fault, ...each }) => ({
      ...each,
      /** Id of the lesson that mends it; null: there is none. */
      lesson: fault === null ? null : lessonOf(fault),
    })),
    /** Parts of WebGPU that the page replaced once it was recorded: 'GPUQueue.submit'. */
    replaced: String(info.derived['replaced'] ?? '')
      .split(', ')
      .filter(Boolean),
    /**
     * Each device that ended, with the reason and what was lost with it: the page destroyed it, or
     * it died.
     */
    lost: Object.entries(info.derived).flatMap(([name, why]) =>
      name.startsWith('lost ') ? [String(why)] : [],
    ),
    /** What could not be recorded, by reason. */
    rejected: trace.rejected,
  }
}

/** Passes without a device time, for the page's sake. */
function untimed({ rejected }: Trace): string {
  const count = rejected[NOT_RESOLVED] ?? 0
  return count === 0
    ? ''
    : `The GPU time of ${counted(count, 'pass', 'passes')} is not known: the page takes its own timestamps, and did not resolve both of a pass.`
}

/** Why devices were lost that the page did not destroy. */
export const died = ({ lost }: Pick<PageReport, 'lost'>): readonly string[] =>
  lost.filter((why) => why !== DESTROYED)

const isSoftware = ({ adapter }: Pick<PageReport, 'adapter'>): boolean =>
  adapter !== null && isSoftwareAdapter(adapter)

const adapterText = (report: PageReport): string => {
  const name = adapterNameOf(report) || 'The adapter does not say what it is'
  return isSoftware(report) ? `${name}: software on the CPU, no GPU.` : `${name}.`
}

/** Chromium’s software adapter ends at a canvas. */
const onSoftware = (report: PageReport): string =>
  isSoftware(report) && (report.counts['presents'] ?? 0) > 0
    ? ' The page draws on a canvas, which Chromium’s software adapters do not survive: record it on a GPU.'
    : ''

function vainText({ vain, devices }: PageReport): string {
  const parts = [
    ...(vain.empty > 0 ? [`${String(vain.empty)} without a command buffer`] : []),
    ...(vain.void > 0 ? [`${String(vain.void)} to a lost device`] : []),
    ...(devices > 1 ? [`to ${String(devices)} devices`] : []),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

const MOST_SHOWN = 5

/** For a terminal. */
export function pageText(report: PageReport): string {
  const { verdicts, notes, submits, passes, frames, run, waits, findings, replaced, lost, rejected } = report
  const left = Object.entries(rejected)
  return [
    ...died(report).map(
      (why) =>
        `A device was lost: ${why.replace(/\.$/, '')}. Times not read by then are lost with it.${onSoftware(report)}`,
    ),
    ...verdicts,
    ...notes,
    adapterText(report),
    `${String(submits)} submits${vainText(report)}, ${String(passes.compute)} compute and ${String(passes.render)} render passes, ${String(frames.count)} frames, ${String(waits.reduce((sum, { count }) => sum + count, 0))} awaited promises`,
    ...(run
      ? [
          `no frames: in ${durationText(run.us * 1e3)} ${plain((run.submits * 1e6) / run.us)} submits and ${plain((run.waits * 1e6) / run.us)} waits a second; the host waited for ${percentText(Math.min(1, run.waitedUs / run.us))} of it`,
        ]
      : []),
    ...findings.slice(0, MOST_SHOWN).flatMap(({ what, evidence, mend, lines, lesson }, index) => [
      // The first sentence is not said twice.
      `${String(index + 1)}. ${verdicts.includes(what) ? evidence : what}`,
      ...(verdicts.includes(what) ? [] : [`   ${evidence}`]),
      ...lines.map((line) => `   at ${line}`),
      `   ${mend}${lesson === null ? '' : ` Lesson: ${lesson}.`}`,
    ]),
    ...findings.slice(MOST_SHOWN).map(({ what }, index) => `${String(MOST_SHOWN + index + 1)}. ${what}`),
    ...(replaced.length > 0
      ? [
          `The page has replaced ${replaced.slice(0, MOST_SHOWN).join(', ')}${replaced.length > MOST_SHOWN ? ` and ${String(replaced.length - MOST_SHOWN)} more` : ''}: a call that this doesn’t pass on is not recorded.`,
        ]
      : []),
    ...(lost.length > died(report).length
      ? [`${counted(lost.length - died(report).length, 'device')} ${DESTROYED}.`]
      : []),
    ...(left.length > 0
      ? [`Not recorded: ${left.map(([why, count]) => `${why} (${String(count)})`).join(', ')}.`]
      : []),
  ].join('\n')
}

interface Recorded {
  readonly trace: Trace
  readonly report: Pick<PageReport, 'url' | 'figures'>
}

/**
 * For each condition that holds of one of the page's documents and workers: what it is, and the
 * lines at fault. One that can be determined of none of them fails too.
 */
export const pageFailures = (
  conditions: readonly FailIf[],
  recorded: readonly Recorded[],
): readonly string[] =>
  conditions.flatMap((condition) => {
    const figure = condition.name as PageFigure // parsed as one of them
    const known = recorded.flatMap(({ trace, report }) => {
      const value = report.figures[figure]
      return value === null ? [] : [{ trace, value, url: report.url }]
    })
    if (known.length === 0)
      return [
        `'${condition.text}' cannot be determined: ${figure === 'submitsPerWait' ? 'there are frames, or hardly more than one submit' : 'no frame submits'}.`,
      ]
    return known.flatMap(({ trace, value, url }) => {
      const said = sayHolds(condition, value)
      return said === null
        ? []
        : [`${url}: ${said}`, ...linesOf(trace, figure).map((line) => `   at ${line}`)]
    })
  })
