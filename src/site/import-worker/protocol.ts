/**
 * What page and import worker say to each other. One worker reads one file, or the files of several
 * ranks, and is gone: a cancellation ends it in the middle of a word, and its memory goes with it.
 * Columns go by transfer.
 */
import type { Coverage } from '../../analysis/coverage'
import type { Diagnosis } from '../../analysis/findings'
import type { PackedTrial } from '../../analysis/replay/packed-trial'
import type { Trial } from '../../analysis/replay/trial'
import type { PageFinding } from '../../analysis/page-findings'
import type { RankVerdict } from '../../analysis/ranks'
import type { PathColumns } from '../../analysis/types'
import type { Fault } from '../../base/fault'
import type { OpenedTrace, ImportWarning } from '../../trace/formats/import/open-trace'
import type { Sketch } from '../../trace/formats/import/sketch'
import type { PlacedTrace } from '../../trace/place'
import type { Report } from '../../trace/report'
import type { GapRows } from '../../timeline/lod/gap-rows'
import type { PackedLod } from '../../timeline/lod/trace-lod'
import type { RunInfo, Trace } from '../../trace/schema'
import type { Capped, DeviceDigest } from './digest'
import type { GapColumns } from '../../trace/gaps'
import type { PackedTrace, PackedStrings } from './packed-trace'

export interface ImportSettings {
  /** What the trace is to be shown as. */
  readonly origin: RunInfo['origin']
  /**
   * Of a run of the lab's own: its gaps within repeats, which its figures rest on, or all idle
   * stretches of its devices. Of other traces it is always the latter.
   */
  readonly gaps: 'of-repeats' | 'of-devices'
  /** A step of the program without the profiler, as the reader says; left out: as the file does. */
  readonly stepMs?: number | undefined
}

export interface ImportRequest extends ImportSettings {
  readonly source: ImportSource
  /** Count of the visitor's inputs (base/give-way.ts), where memory can be shared. */
  readonly inputs?: Int32Array | undefined
}

/** A file of the visitor's, by the name that messages quote. Its bytes are read in the worker. */
export interface NamedFile {
  readonly name: string
  readonly blob: Blob
}

/**
 * A Blob is read in the worker; a trace that is open already (a long run that has ended) is copied
 * over; files, two or more, are taken for those of several ranks, read one after the other and
 * shown as one trace where they belong together.
 */
export type ImportSource = Blob | { readonly trace: Trace } | { readonly files: readonly NamedFile[] }

/** How far the file of this name is read. */
export interface FileProgress {
  readonly name: string
  readonly progress: ImportProgress
}

export interface ImportProgress {
  /** 0 to 1, of all of it. */
  readonly fraction: number
  /** In words: what is being done. */
  readonly phase: string
  /** Sketch of what has been read so far, if that is new. */
  readonly sketch?: Sketch | undefined
}

/** One rank among several. */
export interface RankDigest {
  readonly rank: number
  readonly file: string
  /** Of `FoundFacts.devices`; null: its file has none. */
  readonly device: string | null
  /**
   * In matched collectives until the last rank came, work beside them or not; null where its clock
   * could not be aligned.
   */
  readonly waitedUs: number | null
  /** How it came onto the common axis, in a sentence. */
  readonly clock: string
}

/** What several files come to. */
export interface RanksDigest {
  /** What is shown of them: 'Ranks 0 and 1'; the one file's name where only one could be used. */
  readonly title: string
  /** By rank; fewer than two where only one file could be used. */
  readonly ranks: Capped<RankDigest>
  /** Null where there are fewer than two. */
  readonly verdict: RankVerdict | null
  readonly lateRank: number | null
  /**
   * The collective in which a rank waited longest for the late one, or where none is late, for any:
   * its span on that rank; null: none.
   */
  readonly longestWait: number | null
  /** What could not be read, does not belong or cannot be determined, a sentence each. */
  readonly problems: Capped<string>
}

/** What is known of a file once it can be drawn. */
export interface OpenedFacts {
  readonly format: OpenedTrace['format']
  readonly sizeBytes: number
  readonly report: Report | null
  readonly skipped: Capped<ImportWarning>
  readonly notes: Capped<string>
  /** Null: one file was given. */
  readonly ranks: RanksDigest | null
}

interface FoundTrial<Of> {
  /** Index of the device's diagnosis. */
  readonly device: number
  readonly trial: Of
}

/** What the analysis says of it, a little later. */
export interface FoundFacts<Of = Trial> {
  readonly devices: Capped<DeviceDigest>
  /** What is wrong with each device that is shown, in their order (analysis/diagnosis.ts). */
  readonly diagnoses: readonly Diagnosis[]
  /**
   * Changes can be tried on the replay of the device that would gain most; null: none is replayed,
   * or nothing is found.
   */
  readonly trial: FoundTrial<Of> | null
  /** Findings about a recorded page's scripts, with their lines; null for any other file. */
  readonly pageFindings: readonly PageFinding[] | null
  /** Of all launches of the file; null where it marks none. */
  readonly coverage: Coverage | null
  /** The critical path, to be drawn; null where no work of a device has a place. */
  readonly path: PathColumns | null
  /** Whether `gaps` are those of the devices, in the order of `devices`. */
  readonly hasDeviceGaps: boolean
}

export interface PackedOpened extends OpenedFacts {
  readonly trace: PackedTrace
  /** The trace travels apart: its columns are columns of a file, or of another trace. */
  readonly placed: Omit<PlacedTrace, 'trace'>
  readonly lod: PackedLod
}

export interface PackedGaps {
  readonly columns: GapColumns
  readonly rows: GapRows
}

export type PackedFound = FoundFacts<PackedTrial>

/** 'opened', 'gaps', 'evidences' (by gap), 'done'; or 'failed' instead of one. */
export type ImportEvent =
  | { readonly type: 'progress'; readonly progress: ImportProgress }
  | { readonly type: 'opened'; readonly opened: PackedOpened }
  | { readonly type: 'gaps'; readonly gaps: PackedGaps }
  | { readonly type: 'evidences'; readonly evidences: PackedStrings }
  | { readonly type: 'done'; readonly found: PackedFound }
  | { readonly type: 'failed'; readonly fault: Fault }

/** Sends one to the page, with what moves there. */
export type Post = (event: ImportEvent, transfer?: readonly ArrayBuffer[]) => void
