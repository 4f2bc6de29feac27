/** The pure steps from chunks to a picture, gathered so that the run store holds and never computes. */
import { sumArea, type Area, type AreaSum } from '../../analysis/area'
import { findGaps } from '../../analysis/gaps'
import type { DrawnPath, PathColumns } from '../../analysis/types'
import type { Gap } from '../../trace/gaps'
import { TraceAssembler } from '../../trace/builder'
import { NewestSpans } from '../../timeline/lod/newest-spans'
import { Placer, placeTrace, type PlacedTrace } from '../../trace/place'
import type { RunInfo, Trace, TraceChunk } from '../../trace/schema'

/** One run's trace as it grows. */
export interface LiveTrace {
  append: (chunk: TraceChunk) => void
  /** What the run derived may be known at its end only. */
  setInfo: (info: RunInfo) => void
  /** Placed with all evidence so far: the newest spans (timeline/lod/newest-spans.ts), so that its cost is bounded. */
  placeNewest: () => PlacedTrace
  /** All of it so far, as recorded. */
  trace: () => Trace
  /** All of it, once the run has ended. */
  placeAll: () => PlacedTrace
}

export interface TraceTools {
  readonly begin: (info: RunInfo) => LiveTrace
  readonly place: (trace: Trace) => PlacedTrace
  readonly findGaps: (placed: PlacedTrace) => readonly Gap[]
  readonly sumArea: (placed: PlacedTrace, area: Area) => readonly AreaSum[]
  /** What follows paths is loaded when it is first asked for; rejects where that fails. */
  readonly drawnPath: (placed: PlacedTrace) => Promise<DrawnPath>
  /** Followed before, by the reader of the file. */
  readonly readPath: (segments: PathColumns | null) => Promise<DrawnPath>
}

function begin(info: RunInfo): LiveTrace {
  const assembler = new TraceAssembler(info)
  const placer = new Placer()
  const newest = new NewestSpans()
  return {
    append: (chunk) => assembler.append(chunk),
    setInfo: (next) => assembler.setInfo(next),
    placeNewest: () => {
      const placed = placer.place(newest.of(assembler.trace()))
      return { ...placed, omittedSpans: newest.omitted }
    },
    trace: () => assembler.trace(),
    placeAll: () => placer.place(assembler.trace()),
  }
}

const paths = () => import('../../analysis/drawn-path')

export const traceTools: TraceTools = {
  begin,
  place: placeTrace,
  findGaps,
  sumArea,
  drawnPath: async (placed) => (await paths()).drawnPathOf(placed),
  readPath: async (segments) => (await paths()).drawnPathOfColumns(segments),
}
