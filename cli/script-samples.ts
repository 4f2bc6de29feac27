/**
 * Which function of a page ran when, from V8's samples in Chrome's trace (category
 * `disabled-by-default-v8.cpu_profiler`; format: V8's `profiler/cpu-profile.cc`, StreamPendingTraceEvents).
 */
import type { TraceEvent } from './page-targets'

/** Category of the samples: about one in 0.2 ms. */
export const SAMPLES = 'disabled-by-default-v8.cpu_profiler'

interface CallFrame {
  readonly functionName: string
  readonly url?: string
  /** From 0: where the function begins. */
  readonly lineNumber?: number
  readonly codeType: string
}
interface Node {
  readonly id: number
  readonly parent?: number
  readonly callFrame: CallFrame
}
interface Chunk {
  readonly startTime?: number
  readonly cpuProfile?: { readonly nodes?: readonly Node[]; readonly samples?: readonly number[] }
  /** µs from one sample to the next. */
  readonly timeDeltas?: readonly number[]
}
type Profiled = TraceEvent & { readonly id?: string; readonly args?: { readonly data?: Chunk } }

/** µs of the trace's clock; '' where no function of the page ran. */
export interface Sample {
  readonly ts: number
  /** 'draw (https://a.test/app.js:12)': the function by the line that it begins at. */
  readonly name: string
}

/** Of one thread, by time. */
export function samplesOf(events: readonly TraceEvent[], pid: number, tid: number): readonly Sample[] {
  const own = (events as readonly Profiled[]).filter(
    (event) => event.pid === pid && (event.name === 'Profile' || event.name === 'ProfileChunk'),
  )
  const samples: Sample[] = []
  for (const { id, args } of own.filter((event) => event.name === 'Profile' && event.tid === tid)) {
    const nodes = new Map<number, Node>()
    const names = new Map<number, string>()
    let ts = args?.data?.startTime ?? 0
    for (const chunk of own.filter((event) => event.name === 'ProfileChunk' && event.id === id)) {
      const { cpuProfile: { nodes: added = [], samples: ids = [] } = {}, timeDeltas = [] } =
        chunk.args?.data ?? {}
      for (const node of added) nodes.set(node.id, node)
      for (const [at, node] of ids.entries()) {
        ts += timeDeltas[at] ?? 0
        let name = names.get(node)
        if (name === undefined) names.set(node, (name = nameOf(node, nodes)))
        samples.push({ ts, name })
      }
    }
  }
  return samples.sort((a, b) => a.ts - b.ts)
}

/**
 * The innermost function of the page that has a name. '' within a call of WebGPU, which the
 * recorder's own script stands around: it has no address.
 */
function nameOf(leaf: number, nodes: ReadonlyMap<number, Node>): string {
  let unnamed = ''
  for (let node = nodes.get(leaf); node; node = nodes.get(node.parent ?? -1)) {
    const { functionName, url = '', lineNumber = 0, codeType } = node.callFrame
    if (codeType === 'JS' && url === '') return ''
    if (url === '') continue
    if (functionName.startsWith('wasm-function[')) return `WebAssembly (${url}:1)`
    const place = `${url}:${String(lineNumber + 1)}`
    if (functionName !== '') return `${functionName} (${place})`
    unnamed = `(anonymous) (${place})`
  }
  return unnamed
}

/** Of one function: its beginnings and ends in turn, in ms. */
export type Ran = readonly [name: string, times: readonly number[]]

/** When each function ran, within the given times; both in ms, the samples' from `zeroUs` on. */
export function ranWithin(
  samples: readonly Sample[],
  zeroUs: number,
  within: readonly { readonly start: number; readonly end: number }[],
): readonly Ran[] {
  const ran = new Map<string, number[]>()
  let task = 0
  for (const [at, { ts, name }] of samples.entries()) {
    if (name === '') continue
    const [start, next] = [(ts - zeroUs) / 1e3, ((samples[at + 1]?.ts ?? ts) - zeroUs) / 1e3]
    while ((within[task]?.end ?? Infinity) <= start) task += 1
    const { start: fromMs, end: toMs } = within[task] ?? { start: Infinity, end: Infinity }
    if (fromMs > start) continue
    const end = Math.min(next, toMs)
    const times = ran.get(name)
    if (!times) ran.set(name, [start, end])
    else if (times.at(-1) === start) times[times.length - 1] = end
    else times.push(start, end)
  }
  return [...ran]
}
