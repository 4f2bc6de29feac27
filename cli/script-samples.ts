/**
 * Which function of a page ran when, from V8's samples as `Profiler.stop` of Chrome's debugging
 * protocol gives them.
 */

interface Node {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    /** From 0: where the function begins. */
    readonly lineNumber: number
    /** '0' of what is no script: '(idle)', and functions of the language. */
    readonly scriptId: string
  }
  readonly children?: readonly number[]
}

export interface Profile {
  readonly nodes: readonly Node[]
  /** µs of the clock that Chrome's trace has. */
  readonly startTime: number
  /** Nodes, one a sample. */
  readonly samples?: readonly number[]
  /** µs from one sample to the next, the first from the start. */
  readonly timeDeltas?: readonly number[]
}

/** µs of the trace's clock; '' where no function of the page ran. */
export interface Sample {
  readonly ts: number
  /** 'draw (https://a.test/app.js:12)': the function by the line that it begins at. */
  readonly name: string
}

/** Samples are in order of time. */
export function samplesOf({ nodes, startTime, samples = [], timeDeltas = [] }: Profile): readonly Sample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const names = new Map(nodes.map(({ id }) => [id, nameOf(id, byId, parents)]))
  let ts = startTime
  return samples
    .map((node, at): Sample => ({ ts: (ts += timeDeltas[at] ?? 0), name: names.get(node) ?? '' }))
    .sort((a, b) => a.ts - b.ts)
}

/**
 * The innermost function of the page that has a name. '' within a call of WebGPU, which the
 * recorder's own script stands around: it has no address.
 */
function nameOf(
  leaf: number,
  nodes: ReadonlyMap<number, Node>,
  parents: ReadonlyMap<number, number>,
): string {
  let unnamed = ''
  for (let at: number | undefined = leaf; at !== undefined; at = parents.get(at)) {
    const frame = nodes.get(at)?.callFrame
    if (!frame) break
    const { functionName, url, lineNumber, scriptId } = frame
    if (url === '' && scriptId !== '0') return ''
    if (url === '') continue
    if (functionName.startsWith('wasm-function[')) return `WebAssembly (${url}:1)`
    const place = `${url}:${String(lineNumber + 1)}`
    if (functionName !== '') return `${functionName} (${place})`
    unnamed = `(anonymous) (${place})`
  }
  return unnamed
}

/** One function, and when it began and ended, in turn, in ms. */
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
