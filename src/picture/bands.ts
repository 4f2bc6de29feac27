/** One labelled extent a repeat of a variant: the 'window' spans of the host's lanes, in order of start. Units: host ns. */
import type { PlacedTrace } from '../trace/place'
import { REPEAT_WARM_UP, SPAN_KINDS } from '../trace/schema'

export interface Band {
  readonly span: number
  readonly startNs: number
  readonly endNs: number
  readonly variant: string
  readonly repeat: number
  readonly isWarmUp: boolean
}

const WINDOW = SPAN_KINDS.indexOf('window')

export function findBands(placed: PlacedTrace): readonly Band[] {
  const { trace } = placed
  const { kind, variant, repeat } = trace.spans
  const bands: Band[] = []
  for (const lane of placed.lanes) {
    if (trace.lanes[lane.lane]?.kind !== 'host') continue
    for (let index = 0; index < lane.length; index += 1) {
      const span = lane.span[index] ?? 0
      if (kind[span] !== WINDOW) continue
      const name = trace.strings[variant[span] ?? -1] ?? trace.strings[trace.spans.name[span] ?? -1] ?? ''
      bands.push({
        span,
        startNs: lane.startNs[index] ?? 0,
        endNs: lane.endNs[index] ?? 0,
        variant: name,
        repeat: repeat[span] ?? -1,
        isWarmUp: repeat[span] === REPEAT_WARM_UP,
      })
    }
  }
  return bands.sort((a, b) => a.startNs - b.startNs)
}

/** The extent of the last counted repeat of every variant; null where there is none. */
export function lastRound(
  bands: readonly Band[],
): { readonly startNs: number; readonly endNs: number } | null {
  const counted = bands.filter(({ repeat }) => repeat >= 0)
  const chosen = counted.length > 0 ? counted : bands
  if (chosen.length === 0) return null
  // No spread of arguments: an imported file may have as many windows as spans.
  const repeat = chosen.reduce((most, band) => Math.max(most, band.repeat), -Infinity)
  const round = chosen.filter((band) => band.repeat === repeat)
  return {
    startNs: round.reduce((first, band) => Math.min(first, band.startNs), Infinity),
    endNs: round.reduce((last, band) => Math.max(last, band.endNs), -Infinity),
  }
}
