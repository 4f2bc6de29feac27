/** One step of a program as played: what host and streams did in it. Times in ns from its begin. */
import type { Trace } from '../../trace/schema'
import type { HostBlocks } from './blocks'
import type { Edit, PlayLog } from './play'
import type { Program } from './program'

/** By start, without overlap; what is too short to be drawn is one mark with its neighbours. */
export interface Marks {
  readonly startNs: readonly number[]
  readonly endNs: readonly number[]
  /**
   * Content of each mark, or most of it: an index whose meaning the row gives; WAIT: the host waits
   * for the device.
   */
  readonly of: readonly number[]
  /** Filled part of each mark: 1 except for marks of several. */
  readonly share: readonly number[]
}
export const WAIT = -1

export interface StepPicture {
  readonly lengthNs: number
  /** By thread, the main one first. `of`: index of a block (blocks.ts), or WAIT. */
  readonly threads: readonly Marks[]
  /** By stream. `of`: index into SPAN_KINDS. */
  readonly streams: readonly Marks[]
  /** Any stream is at work. */
  readonly busy: Marks
  readonly busyNs: number
}

export interface Window {
  readonly fromNs: number
  readonly toNs: number
  /** The shortest that can be drawn. */
  readonly leastNs: number
}

class Row {
  readonly startNs: number[] = []
  readonly endNs: number[] = []
  readonly of: number[] = []
  /** Length of all in a mark; below, of the longest, which names the mark. */
  readonly #sumNs: number[] = []
  readonly #mostNs: number[] = []

  add(what: number, startNs: number, endNs: number, { fromNs, toNs, leastNs }: Window): void {
    const start = Math.max(0, startNs - fromNs)
    const end = Math.min(toNs, endNs) - fromNs
    if (end <= start) return
    const last = this.of.length - 1
    const isSame = this.of[last] === what && start - (this.endNs[last] ?? 0) <= TOUCHING * leastNs
    if (!isSame && (last < 0 || end - (this.startNs[last] ?? 0) > leastNs)) {
      this.startNs.push(start)
      this.endNs.push(end)
      this.of.push(what)
      this.#sumNs.push(end - start)
      this.#mostNs.push(end - start)
      return
    }
    this.endNs[last] = Math.max(end, this.endNs[last] ?? 0)
    this.#sumNs[last] = (this.#sumNs[last] ?? 0) + end - start
    if (end - start <= (this.#mostNs[last] ?? 0)) return
    this.of[last] = what
    this.#mostNs[last] = end - start
  }

  scaled(scale: number): Marks {
    return {
      startNs: this.startNs.map((ns) => scale * ns),
      endNs: this.endNs.map((ns) => scale * ns),
      of: this.of,
      share: this.#sumNs.map((ns, at) => Math.min(1, ns / ((this.endNs[at] ?? 0) - (this.startNs[at] ?? 0)))),
    }
  }
}
/** Share of the shortest drawable mark below which a gap can't be seen. */
const TOUCHING = 1 / 8

export interface PictureOf {
  readonly program: Program
  readonly blocks: HostBlocks
  /** Kind of work of each span of the trace. */
  readonly kind: Trace['spans']['kind']
}

/** @param scale from times of the log to those of the picture */
export function stepPicture(
  { program, blocks, kind }: PictureOf,
  edit: Edit,
  log: PlayLog,
  window: Window,
  scale: number,
): StepPicture {
  const { stretches, work } = program
  const { fromNs, toNs } = window
  const threads = Array.from({ length: program.threads }, () => new Row())
  for (let row = 0; row < log.stretchRows; row += 1) {
    const endNs = log.stretchEndNs[row] ?? 0
    const startNs = log.stretchStartNs[row] ?? 0
    if (endNs <= fromNs || startNs >= toNs) continue
    const at = row % stretches.length
    const stretch = stretches[at]
    const marks = threads[stretch?.thread ?? -1]
    if (!stretch || !marks) continue
    const ownNs = Math.min(endNs, startNs + (edit.hostNs?.[at] ?? stretch.lengthNs))
    marks.add(blocks.of[at] ?? WAIT, startNs, ownNs, window)
    marks.add(WAIT, ownNs, endNs, window)
  }
  const streams: Row[] = []
  const busy: [startNs: number, endNs: number][] = []
  for (let row = 0; row < log.workRows; row += 1) {
    const endNs = log.workEndNs[row] ?? 0
    const startNs = log.workStartNs[row] ?? 0
    if (endNs <= fromNs || startNs >= toNs) continue
    const at = row % work.length
    const own = work[at]
    if (!own || own.code >= 0) continue
    const stream = edit.stream?.[at] ?? own.stream
    ;(streams[stream] ??= new Row()).add(kind[own.span] ?? -1, startNs, endNs, window)
    busy.push([startNs, endNs])
  }
  return {
    lengthNs: scale * (toNs - fromNs),
    threads: threads.map((row) => row.scaled(scale)),
    streams: Object.values(streams).map((row) => row.scaled(scale)),
    ...union(busy, window, scale),
  }
}

function union(
  busy: [startNs: number, endNs: number][],
  window: Window,
  scale: number,
): Pick<StepPicture, 'busy' | 'busyNs'> {
  // In order within a stream, so that this is a merge.
  busy.sort((a, b) => a[0] - b[0])
  const row = new Row()
  let [busyNs, untilNs] = [0, window.fromNs]
  for (const [startNs, endNs] of busy) {
    const fromNs = Math.max(startNs, untilNs)
    if (endNs <= fromNs) continue
    row.add(0, fromNs, endNs, window)
    busyNs += Math.max(0, Math.min(endNs, window.toNs) - fromNs)
    untilNs = endNs
  }
  return { busy: row.scaled(scale), busyNs: scale * busyNs }
}
