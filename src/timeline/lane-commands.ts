/**
 * Folding lanes: by id, or the one that is meant. What was done is said in words, for
 * the live region.
 */
import type { Emitter } from './emitter'
import type { Moves } from './moves'
import { laneOfTarget } from './navigate'
import type { Pointing } from './pointing'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'

export interface LaneParts {
  readonly viewModel: ViewModel
  readonly moves: Pick<Moves, 'revealRow'>
  readonly selection: Pick<Selection, 'target'>
  readonly pointing: Pick<Pointing, 'lane' | 'rowsMoved'>
  readonly emitter: Pick<Emitter, 'emit'>
}

export function foldLane(
  { viewModel, moves, selection, pointing, emitter }: LaneParts,
  lane: number,
  on: boolean,
): void {
  const others = viewModel.folded.filter((each) => each !== lane)
  viewModel.folded = on ? [...others, lane] : others
  viewModel.relayout()
  // Rows were moved: what is selected stays in sight, and under the pointer is another lane.
  if (selection.target) moves.revealRow(selection.target)
  pointing.rowsMoved()
  viewModel.requestFrame(true)
  emitter.emit('lanes', `${viewModel.laneName(lane)} ${on ? 'folded into one row' : 'unfolded'}`)
}

/** The selection's lane, else the one under the pointer. */
export function toggleFold(parts: LaneParts): void {
  const { viewModel, selection, pointing, emitter } = parts
  const { data, layout } = viewModel
  const id = data && selection.target ? laneOfTarget(data, selection.target) : pointing.lane
  const lane = layout?.lanes.find((each) => each.lane?.id === id)
  if (id === undefined || !lane) emitter.emit('lanes', 'Select a bar first: its lane is the one meant.')
  else if (lane.fold === 'none') emitter.emit('lanes', `${viewModel.laneName(id)} has nothing to fold`)
  else foldLane(parts, id, lane.fold !== 'folded')
}
