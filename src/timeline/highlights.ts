/**
 * Marks over the lanes that someone asked for: the spans found, and the critical path.
 * Each belongs to the data it was asked of, and is renewed or dropped with them.
 */
import type { DrawnPath } from '../analysis/types'
import type { Emitter } from './emitter'
import type { Moves } from './moves'
import { makePathLine, type PathLine } from './path-line'
import { findSpans, type Found, rankOf } from './search'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { TimelineData } from './types'
import type { PlacedTrace } from '../trace/place'

/**
 * One search at a time, in turns of a few ms, so that neither typing nor a running trace waits for
 * it. A newer question drops the older. What is found belongs to one placed trace: when that grows
 * it is searched anew.
 */
const SLICE_MS = 8

/** @internal */
export class Searcher {
  readonly #onFound: (found: Found | null) => void
  #query = ''
  #found: Found | null = null
  #running: Generator<undefined, Found, undefined> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onFound: (found: Found | null) => void) {
    this.#onFound = onFound
  }

  get found(): Found | null {
    return this.#found
  }

  /** '' ends it. */
  search(query: string, placed: PlacedTrace | null): void {
    const asked = query.trim()
    if (asked === this.#query && placed === this.#found?.placed) return
    this.#query = asked
    this.#start(placed)
    if (asked === '') this.#tell(null)
  }

  /** The trace has grown, or is another. */
  renew(placed: PlacedTrace): void {
    if (this.#query === '' || this.#found?.placed === placed) return
    // Marks are of the spans that were searched: those of another trace must not be drawn on this
    // one.
    if (this.#found && this.#found.placed.lanes !== placed.lanes) this.#found = null
    this.#start(placed)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#running = null
  }

  #start(placed: PlacedTrace | null): void {
    this.stop()
    if (this.#query === '' || !placed) return
    this.#running = findSpans(placed, this.#query)
    this.#turn()
  }

  #turn(): void {
    const begunMs = performance.now()
    while (this.#running) {
      const step = this.#running.next()
      if (step.done) {
        this.#running = null
        this.#tell(step.value)
      } else if (performance.now() - begunMs > SLICE_MS) {
        this.#timer = setTimeout(() => this.#turn(), 0)
        return
      }
    }
  }

  #tell(found: Found | null): void {
    this.#found = found
    this.#onFound(found)
  }
}

export interface HighlightsParts {
  readonly viewModel: ViewModel
  readonly moves: Pick<Moves, 'showAny'>
  readonly selection: Pick<Selection, 'target'>
  readonly emitter: Pick<Emitter, 'emit'>
}

export class Highlights {
  readonly #parts: HighlightsParts
  readonly #searcher = new Searcher((found) => {
    if (found) this.tellRank()
    else this.#parts.emitter.emit('search', null)
    this.#parts.viewModel.requestFrame(true)
  })
  #path: PathLine | null = null

  constructor(parts: HighlightsParts) {
    this.#parts = parts
  }

  get found(): Found | null {
    return this.#searcher.found
  }

  get path(): PathLine | null {
    return this.#path
  }

  search(query: string): void {
    this.#searcher.search(query, this.#parts.viewModel.data?.placed ?? null)
  }

  /** Tells which of the spans found is the selection. */
  tellRank(): void {
    const { found } = this.#searcher
    if (!found) return
    const { target } = this.#parts.selection
    const at = target?.type === 'span' ? rankOf(found, target.span) + 1 : 0
    this.#parts.emitter.emit('search', { query: found.query, count: found.count, at })
  }

  showPath(path: DrawnPath | null): void {
    this.#path = path && makePathLine(path)
    this.#parts.emitter.emit('path', path)
    if (path) this.#parts.moves.showAny(path.parts)
    this.#parts.viewModel.requestFrame(true)
  }

  renew(before: TimelineData | null, { placed }: TimelineData): void {
    this.#searcher.renew(placed)
    if (this.#path && before?.placed.lanes !== placed.lanes) this.showPath(null)
  }

  stop(): void {
    this.#searcher.stop()
  }
}
