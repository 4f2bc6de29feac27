/**
 * torch.profiler's arrows from calls to work, two events to each kernel. They are not drawn, as
 * correlations say the same; only the ends are kept, for work that bears none (correlations.ts).
 */
import { GrowingTable } from '../../columns'
import type { TableSpec } from '../../schema'
import { FINISH } from './phases'

const END_TABLE = { thread: 'u16', key: 'u32', time: 'f64', restNs: 'f64' } as const satisfies TableSpec

export class LaunchArrows {
  /** Times as those of events. */
  readonly ends = new GrowingTable(END_TABLE, 16)

  /** `key`: its id, a text number. */
  add(phase: number, thread: number, key: number, wholeUs: number, restNs: number): void {
    if (phase !== FINISH) return
    const row = this.ends.addRow()
    const { columns } = this.ends
    columns.thread[row] = thread
    columns.key[row] = key
    columns.time[row] = wholeUs
    columns.restNs[row] = restNs
  }
}
