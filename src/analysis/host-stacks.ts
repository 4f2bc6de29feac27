/**
 * Reads a lane's spans as nested calls. Python's functions (torch.profiler with `with_stack=True`)
 * are spans like operators, named `file.py(12): function`. The line is the one at which the
 * function begins, since the profiler notes it on entry; if the function ran already when the
 * profiler began, it is the line it was at.
 */
import { madeOnce } from '../base/lists'
import { lowerBound } from '../base/search'
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
 * Files that are not the reader's: torch itself, installed packages, Python's own library. The
 * profiler cuts the folders of sys.path off names, so what is left of the library's are bare names:
 * those that stand between a program and what it calls.
 */
const LIBRARY =
  /(?:^|[/\\])(?:site-packages|dist-packages|lib[/\\]python\d[\d.]*)[/\\]|^(?:torch|torchvision|torchaudio|numpy|triton|multiprocessing|concurrent|asyncio|importlib|json|logging)[/\\]|^(?:threading|contextlib|functools|runpy|queue|selectors|socket|pickle|copyreg|random|typing|abc|enum|warnings|os|_weakrefset|weakref|inspect|collections[/\\]__init__)\.py$|^<frozen /

export function pythonFrame(name: string): PythonFrame | null {
  const [, file, line, called] = FRAME.exec(name) ?? []
  return file === undefined || called === undefined ? null : { file, line: Number(line), name: called }
}

export const isLibrary = (file: string): boolean => LIBRARY.test(file)

export class HostStacks {
  readonly #placed: PlacedTrace
  readonly #lanes = new Map<number, NestedLane | null>()
  /** By name: a file has 10^5 spans of a thousand names. */
  readonly #frames = new Map<number, PythonFrame | null>()

  constructor(placed: PlacedTrace) {
    this.#placed = placed
  }

  /** The span and all it lies in, innermost first. */
  around(span: number): readonly number[] {
    const { trace, startNs } = this.#placed
    const lane = this.#laneOf(trace.spans.lane[span] ?? -1)
    if (!lane) return []
    const fromNs = startNs[span] ?? Number.NaN
    let at = lowerBound(lane.startNs, fromNs)
    while (lane.span[at] !== span && lane.startNs[at] === fromNs) at += 1
    const spans: number[] = []
    for (at = lane.span[at] === span ? at : -1; at >= 0; at = lane.parent[at] ?? -1)
      spans.push(lane.span[at] ?? -1)
    return spans
  }

  /**
   * The reader's own innermost function among these; else the innermost of any file; null where
   * there is none.
   */
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
    return madeOnce(this.#frames, name, () => pythonFrame(strings[name] ?? ''))
  }

  #laneOf(lane: number): NestedLane | null {
    return madeOnce(this.#lanes, lane, () => {
      const placed = this.#placed.lanes.find((one) => one.lane === lane)
      return placed ? nest(placed) : null
    })
  }
}
