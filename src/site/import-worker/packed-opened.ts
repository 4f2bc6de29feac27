import type { Yielder } from '../../base/yield-to-main'
import { adoptLod } from '../../timeline/lod/trace-lod'
import type { PlacedTrace } from '../../trace/place'
import type { Trace } from '../../trace/schema'
import { unpackTrace } from './packed-trace'
import type { OpenedFacts, PackedOpened } from './protocol'

/** A file that can be drawn. */
export interface Opened extends OpenedFacts {
  readonly trace: Trace
  readonly placed: PlacedTrace
}

export async function unpackOpened(
  { trace: packedTrace, placed: placedOnly, lod, ...facts }: PackedOpened,
  yielder: Yielder,
): Promise<Opened> {
  const trace = await unpackTrace(packedTrace, yielder)
  const placed = { trace, ...placedOnly }
  adoptLod(placed, lod)
  return { ...facts, trace, placed }
}
