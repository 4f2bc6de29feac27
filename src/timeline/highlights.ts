/**
 * Marks over the lanes that someone asked for: the spans found, and the critical path.
 * Each belongs to the data it was asked of, and is renewed or dropped with them.
 */
import type { DrawnPath } from '../analysis/types'
import type { Emitter } from './emitter'
import type { Moves } from './moves'
import { makePathLines, type PathLine } from './path-line'
import { findSpans, type Found, rankOf } from './search'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { TimelineData } from './types'

/** Who types pauses for less between two letters, ms. A search looks at all spans. */
const PAUSE_MS = 100

export interface HighlightsParts {
  readonly viewModel: ViewModel
  readonly moves: Pick<Moves, 'showAny'>
  readonly selection: Pick<Selection, 'target'>
  readonly emitter: Pick<Emitter, 'emit'>
}

export class Highlights {
  readonly #parts: HighlightsParts
  #query = ''
  #found: Found | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #path: readonly PathLine[] = []

  constructor(parts: HighlightsParts) {
    this.#parts = parts
  }

  get found(): Found | null {
    return this.#found
  }

  get path(): readonly PathLine[] {
    return this.#path
  }

  /** '' ends it. */
  search(query: string): void {
    const asked = query.trim()
    if (asked === this.#query) return
    this.#query = asked
    this.stop()
    if (asked === '') this.#tell(null)
    else this.#timer = setTimeout(() => this.#find(), PAUSE_MS)
  }

  /** What was typed last is found by now. */
  findNow(): void {
    if (this.#query !== this.#found?.query) this.#find()
  }

  /** Tells which of the spans found is the selection. */
  tellRank(): void {
    const found = this.#found
    if (!found) return
    const { target } = this.#parts.selection
    const at = target?.type === 'span' ? rankOf(found, target.span) + 1 : 0
    this.#parts.emitter.emit('search', { query: found.query, count: found.spans.length, at })
  }

  showPath(path: DrawnPath | null): void {
    this.#path = path ? makePathLines(path) : []
    this.#parts.emitter.emit('path', path)
    if (path) this.#parts.moves.showAny(path.parts)
    this.#parts.viewModel.requestFrame(true)
  }

  renew(before: TimelineData | null, { placed }: TimelineData): void {
    // Marks are of the spans that were searched: those of another trace must not be drawn on this.
    if (this.#found?.placed !== placed) this.#find()
    if (this.#path.length > 0 && before?.placed.lanes !== placed.lanes) this.showPath(null)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #find(): void {
    this.stop()
    const placed = this.#parts.viewModel.data?.placed
    if (placed && this.#query !== '') this.#tell(findSpans(placed, this.#query))
  }

  #tell(found: Found | null): void {
    this.#found = found
    if (found) this.tellRank()
    else this.#parts.emitter.emit('search', null)
    this.#parts.viewModel.requestFrame(true)
  }
}
