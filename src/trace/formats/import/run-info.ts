/**
 * What a file says of the run as a whole: when, on which device, and how well its times are known.
 */
import * as v from 'valibot'
import { count } from '../../../base/shape'
import { CUT, UNPROFILED_MS, type AdapterSummary, type Distributed, type RunInfo } from '../../schema'
import type { EventFile } from './event-file'
import { KEY } from './kept-arguments'
import { isPassCategory, type LabFile } from './lab-file'

/**
 * 'host-device-lab' is the lab's own format; its Trace Event exports are 'trace-event'. XLA's is
 * what jax.profiler writes.
 */
export type TraceFormat = 'host-device-lab' | 'trace-event' | 'torch-profiler' | 'xla-profiler'

interface RunDescription {
  readonly info: RunInfo
  readonly originMs: number
  readonly stepNs: number
  readonly deviceStepNs: number
}

export function describeRun(
  file: EventFile,
  own: LabFile | null,
  baseUs: number,
  isKineto: boolean,
  devices: ReadonlySet<number>,
  leadNs: number,
  /** Whether there are device lanes of which the file tells no more than the widest bound. */
  needsBound: boolean,
): RunDescription {
  const stepNs = own ? own.hostStepNs : textStepNs(file)
  if (own)
    return {
      info: own.info ?? plainInfo('', {}, null),
      originMs: own.originMs,
      stepNs,
      deviceStepNs: needsBound ? Math.max(stepNs, 2 * ownBoundNs(file)) : stepNs,
    }
  const ids = [...devices].map((pid) => file.texts.text(pid))
  const names = deviceNames(file)
  const derived = Object.fromEntries<string | number>([
    ...ids.flatMap((id) => (names.has(id) ? [[`device ${id}`, names.get(id) ?? ''] as const] : [])),
    ...softwareOf(file),
    ...unprofiledOf(file),
    ...(file.isCut ? [[CUT, isInOrder(file) ? 'at its end' : 'anywhere'] as const] : []),
  ])
  const only = ids.length === 1 ? names.get(ids[0] ?? '') : undefined
  const originMs = isKineto ? kinetoOriginMs(file, baseUs) : 0
  return {
    info: {
      ...plainInfo(startOf(originMs), derived, only === undefined ? null : adapterOf(only)),
      ...distributedOf(file),
    },
    originMs,
    stepNs,
    deviceStepNs: Math.max(stepNs, 2 * leadNs),
  }
}

const plainInfo = (
  startedAt: string,
  derived: RunInfo['derived'],
  adapter: AdapterSummary | null,
): RunInfo => ({
  experiment: '',
  params: {},
  derived,
  adapter,
  userAgent: '',
  crossOriginIsolated: false,
  startedAt,
  origin: 'imported',
})

const adapterOf = (device: string): AdapterSummary => ({
  vendor: '',
  architecture: '',
  device,
  description: device,
  isFallbackAdapter: false,
})

/** Whole µs in the whole file: times are known to a µs. Any decimals: to a ns. */
const textStepNs = ({ events, hasFractions }: EventFile): number =>
  hasFractions ? 1 : events.length === 0 ? 0 : 1000

/** The widest bound that the lab wrote of a device span. */
function ownBoundNs(file: EventFile): number {
  const { events, texts } = file
  const { columns, length } = events
  const isPass = texts.asked(isPassCategory)
  let widestNs = 0
  for (let row = 0; row < length; row += 1) {
    if (isPass(columns.category[row] ?? 0))
      widestNs = Math.max(widestNs, (file.finite(row, KEY.uncertainty_us) ?? 0) * 1e3)
  }
  return widestNs
}

const deviceShape = v.object({ id: v.exactOptional(v.unknown()), name: v.string() })

function deviceNames({ top }: EventFile): ReadonlyMap<string, string> {
  const list = top['deviceProperties']?.value
  const names = new Map<string, string>()
  for (const device of Array.isArray(list) ? (list as readonly unknown[]) : [])
    if (v.is(deviceShape, device)) names.set(String(device.id), device.name)
  return names
}

const distributedShape = v.object({
  rank: count,
  world_size: count,
  backend: v.fallback(v.string(), ''),
})

/** Which rank of how many: torch.profiler writes it where a process group had been made. */
function distributedOf({ top }: EventFile): { readonly distributed?: Distributed } {
  const said = top['distributedInfo']?.value
  const { success, output } = v.safeParse(distributedShape, said)
  if (!success || output.rank >= output.world_size) return {}
  const { rank, world_size: worldSize, backend } = output
  return { distributed: { rank, worldSize, backend } }
}

/**
 * What torch.profiler says it was: `cuda_runtime_version` is 1000·major + 10·minor,
 * `pytorch_version` is there if the script added it.
 */
function softwareOf({ top }: EventFile): readonly (readonly [string, string])[] {
  const [pytorch, cuda] = [top['pytorch_version']?.value, top['cuda_runtime_version']?.value]
  const isCuda = typeof cuda === 'number' && Number.isInteger(cuda) && cuda >= 1000 && cuda < 1e6
  return [
    ...(typeof pytorch === 'string' && pytorch !== '' ? [['PyTorch', pytorch] as const] : []),
    ...(isCuda
      ? [['CUDA', `${String(Math.floor(cuda / 1000))}.${String(Math.floor((cuda % 1000) / 10))}`] as const]
      : []),
  ]
}

/** `step_ms_without_profiler`, which the recording script adds (public/companion/stacks.py). */
function unprofiledOf({ top }: EventFile): readonly (readonly [string, number])[] {
  const ms = Number(top['step_ms_without_profiler']?.value)
  return ms > 0 && Number.isFinite(ms) ? [[UNPROFILED_MS, ms]] : []
}

/** A profiler writes what it has of one kind after all of another, so that times begin anew. */
const BEGINS_ANEW = 0.1

/** True: no record begins long before one that is written before it. */
function isInOrder({ events }: EventFile): boolean {
  let [first, latest, backNs] = [Infinity, -Infinity, 0]
  for (let row = 0; row < events.length; row += 1) {
    const time = events.nsOf(row)
    if (!Number.isFinite(time)) continue
    first = Math.min(first, time)
    latest = Math.max(latest, time)
    backNs = Math.max(backNs, latest - time)
  }
  return backNs <= BEGINS_ANEW * (latest - first)
}

/** Times are µs since `baseTimeNanoseconds`; older files have none, and absolute times. */
function kinetoOriginMs({ top }: EventFile, baseUs: number): number {
  const text = top['baseTimeNanoseconds']?.text ?? ''
  const baseMs = /^\d{1,19}$/.test(text) ? Number(BigInt(text) / 1000n) / 1e3 : 0
  return baseMs + baseUs / 1e3
}

/** ISO; '' where the origin is no time since 2000. */
function startOf(originMs: number): string {
  const isDate = originMs > Date.UTC(2000, 0) && originMs < Date.UTC(2200, 0)
  return isDate ? new Date(originMs).toISOString() : ''
}

const MPS_OPERATOR = /^(?:aten::_?mps_|mps::)|^torch[/\\]mps[/\\]/

/** On Apple's GPUs the profiler records only the host. */
const MPS =
  'The program ran on MPS: torch.profiler records no GPU work there. Put torch.mps.profiler.profile() round the same steps, and record with Metal System Trace in Xcode’s Instruments.'

/** Category of what experimental_config=_ExperimentalConfig(profiler_metrics=[…]) records. */
const COUNTERS_RANGE = /^cuda_profiler_range$/
const COUNTERS =
  'The profiler measured hardware counters (profiler_metrics), and records no kernels beside them: record without profiler_metrics.'

/** Why the profiler recorded no work of a device; null where nothing in the file says it. */
export function whyNoDevice({ events, texts }: EventFile): string | null {
  const isIn = (column: 'name' | 'category', pattern: RegExp) => {
    const isOne = texts.asked((text) => pattern.test(text))
    return events.columns[column].subarray(0, events.length).some((text) => isOne(text))
  }
  return isIn('name', MPS_OPERATOR) ? MPS : isIn('category', COUNTERS_RANGE) ? COUNTERS : null
}

/** Whether the notes of a file say why no device is in it. */
export const sayWhyNoDevice = (notes: readonly string[]): boolean =>
  notes.includes(MPS) || notes.includes(COUNTERS)
