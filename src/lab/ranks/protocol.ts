/**
 * Between a world and its ranks, each in a thread of its own. Orders go to a rank, answers come
 * back.
 */
import type { Fault } from '../../base/fault'
import type { RunInfo, TraceChunk } from '../../trace/schema'
import type { WireMemory } from './shared-wire'
import type { RankState } from './wait-for'

export interface OpenCommand {
  readonly type: 'open'
  readonly rank: number
  /** It opens a GPUDevice of its own. */
  readonly hasDevice: boolean
  readonly info: RunInfo
  readonly hostStepUs: number
  readonly deviceStepNs: number | null
}

/** A window of one variant, on one of its ranks. */
export interface WindowCommand {
  readonly type: 'prepare'
  /** Number of ranks: each has a wire of that size. */
  readonly size: number
  readonly variant: string
  readonly repeat: number
  readonly program: string
  /** The spec from which `prepare-rank.ts` makes the program's input, or the input itself. */
  readonly spec: unknown
  readonly record: boolean
  readonly linesFromStacks: boolean
  readonly stamping: 'passes' | 'outer' | 'none'
}

export type RankCommand =
  | OpenCommand
  /** It blocks until it was asked for the time so often. */
  | { readonly type: 'pings'; readonly memory: SharedArrayBuffer }
  | { readonly type: 'ping' }
  | { readonly type: 'wire'; readonly size: number; readonly memory: WireMemory }
  | { readonly type: 'wire'; readonly size: number; readonly ports: readonly (MessagePort | null)[] }
  | WindowCommand
  /** All are prepared: meet, and run. */
  | { readonly type: 'go' }
  /** Messages of wires that share no memory. */
  | { readonly type: 'state'; readonly size: number }
  | { readonly type: 'cut'; readonly size: number; readonly reason: string }
  /** Frees what it has. */
  | { readonly type: 'end' }

export type RankOutcome =
  | { readonly how: 'returned'; readonly output: unknown }
  /** The wire was cut while it waited. */
  | { readonly how: 'cut' }
  | { readonly how: 'threw'; readonly fault: Fault }

export type RankReply =
  | { readonly type: 'opened' }
  | { readonly type: 'pinged'; readonly atMs: number }
  | { readonly type: 'prepared' }
  | { readonly type: 'state'; readonly state: RankState }
  | {
      readonly type: 'ran'
      readonly ending: RankOutcome
      /**
       * ns since the origin of the rank's trace: behind the barrier, and when the program and all
       * its calls had ended.
       */
      readonly startNs: number
      readonly endNs: number
      /** Spans recorded since the last chunk. */
      readonly chunk: TraceChunk | null
    }
  /** At any time: it is of no use any more. */
  | { readonly type: 'failed'; readonly fault: Fault }
