/**
 * One labelled extent a repeat of a variant, or a step of a profile: the 'window' spans of the
 * host's lanes, in order of start. Of several ranks one for a step of all of them. Units: host ns.
 */
import type { PlacedTrace } from '../../trace/place'
import { rankOfLane } from '../../trace/collectives'
import { REPEAT_WARM_UP, SPAN_KINDS } from '../../trace/schema'

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
  const steps = new RankSteps()
  for (const lane of placed.lanes) {
    const { kind: laneKind, name: laneName = '' } = trace.lanes[lane.lane] ?? {}
    if (laneKind !== 'host') continue
    for (let index = 0; index < lane.length; index += 1) {
      const span = lane.span[index] ?? 0
      if (kind[span] !== WINDOW) continue
      const name = trace.strings[variant[span] ?? -1] ?? trace.strings[trace.spans.name[span] ?? -1] ?? ''
      const band = {
        span,
        startNs: lane.startNs[index] ?? 0,
        endNs: lane.endNs[index] ?? 0,
        variant: name,
        repeat: repeat[span] ?? -1,
        isWarmUp: repeat[span] === REPEAT_WARM_UP,
      }
      const rank = rankOfLane(laneName)
      if (Number.isNaN(rank)) bands.push(band)
      else steps.add(rank, band)
    }
  }
  return [...bands, ...steps.bands()].sort((a, b) => a.startNs - b.startNs)
}

/**
 * Ranks are in a step at about the same time, each from its own begin to its own end: one band for
 * all, from the first that begins it to the last that ends it or the first that begins the next.
 */
class RankSteps {
  /** By name, and how often the rank has had that name before. */
  readonly #steps = new Map<string, Band>()
  readonly #seen = new Map<string, number>()

  add(rank: number, band: Band): void {
    const ofRank = `${String(rank)} ${band.variant}`
    const before = this.#seen.get(ofRank) ?? 0
    this.#seen.set(ofRank, before + 1)
    const key = `${String(before)} ${band.variant}`
    const known = this.#steps.get(key)
    const first = known && known.startNs <= band.startNs ? known : band
    this.#steps.set(key, { ...first, endNs: Math.max(known?.endNs ?? -Infinity, band.endNs) })
  }

  bands(): readonly Band[] {
    const sorted = [...this.#steps.values()].sort((a, b) => a.startNs - b.startNs)
    return sorted.map((band, index) => ({
      ...band,
      endNs: Math.min(band.endNs, sorted[index + 1]?.startNs ?? Infinity),
    }))
  }
}

/** The extent of the last counted repeat of every variant; null where there is none. */
export function lastRound(bands: readonly Band[]): Pick<Band, 'startNs' | 'endNs'> | null {
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
