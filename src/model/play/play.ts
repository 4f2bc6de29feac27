/**
 * Handles that a learner drags before the run, over a picture of some steps on a modelled machine
 * of no make. A lesson declares its handles, one of the lab's programs with its input, and a
 * sentence. The model makes all times of the picture: nothing here computes any.
 */
import type { MachineProfile } from '../machine-profile'

export interface Handle {
  readonly label: string
  /** Empty: a count, with `word` in words. */
  readonly unit: 'ms' | 'µs' | 'MiB' | 'GB/s' | ''
  /** Its positions, ascending. */
  readonly stops: readonly number[]
  /** One of them. */
  readonly start: number
  /** A stop in words, where figure and unit do not do. */
  readonly word?: (value: number) => string
}

export type Values<Id extends string = string> = Readonly<Record<Id, number>>

interface Kernel {
  readonly pipeline: GPUComputePipeline
  readonly bindGroup: GPUBindGroup
  /** The output buffer. */
  readonly c: GPUBuffer
  /** In a pass of its own. */
  readonly encode: (encoder: GPUCommandEncoder) => void
}

export interface ModelledWorkers {
  readonly workers: number
  readonly makeNs: number
  /** Batches ahead of the program at most, of all workers together. */
  readonly ahead: number
  readonly bytes: number
}

/** The model as programs get it. */
export interface Work {
  readonly kernel: (ns: number) => Kernel
  /** Staging buffers are mapped. */
  readonly buffer: (bytes: number, use: 'device' | 'staging' | 'readback') => GPUBuffer
  /** In the host's memory. */
  readonly numbers: (bytes: number) => Float32Array
  /** The host works for so long. */
  readonly busy: (ns: number) => () => void
  /** Batches that workers make beside the host. */
  readonly loader: (workers: ModelledWorkers) => object
}

interface Declared<Id extends string> {
  /** A question that says where to look. */
  readonly asks: string
  readonly handles: Readonly<Record<Id, Handle>>
  /** Time shown in the picture, whatever the handles say: a step that grows is seen to grow. */
  readonly windowNs: number
  /** 'EXPERIMENT/PROGRAM': under experiments/, without programs/ and .js. */
  readonly program: string
  /** The result in one or two sentences, without 'modelled', which is said beside them. */
  readonly says: (values: Values<Id>, seen: Seen) => string
}

type Parts<T> = { readonly [Key in keyof T]?: T[Key] extends object ? Partial<T[Key]> : T[Key] }

export interface DevicePlay<Id extends string = string> extends Declared<Id> {
  /**
   * Differences from a machine of no make: values that handles move, and parts that the picture
   * must not show.
   */
  readonly profile: (values: Values<Id>) => Parts<MachineProfile>
  readonly input: (values: Values<Id>, work: Work) => Readonly<Record<string, unknown>>
  /**
   * How long the host takes for what the program marks as computing (`lab.compute`). Its result is
   * what stands in `input.host`.
   */
  readonly computeNs?: (values: Values<Id>) => number
  /**
   * Passes until the picture repeats itself, left out where that is one: shares are of whole
   * rounds.
   */
  readonly round?: (values: Values<Id>) => number
}

/** A program on several ranks. A step is one run of it. */
export interface RanksPlay<Id extends string = string> extends Declared<Id> {
  readonly ranks: (values: Values<Id>) => number
  /** Latency of a message. */
  readonly alphaNs: (values: Values<Id>) => number
  /** Input of the program. Each operation of its `lab.compute` takes a ns. */
  readonly input: (values: Values<Id>) => Readonly<Record<string, unknown>>
}

export type Play<Id extends string = string> = DevicePlay<Id> | RanksPlay<Id>

export interface Stretch {
  readonly startNs: number
  readonly endNs: number
}

/**
 * From the program's first call, ns; stretches are cut at the window, averages are of some rounds
 * at least.
 */
export interface Seen {
  readonly windowNs: number
  /** When the host began each step. */
  readonly steps: readonly number[]
  /** The host runs the program; between two of them it waits. */
  readonly host: readonly Stretch[]
  readonly waits: readonly Stretch[]
  /** Between host and device: calls are handled, and bytes carried. */
  readonly between: readonly Stretch[]
  readonly passes: readonly Stretch[]
  /** By worker of a loader, when it made a batch. */
  readonly workers: readonly (readonly Stretch[])[]
  /** By rank, when it computed. Of a program on ranks all above but the steps are empty. */
  readonly ranks: readonly (readonly Stretch[])[]
  /** Share of whole rounds in which the device computes, or a rank on average. */
  readonly computes: number
  /**
   * From one step’s kernel to the next one’s, on average; without a kernel, from one step’s begin
   * to the next one’s.
   */
  readonly stepNs: number
}

export const startOf = ({ handles }: Play): Values =>
  Object.fromEntries(Object.entries(handles).map(([id, { start }]) => [id, start]))

/** Makes the two halves of a lesson's play agree in the names of their handles. */
export const playWith = <Id extends string>(play: DevicePlay<Id>): Play => play
export const playOnRanks = <Id extends string>(play: RanksPlay<Id>): Play => play
