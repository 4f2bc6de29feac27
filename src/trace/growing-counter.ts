/** A counter while it is written or put together: its description and its samples so far. */
import { COUNTER_TABLE, GrowingTable } from './columns'
import type { CounterColumns } from './schema'

export interface NewCounter {
  readonly name: string
  readonly unit: string
  readonly lane: number
}

export class GrowingCounter {
  readonly description: NewCounter
  readonly samples = new GrowingTable(COUNTER_TABLE, 64)
  constructor(description: NewCounter) {
    this.description = description
  }
  columns(samples = this.samples.view()): CounterColumns {
    const { name, unit, lane } = this.description
    return { name, unit, lane, ...samples }
  }
}
