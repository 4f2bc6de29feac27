/**
 * Arguments of events, read when they are wanted: names from metadata, what the lab itself wrote of
 * a span, a counter's values.
 */
import { LIMITS } from '../../budget'
import type { Collective } from '../../collectives'
import type { EventFile } from './event-file'
import { KEY } from './kept-arguments'
import type { RawTick } from './raw-tick'

/** What a file says of a collective. */
export interface CollectiveArguments extends Omit<Collective, 'row' | 'span' | 'operation'> {
  readonly operation: string | undefined
  /** '' where there is none. */
  readonly externalId: string
}
const LARGEST = 2 ** 31 - 1

export class EventArguments {
  readonly #file: EventFile

  constructor(file: EventFile) {
    this.#file = file
  }

  /** Text number; 0: it is not there. */
  #of(row: number, key: number): number {
    const { args, events } = this.#file
    return args.find(events.columns.args[row] ?? 0, key)
  }

  /** '' where it is not there. */
  text(row: number, key: number): string {
    return this.#file.texts.text(this.#of(row, key))
  }

  finite(row: number, key: number): number | undefined {
    const value = this.#file.texts.number(this.#of(row, key))
    return Number.isFinite(value) ? value : undefined
  }

  integer(row: number, key: number): number | undefined {
    const value = this.#file.texts.number(this.#of(row, key))
    return Number.isInteger(value) && Math.abs(value) <= LARGEST ? value : undefined
  }

  /** A raw tick; null: none. */
  tick(row: number, key: number): RawTick | null {
    return this.#file.texts.tick(this.#of(row, key))
  }

  /** By torch.profiler's keys, which the lab's own files have too, and by two of the lab's. */
  ofCollective(row: number): CollectiveArguments {
    const text = (key: number) => this.text(row, key) || undefined
    const least0 = (value: number | undefined) => (value !== undefined && value >= 0 ? value : undefined)
    const whole = (key: number) => least0(this.integer(row, key))
    const float = (key: number) => least0(this.finite(row, key))
    const waitUs = float(KEY.wait_us)
    return {
      operation: text(KEY['Collective name']),
      group: text(KEY['Process Group Name']),
      ranks: text(KEY['Process Group Ranks']),
      dtype: text(KEY.dtype),
      groupSize: whole(KEY['Group size']),
      peer: whole(KEY['Dst Rank']) ?? whole(KEY['Src Rank']),
      sequence: whole(KEY.Seq),
      elementsIn: float(KEY['In msg nelems']),
      elementsOut: float(KEY['Out msg nelems']),
      match: whole(KEY.match),
      waitNs: waitUs === undefined ? undefined : waitUs * 1e3,
      externalId: this.text(row, KEY['External id']),
    }
  }

  /** A counter event's series, by key: as many as there may be counters. */
  series(row: number): readonly { readonly key: string; readonly value: number }[] {
    const { args, events, texts } = this.#file
    return Array.from(args.each(events.columns.args[row] ?? 0), ([key, text]) => ({
      key: texts.text(key),
      value: texts.number(text),
    }))
      .filter(({ value }) => Number.isFinite(value))
      .slice(0, LIMITS.counters.most)
  }
}
