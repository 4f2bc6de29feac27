/**
 * Where the fault of a recorded profile lies, by the analysis that judges any profile: the function
 * of the most costly cause, of ranks that of the late rank; and what the profile holds of any other
 * function. Pure.
 */
import { durationText, grouped, percentText } from '../../base/figures'
import { pythonFrame } from '../../analysis/host-stacks'
import type { Diagnosis, Finding, SourceLine } from '../../analysis/findings'
import type { FoundFacts, RanksDigest } from '../import-worker/protocol'
import type { PlacedTrace } from '../../trace/place'
import type { Metric } from '../../trace/report'

const ratio = (us: number, { recordedUs }: Diagnosis): number | null =>
  recordedUs > 0 ? us / recordedUs : null

/**
 * Figures of recorded profiles that a lesson's words quote, as metrics: `busy-ratio`, `work-ratio`,
 * `idle-ratio` and `copy-ratio` of a device's time, `waited-ms` of a rank. The variant is the
 * recording, of ranks with the rank behind a slash: 'torch-nccl/0'.
 */
export function figuresOf(recording: string, { found, ranks }: ReadProfile): readonly Metric[] {
  return found.diagnoses.flatMap((diagnosis): readonly Metric[] => {
    const rank = ranks?.ranks.shown.find(({ device }) => device === diagnosis.device)
    const variant = rank ? `${recording}/${String(rank.rank)}` : recording
    const { parts, busyRatio } = diagnosis
    const values: readonly (readonly [name: string, unit: Metric['unit'], value: number | null])[] = [
      ['busy-ratio', 'ratio', busyRatio],
      ['work-ratio', 'ratio', ratio(parts.workUs, diagnosis)],
      ['idle-ratio', 'ratio', ratio(parts.idleUs, diagnosis)],
      ['copy-ratio', 'ratio', ratio(parts.copyUs, diagnosis)],
      ['waited-ms', 'ms', rank?.waitedUs == null ? null : rank.waitedUs / 1e3],
    ]
    const common = { variant, low: null, high: null, n: 1, origin: 'derived' } as const
    return values.map(([name, unit, value]) => ({ ...common, name, unit, value }))
  })
}

export interface ReadProfile {
  readonly found: Pick<FoundFacts, 'diagnoses'>
  readonly ranks: RanksDigest | null
}

/** The device that is judged: the late rank's; where none is late, the first. */
function judgedDevice({ found, ranks }: ReadProfile): number {
  const late = ranks?.ranks.shown.find(({ rank }) => rank === ranks.lateRank)
  return late ? found.diagnoses.findIndex(({ device }) => device === late.device) : 0
}

export interface Fault {
  /** Index of the device among the diagnoses. */
  readonly device: number
  readonly diagnosis: Diagnosis | undefined
  /** The most costly cause; null where the device had work nearly all of the time. */
  readonly finding: Finding | null
  /**
   * The function of that cause; null also where the file does not say: such a profile can be no
   * question.
   */
  readonly line: SourceLine | null
}

export function faultIn(profile: ReadProfile): Fault {
  const device = judgedDevice(profile)
  const diagnosis = profile.found.diagnoses[device]
  const finding = diagnosis?.verdict === 'well-fed' ? null : (diagnosis?.findings[0] ?? null)
  return { device, diagnosis, finding, line: finding?.line ?? null }
}

/** A cause that the profile names in a function. */
export interface Attributed {
  readonly title: string
  /** Of the device's time. */
  readonly share: number
  /** Null where there is one device. */
  readonly rank: number | null
}

/** What the profile attributes to a function, most time first. */
export function attributedTo(
  { found, ranks }: ReadProfile,
  file: string,
  name: string,
): readonly Attributed[] {
  return found.diagnoses
    .flatMap(({ device, findings, minor }) => {
      const rank = ranks?.ranks.shown.find((each) => each.device === device)?.rank ?? null
      return [...findings, ...minor].flatMap(({ line: source, share, title }): readonly Attributed[] =>
        source?.file === file && source.name === name ? [{ title, share: share * source.share, rank }] : [],
      )
    })
    .sort((a, b) => b.share - a.share)
}

export interface Calls {
  readonly count: number
  readonly ns: number
}

/** Calls of each Python function that the profile recorded, by `callKey`; on all ranks together. */
export function callsIn(props: PlacedTrace): ReadonlyMap<string, Calls> {
  const {
    trace: { spans, strings },
    startNs,
    endNs,
  } = props
  const places = new Map<number, string | null>()
  const calls = new Map<string, { count: number; ns: number }>()
  for (let span = 0; span < spans.length; span += 1) {
    const name = spans.name[span] ?? -1
    let place = places.get(name)
    if (place === undefined) {
      const frame = pythonFrame(strings[name] ?? '')
      places.set(name, (place = frame && callKey(frame.file, frame.name)))
    }
    if (place === null) continue
    const ns = (endNs[span] ?? 0) - (startNs[span] ?? 0)
    const known = calls.get(place)
    if (known) {
      known.count += 1
      known.ns += ns
    } else calls.set(place, { count: 1, ns })
  }
  return calls
}

export const callKey = (file: string, name: string): string => `${file}: ${name}`

/**
 * What a profile shows of a function: how often it ran and for how long, and what of the GPU's time
 * is attributed to it.
 */
export function evidenceWords(calls: Calls | undefined, attributed: readonly Attributed[]): string {
  if (!calls) return 'This profile never calls it, so it cost nothing.'
  const mean = durationText(calls.ns / calls.count)
  const times = `${grouped(calls.count)} ${calls.count === 1 ? 'time' : 'times'}`
  const ran = `In this profile it ran ${times}, for ${mean} on the host${calls.count > 1 ? ' on average' : ''}.`
  if (attributed.length === 0) return `${ran} It cost the GPU no time.`
  const parts = attributed.map(({ share, title, rank }) => {
    const whose = rank === null ? 'the GPU’s' : `rank ${String(rank)}’s`
    return `${percentText(share)} of ${whose} time (${title.toLowerCase()})`
  })
  return `${ran} It cost ${parts.join(', ')}.`
}
