/**
 * What page and reading worker say to each other. One worker reads one file and is gone: a cancellation ends it in the middle of a
 * word, and its memory goes with it. Columns go by transfer.
 */
import type { DrawnStretches } from '../analysis/types'
import type { Fault } from '../base/fault'
import type { OpenedTrace, Skipped } from '../formats/import/open-trace'
import type { Report } from '../trace/report'
import type { GapRows } from '../trace/gap-rows'
import type { PackedPicture } from '../trace/picture'
import type { PlacedColumns } from '../trace/placed-columns'
import type { RunInfo, Trace } from '../trace/schema'
import type { Capped, DeviceDigest, PathDigest } from './digest'
import type { GapColumns } from './gap-columns'
import type { PackedTrace } from './packed-trace'

export interface ReadingOptions {
  /** What the trace is to be shown as. */
  readonly origin: RunInfo['origin']
  /**
   * Of a run of the lab's own: its gaps within repeats, which its figures rest on, or all idle stretches of its devices. Of other
   * traces it is always the latter.
   */
  readonly gaps: 'of-repeats' | 'of-devices'
}

export interface ReadingRequest extends ReadingOptions {
  readonly source: ReadingSource
}

/** Bytes are transferred; a Blob is read in the worker; a trace that is open already (a long run that has ended) is copied over. */
export type ReadingSource = Blob | Uint8Array<ArrayBuffer> | { readonly trace: Trace }

export interface ReadingProgress {
  /** 0 to 1, of all of it. */
  readonly fraction: number
  /** In words: what is being done. */
  readonly phase: string
}

/** What is known of a file once it can be drawn. */
export interface OpenedFacts {
  readonly format: OpenedTrace['format']
  readonly sizeBytes: number
  readonly report: Report | null
  readonly skipped: Capped<Skipped>
  readonly notes: Capped<string>
}

/** What the analysis says of it, a little later. */
export interface FoundFacts {
  readonly devices: Capped<DeviceDigest>
  /** Null where no work of a device has a place. */
  readonly path: PathDigest | null
  /** All of it, to be drawn. */
  readonly pathColumns: DrawnStretches | null
  /** Whether `gaps` are those of the devices, in the order of `devices`. */
  readonly hasDeviceGaps: boolean
}

export interface PackedOpened extends OpenedFacts {
  readonly trace: PackedTrace
  readonly placed: PlacedColumns
  readonly picture: PackedPicture
}

export interface PackedGaps {
  readonly columns: GapColumns
  readonly rows: GapRows
}

/** 'opened', 'gaps', 'done'; or 'failed' in the place of one. */
export type ReadingEvent =
  | { readonly type: 'progress'; readonly progress: ReadingProgress }
  | { readonly type: 'opened'; readonly opened: PackedOpened }
  | { readonly type: 'gaps'; readonly gaps: PackedGaps }
  | { readonly type: 'done'; readonly found: FoundFacts }
  | { readonly type: 'failed'; readonly fault: Fault }
