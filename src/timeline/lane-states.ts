/** Pinned and folded lanes, by id; kept for as long as one run is shown. */
import { lodOf } from './lod/trace-lod'
import { canFold, startFolded } from './fold'
import type { LanesState, TimelineData } from './types'

export class LaneStates {
  #pinned: readonly number[] = []
  #folded: readonly number[] = []

  /** In order of pinning. */
  get pinned(): readonly number[] {
    return this.#pinned
  }
  get folded(): readonly number[] {
    return this.#folded
  }

  startOver({ placed }: TimelineData): void {
    this.#pinned = []
    this.#folded = startFolded(placed, lodOf(placed))
  }

  pin(lane: number, on: boolean): void {
    this.#pinned = withOrWithout(this.#pinned, lane, on)
  }
  fold(lane: number, on: boolean): void {
    this.#folded = withOrWithout(this.#folded, lane, on)
  }

  state({ placed }: TimelineData, said: string): LanesState {
    const foldable = lodOf(placed).lanes.flatMap((lod) => {
      const kind = placed.trace.lanes[lod.lane]?.kind
      return kind && canFold(kind, lod) ? [lod.lane] : []
    })
    return { pinned: this.#pinned, folded: this.#folded, foldable, said }
  }
}

const withOrWithout = (lanes: readonly number[], lane: number, on: boolean): readonly number[] => {
  const others = lanes.filter((each) => each !== lane)
  return on ? [...others, lane] : others
}
