/**
 * Reads a lane's spans as nested calls. Python's functions (torch.profiler with `with_stack=True`)
 * are spans like operators, named `file.py(12): function`. The line is the one at which the
 * function begins, since the profiler notes it on entry; if the function ran already when the
 * profiler began, it is the line it was at.
 */
import { lowerBound, upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { nest, type NestedLane } from './replay/host-stretches'

export interface PythonFrame {
  readonly file: string
  readonly line: number
  readonly name: string
}

/** 'item' of `<built-in method item of Tensor object at 0x7f…>`. */
const METHOD = /^<built-in method (\w+) of Tensor object/
export const tensorMethod = (name: string): string | null => METHOD.exec(name)?.[1] ?? null

const FRAME = /^(.+\.pyx?)\((\d{1,9})\): (.+)$/
/**
 * Files that are not the reader's: torch itself, installed packages, Python's own library. The profiler cuts the folders of sys.path off
 * names, so what is left of the library's are bare names: those that stand between a program and what it calls.
 */
const LIBRARY =
  /(?:^|[/\\])(?:site-packages|dist-packages|lib[/\\]python\d[\d.]*)[/\\]|^(?:torch|torchvision|torchaudio|numpy|triton|multiprocessing|concurrent|asyncio|importlib|json|logging)[/\\]|^(?:threading|contextlib|functools|runpy|queue|selectors|socket|pickle|copyreg|random|typing|abc|enum|warnings|os|_weakrefset|weakref|inspect|collections[/\\]__init__)\.py$|^<frozen /

export function pythonFrame(name: string): PythonFrame | null {
  const [, file, line, called] = FRAME.exec(name) ?? []
  return file === undefined || called === undefined ? null : { file, line: Number(line), name: called }
}

export const isLibrary = (file: string): boolean => LIBRARY.test(file)

/** The spans of one lane, each with the one it lies in. */
class LaneStack {
  readonly span: Uint32Array
  readonly parent: Int32Array
  readonly #startNs: Float64Array
  readonly #endNs: Float64Array

  constructor({ span, startNs, endNs, parent }: NestedLane) {
    this.span = span
    this.parent = parent
    this.#startNs = startNs
    this.#endNs = endNs
  }

  positionOf(span: number, startNs: number): number {
    for (let at = lowerBound(this.#startNs, startNs); at < this.span.length; at += 1) {
      if (this.span[at] === span) return at
      if ((this.#startNs[at] ?? Infinity) > startNs) break
    }
    return -1
  }

  /** The innermost span that a moment lies in. */
  at(timeNs: number): number {
    let at = upperBound(this.#startNs, timeNs) - 1
    while (at >= 0 && (this.#endNs[at] ?? 0) <= timeNs) at = this.parent[at] ?? -1
    return at
  }
}

export class HostStacks {
  readonly #placed: PlacedTrace
  readonly #lanes = new Map<number, LaneStack>()
  /** By name: a file has 10^5 spans of a thousand names. */
  readonly #frames = new Map<number, PythonFrame | null>()

  constructor(placed: PlacedTrace) {
    this.#placed = placed
  }

  /** The span and all it lies in, innermost first. */
  around(span: number): readonly number[] {
    const { trace, startNs } = this.#placed
    const stack = this.#laneOf(trace.spans.lane[span] ?? -1)
    return stack ? climb(stack, stack.positionOf(span, startNs[span] ?? Number.NaN)) : []
  }

  /** True: the span, or one that it lies in, is such. */
  isWithin(span: number, isSuch: (span: number) => boolean): boolean {
    const { trace, startNs } = this.#placed
    const stack = this.#laneOf(trace.spans.lane[span] ?? -1)
    if (!stack) return false
    for (let at = stack.positionOf(span, startNs[span] ?? Number.NaN); at >= 0; at = stack.parent[at] ?? -1)
      if (isSuch(stack.span[at] ?? -1)) return true
    return false
  }

  /** The spans that a thread was in at a moment, innermost first. */
  at(lane: number, timeNs: number): readonly number[] {
    const stack = this.#laneOf(lane)
    return stack ? climb(stack, stack.at(timeNs)) : []
  }

  /** The reader's own innermost function among these; else the innermost of any file; null where there is none. */
  frameAmong(spans: readonly number[]): PythonFrame | null {
    let any: PythonFrame | null = null
    for (const span of spans) {
      const frame = this.#frameOf(span)
      if (frame && !isLibrary(frame.file)) return frame
      any ??= frame
    }
    return any
  }

  #frameOf(span: number): PythonFrame | null {
    const { spans, strings } = this.#placed.trace
    const name = spans.name[span] ?? -1
    let frame = this.#frames.get(name)
    if (frame === undefined) {
      frame = pythonFrame(strings[name] ?? '')
      this.#frames.set(name, frame)
    }
    return frame
  }

  #laneOf(lane: number): LaneStack | null {
    let stack = this.#lanes.get(lane)
    if (!stack) {
      const placed = this.#placed.lanes.find((one) => one.lane === lane)
      if (!placed) return null
      stack = new LaneStack(nest(placed))
      this.#lanes.set(lane, stack)
    }
    return stack
  }
}

function climb(stack: LaneStack, from: number): readonly number[] {
  const spans: number[] = []
  for (let at = from; at >= 0; at = stack.parent[at] ?? -1) spans.push(stack.span[at] ?? -1)
  return spans
}
