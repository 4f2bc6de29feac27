/**
 * Folding lanes: by id, or the one that is meant. What was done is said in words, for
 * the live region.
 */
import { startFolded } from './fold'
import { lodOf } from './lod/trace-lod'
import type { Emitter } from './emitter'
import type { Moves } from './moves'
import { laneOfTarget } from './navigate'
import type { Pointing } from './pointing'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { TimelineData } from './types'

export interface LaneParts {
  readonly viewModel: ViewModel
  readonly moves: Pick<Moves, 'revealRow'>
  readonly selection: Pick<Selection, 'target'>
  readonly pointing: Pick<Pointing, 'lane' | 'rowsMoved'>
  readonly emitter: Pick<Emitter, 'emit'>
}

export class LaneCommands {
  readonly #parts: LaneParts

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  startOver(data: TimelineData): void {
    this.#parts.viewModel.folded = startFolded(data.placed, lodOf(data.placed))
    this.#say('')
  }

  fold(lane: number, on: boolean): void {
    const { viewModel, moves, selection, pointing } = this.#parts
    const others = viewModel.folded.filter((each) => each !== lane)
    viewModel.folded = on ? [...others, lane] : others
    viewModel.relayout()
    // Rows were moved: what is selected stays in sight, and under the pointer is another lane.
    if (selection.target) moves.revealRow(selection.target)
    pointing.rowsMoved()
    viewModel.requestFrame(true)
    this.#say(`${viewModel.laneName(lane)} ${on ? 'folded into one row' : 'unfolded'}`)
  }

  /** The selection's lane, else the one under the pointer. */
  toggle(): void {
    const { viewModel, selection, pointing } = this.#parts
    const { data, layout } = viewModel
    const id = data && selection.target ? laneOfTarget(data, selection.target) : pointing.lane
    const lane = layout?.lanes.find((each) => each.lane?.id === id)
    if (id === undefined || !lane) this.#say('Select a bar first: its lane is the one meant.')
    else if (lane.fold === 'none') this.#say(`${viewModel.laneName(id)} has nothing to fold`)
    else this.fold(id, lane.fold !== 'folded')
  }

  #say(said: string): void {
    this.#parts.emitter.emit('lanes', said)
  }
}
