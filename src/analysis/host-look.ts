/**
 * Finds the calls that the host was in during gaps of one cause, and the reader's functions around
 * them, most time first.
 */
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import type { IdleReasons, ReasonedGap } from './idle-reasons'
import { SourceTally } from './source-tally'

export class HostLook {
  readonly source: SourceTally
  readonly #placed: PlacedTrace
  readonly #reasons: IdleReasons
  readonly #waits = new Map<string, number>()

  constructor(placed: PlacedTrace, reasons: IdleReasons) {
    this.source = new SourceTally(placed, reasons.stacks)
    this.#placed = placed
    this.#reasons = reasons
  }

  add({ at, how }: ReasonedGap, gap: Gap): void {
    if (at < 0) return
    const { spans, strings } = this.#placed.trace
    const us = gap.durationNs / 1e3
    if (how === 'wait') {
      const operator = this.#reasons.operatorOf(at)
      const name = strings[spans.name[at] ?? -1] ?? ''
      const words = `${name}${name.endsWith(')') ? '' : '()'}${operator === '' ? '' : ` under ${operator}`}`
      this.#waits.set(words, (this.#waits.get(words) ?? 0) + us)
    }
    if (how === 'before') this.source.addMoments(spans.lane[at] ?? -1, this.#reasons.momentsOf(gap, at), us)
    else this.source.add(at, us)
  }

  /** 'cudaStreamSynchronize() under aten::item'; null where it waited in none of them. */
  wait(): string | null {
    let [found, longest]: [string | null, number] = [null, -Infinity]
    for (const [words, us] of this.#waits) if (us > longest) [found, longest] = [words, us]
    return found
  }
}
