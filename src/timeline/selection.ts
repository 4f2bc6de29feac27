/**
 * The selection: one target and one area. It knows how to live on when a growing run gets new data.
 */
import type { Gap } from '../trace/gaps'
import type { Emitter } from './emitter'
import type { AreaSelection, Target, TimelineData } from './types'

export class Selection {
  readonly #emitter: Emitter
  #target: Target | null = null
  /** The selected gap itself: its number changes as gaps are found anew. */
  #gap: Gap | null = null
  #area: AreaSelection | null = null

  constructor(emitter: Emitter) {
    this.#emitter = emitter
  }

  get target(): Target | null {
    return this.#target
  }

  get area(): AreaSelection | null {
    return this.#area
  }

  select(target: Target | null, data: TimelineData | null): void {
    this.#target = target
    this.#gap = target?.type === 'gap' ? (data?.gaps[target.gap] ?? null) : null
    this.#emitter.emit('select', target)
  }

  selectArea(area: AreaSelection | null): void {
    this.#area = area
    this.#emitter.emit('area', area)
  }

  /** While a hand still drags: told at the end. */
  dragArea(area: AreaSelection): void {
    this.#area = area
  }

  areaEnded(): void {
    if (this.#area) this.#emitter.emit('area', this.#area)
  }

  clear(): void {
    if (this.#target) this.select(null, null)
    if (this.#area) this.selectArea(null)
  }

  /** New data of the same run: gaps are found anew. */
  carryOver(data: TimelineData): void {
    const [target, gap] = [this.#target, this.#gap]
    if (target?.type !== 'gap' || !gap) return
    // Known again by the passes on its sides.
    const index = data.gaps.findIndex(({ before, after }) => before === gap.before && after === gap.after)
    if (index !== target.gap) this.select(index < 0 ? null : { type: 'gap', gap: index }, data)
  }
}
