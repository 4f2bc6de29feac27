/**
 * A view model with data on it and the parts that hold what is selected, no DOM: 1,000 × 600 px, no
 * motion, and a record of what it said.
 */
import { Emitter } from '../emitter'
import { startFolded } from '../fold'
import { lodOf } from '../lod/trace-lod'
import { Moves } from '../moves'
import { Selection } from '../selection'
import { nsToPx } from '../scale'
import { ViewModel } from '../view-model'
import type { Target, TimelineData, TimelineEvents } from '../types'
import { twoSubmissions } from './fixture'

type Said = readonly [name: keyof TimelineEvents, ...values: unknown[]]

class RecordingEmitter extends Emitter {
  readonly said: Said[] = []

  override emit<Name extends keyof TimelineEvents>(
    name: Name,
    ...values: Parameters<TimelineEvents[Name]>
  ): void {
    this.said.push([name, ...values])
    super.emit(name, ...values)
  }
}

export function setupViewModel(data: TimelineData = twoSubmissions().data, heightPx = 600) {
  const emitter = new RecordingEmitter()
  const canvas = { widthPx: 1000, heightPx, dpr: 1, zoom: 1 }
  /** For each request, whether the lanes were to be painted. */
  const requests: boolean[] = []
  const viewModel = new ViewModel({
    canvas,
    emitter,
    requestFrame: (base) => requests.push(base),
  })
  viewModel.camera.reducedMotion = true
  const selection = new Selection(emitter)
  const moves = new Moves(viewModel, selection)
  viewModel.folded = startFolded(data.placed, lodOf(data.placed))
  viewModel.show(data)
  viewModel.camera.reset({ startNs: 0, endNs: 1e6 }, false)
  emitter.said.length = 0
  requests.length = 0
  return {
    emitter,
    canvas,
    requests,
    viewModel,
    selection,
    moves,
    /** Payloads of the events of a name, in order. */
    told: (name: keyof TimelineEvents): readonly (readonly unknown[])[] =>
      emitter.said.flatMap(([said, ...values]) => (said === name ? [values] : [])),
    /** The middle of a span as drawn. */
    placeOf: (span: number): { readonly cssX: number; readonly cssY: number } => {
      const laneId = data.placed.trace.spans.lane[span]
      const row = viewModel.layout?.lanes.find(({ lane }) => lane?.id === laneId)?.rows[0]
      if (!row) throw new Error(`span ${String(span)} has no row`)
      const timeNs = ((data.placed.startNs[span] ?? 0) + (data.placed.endNs[span] ?? 0)) / 2
      return { cssX: nsToPx(viewModel.scale, timeNs), cssY: row.topPx + row.barPx / 2 - viewModel.scrollPx }
    },
  }
}

export const spanTarget = (span: number | undefined): Target => ({ type: 'span', span: span ?? -1 })
