/** The pure steps from chunks to a picture, gathered so that the run store holds and never computes. */
import { sumArea, type Area, type AreaSum } from '../analysis/area'
import { findGaps } from '../analysis/gaps'
import type { Gap } from '../analysis/types'
import { TraceAssembler } from '../trace/builder'
import { Placer, placeTrace, type PlacedTrace } from '../trace/place'
import type { RunInfo, Trace, TraceChunk } from '../trace/schema'

/** One run's trace as it grows. */
export interface LiveTrace {
  append: (chunk: TraceChunk) => void
  /** What the run derived may be known at its end only. */
  setInfo: (info: RunInfo) => void
  /** Placed with all evidence so far: cheap after every chunk. */
  place: () => PlacedTrace
}

export interface TraceTools {
  readonly begin: (info: RunInfo) => LiveTrace
  readonly place: (trace: Trace) => PlacedTrace
  readonly findGaps: (placed: PlacedTrace) => readonly Gap[]
  readonly sumArea: (placed: PlacedTrace, area: Area) => readonly AreaSum[]
}

function begin(info: RunInfo): LiveTrace {
  const assembler = new TraceAssembler(info)
  const placer = new Placer()
  return {
    append: (chunk) => {
      assembler.append(chunk)
    },
    setInfo: (next) => {
      assembler.setInfo(next)
    },
    place: () => placer.place(assembler.trace()),
  }
}

export const traceTools: TraceTools = { begin, place: placeTrace, findGaps, sumArea }
