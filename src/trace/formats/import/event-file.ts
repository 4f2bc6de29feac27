/** Holds what has been read of a file: its events, and what they refer to. */
import { GrowingTable } from '../../columns'
import { DETAIL_TABLE } from '../../schema'
import { EventTable } from './event-table'
import { ImportWarnings } from './import-warnings'
import { ascii } from './json-cursor'
import { KEPT_KEYS, KeptArguments } from './kept-arguments'
import { LaunchArrows } from './launch-arrows'
import { TextTable } from './text-table'
import { Threads } from './threads'

/**
 * Top-level values that say something of the whole, parsed; of a number also its text, which may
 * hold more digits.
 */
export type TopLevel = Record<string, { readonly value: unknown; readonly text: string }>

export class EventFile {
  readonly events = new EventTable()
  readonly threads = new Threads()
  readonly args = new KeptArguments()
  /** Of operators and kernels, by row, in text numbers (`DetailColumns` in ../../schema.ts). */
  readonly details = new GrowingTable(DETAIL_TABLE)
  readonly arrows = new LaunchArrows()
  readonly texts = new TextTable()
  readonly warnings = new ImportWarnings()
  readonly top: TopLevel = {}
  eventCount = 0
  /** A time of the file is no whole µs. */
  hasFractions = false

  constructor() {
    for (const key of KEPT_KEYS) this.texts.intern(ascii(key), 0, key.length)
  }

  /** Text numbers of a row's thread. */
  readonly pidOf = (row: number): number => this.threads.pid[this.events.columns.thread[row] ?? 0] ?? 0
  readonly tidOf = (row: number): number => this.threads.tid[this.events.columns.thread[row] ?? 0] ?? 0

  /** Leaves an event out. */
  skip(reason: string, row: number): void {
    const { index, byte } = this.events.columns
    this.warnings.add(reason, index[row] ?? 0, byte[row] ?? 0)
  }
}
