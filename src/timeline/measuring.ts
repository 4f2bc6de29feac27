/**
 * The ruler in a hand: set on a selection or at a place, moved by stepping and pointing, held by a
 * click. Knows what the next end is; reading and drawing it are ruler.ts and paint-ruler.ts.
 */
import type { Emitter } from './emitter'
import { carryRuler, endOfTarget, markOn, readRuler, sameEnd, type Ruler } from './ruler'
import type { AreaSelection, RulerEnd, Target, TimelineData } from './types'

export class Measuring {
  readonly #emitter: Emitter
  #ruler: Ruler | null = null
  /** A click has fixed the end: pointing no longer moves it. */
  #isHeld = false

  constructor(emitter: Emitter) {
    this.#emitter = emitter
  }

  get ruler(): Ruler | null {
    return this.#ruler
  }

  markTarget(data: TimelineData, target: Target): void {
    this.#isHeld = false
    this.#set(data, markOn(data, this.#ruler, target))
  }

  markAt(data: TimelineData, end: RulerEnd): void {
    this.#isHeld = false
    this.#set(data, { from: end, to: null })
  }

  /** Stepped to. */
  toTarget(data: TimelineData, target: Target, edge: 'start' | 'end'): void {
    const to = endOfTarget(data, target, edge)
    if (!this.#ruler || !to) return
    this.#isHeld = false
    this.#to(data, to)
  }

  /** Pointed at, or with `hold` clicked. */
  toPlace(data: TimelineData, end: RulerEnd, hold: boolean): void {
    if (this.#isHeld && !hold) return
    this.#isHeld = hold
    this.#to(data, end)
  }

  clear(): void {
    if (!this.#ruler) return
    this.#ruler = null
    this.#emitter.emit('ruler', null)
  }

  /**
   * New data of the same run, whose spans count from `moved` on; another place of the same edges is
   * another reading.
   */
  carryOver(data: TimelineData, moved: number): void {
    if (!this.#ruler) return
    this.#set(data, carryRuler(this.#ruler, moved))
  }

  area(data: TimelineData, lanes: readonly number[]): AreaSelection | null {
    const reading = this.#ruler?.to ? readRuler(data, this.#ruler) : null
    if (!reading || reading.fromNs === reading.toNs) return null
    return {
      startNs: Math.min(reading.fromNs, reading.toNs),
      endNs: Math.max(reading.fromNs, reading.toNs),
      lanes,
    }
  }

  #to(data: TimelineData, to: RulerEnd): void {
    if (!this.#ruler || sameEnd(this.#ruler.to, to)) return
    this.#set(data, { from: this.#ruler.from, to })
  }

  #set(data: TimelineData, ruler: Ruler | null): void {
    const reading = ruler && readRuler(data, ruler)
    this.#ruler = reading ? ruler : null
    this.#emitter.emit('ruler', reading)
  }
}
