/**
 * Marks over the lanes that someone asked for: the spans found, the critical path, the whole chain
 * of the selection. Each belongs to the data it was asked of, and is renewed or dropped with them.
 */
import type { DrawnPath } from '../analysis/types'
import type { Emitter } from './emitter'
import type { Moves } from './moves'
import { makePathLine, type PathLine } from './path-line'
import { rankOf, type Found } from './search'
import { Searcher } from './searcher'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { TimelineData } from './types'

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
  #isChainWhole = false

  constructor(parts: HighlightsParts) {
    this.#parts = parts
  }

  get found(): Found | null {
    return this.#searcher.found
  }

  get path(): PathLine | null {
    return this.#path
  }

  /** All that led to the selected span and followed from it, not its own arrows only. */
  get isChainWhole(): boolean {
    return this.#isChainWhole
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

  /**
   * All arrows that lead to the selected span and follow from it, over any number of steps, or
   * those of its submission.
   */
  setWholeChain(isWhole: boolean): void {
    this.#isChainWhole = isWhole
    this.#parts.emitter.emit('chain', isWhole)
    this.#parts.viewModel.requestFrame(false)
  }

  renew(before: TimelineData | null, { placed }: TimelineData): void {
    this.#searcher.renew(placed)
    if (this.#path && before?.placed.lanes !== placed.lanes) this.showPath(null)
  }

  stop(): void {
    this.#searcher.stop()
  }
}
