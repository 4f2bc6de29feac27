/**
 * A device: one queue that runs one thing after the other. A submission that arrives from the GPU
 * process changes contents at once; its times follow from when the work before it ends. Timestamps
 * are those times, in the device's own clock and steps.
 */
import type { MachineProfile } from './machine-profile'
import type { Effort } from './product'
import { twinOf, type Launch } from './kernels'
import type { Contents } from './contents'

/**
 * The first tick, like the H200's: nanoseconds of the Unix epoch, beyond the integers of a double.
 */
const ORIGIN_TICK = 1_790_000_000_000_000_000n

export interface Memory {
  readonly contents: Contents
  readonly words: number
  /** The host can map it, so it lies in the host's memory. */
  readonly isMappable: boolean
}

export interface DispatchCommand {
  /** Null: a program's own. */
  readonly kernel: string | null
  readonly constants: Readonly<Record<string, number>>
  readonly bound: readonly Memory[]
  readonly workgroups: number
}

/** Timestamps of a query set, ns; undefined where none was written. */
export type Timestamps = (number | undefined)[]

export interface Stamps {
  readonly values: Timestamps
  readonly begin: number | undefined
  readonly end: number | undefined
}

export type Command =
  | {
      readonly type: 'pass'
      readonly label: string
      readonly dispatches: readonly DispatchCommand[]
      readonly stamps: Stamps | null
    }
  | {
      readonly type: 'copy'
      readonly from: Memory
      readonly to: Memory
      readonly fromWord: number
      readonly toWord: number
      readonly words: number
    }
  | { readonly type: 'clear'; readonly memory: Memory; readonly fromWord: number; readonly toWord: number }
  | {
      readonly type: 'resolve'
      readonly values: Timestamps
      readonly first: number
      readonly count: number
      readonly to: Memory
      readonly toWord: number
    }

/** A command buffer. */
interface Submitted {
  readonly label: string
  readonly commands: readonly Command[]
}

/** The machine, as its devices know it. */
interface Owner {
  readonly profile: MachineProfile
  readonly effort: Effort
  readonly passed: (startNs: number, endNs: number) => void
  readonly dispatched: (unknown: string) => void
  readonly runs: (kernel: string) => boolean
}

export class DeviceTimeline {
  /** When the last of what has arrived will have ended. */
  endedNs = 0
  readonly #machine: Owner
  readonly #profile: MachineProfile['device']
  readonly #stepNs: bigint

  constructor(machine: Owner) {
    const { device, environment } = machine.profile
    this.#machine = machine
    this.#profile = device
    this.#stepNs = BigInt(Math.max(1, environment.deviceClockStepNs ?? 1))
  }

  /** One submission, which arrives then. */
  run(submitted: readonly Submitted[], atNs: number): void {
    if (submitted.every(({ commands }) => commands.length === 0)) return
    let ns = Math.max(atNs, this.endedNs + this.#profile.submitGapNs)
    for (const [index, { commands }] of submitted.entries()) {
      if (index > 0) ns += this.#profile.commandBufferGapNs
      for (const command of commands) ns = this.#carryOut(command, ns)
    }
    this.endedNs = ns
  }

  #carryOut(command: Command, atNs: number): number {
    switch (command.type) {
      case 'pass':
        return this.#pass(command, atNs)
      case 'copy': {
        const { from, to, fromWord, toWord, words } = command
        to.contents.copy(toWord, words, from.contents.snapshot(), fromWord)
        const { uploadRate, downloadRate, memoryRate } = this.#profile
        const rate = from.isMappable ? uploadRate : to.isMappable ? downloadRate : memoryRate
        return atNs + (4 * words) / rate
      }
      case 'clear': {
        const { memory, fromWord, toWord } = command
        memory.contents.write({ from: fromWord, to: toWord, at: () => 0 })
        return atNs + (4 * (toWord - fromWord)) / this.#profile.memoryRate
      }
      case 'resolve': {
        const { values, first, count, to, toWord } = command
        const stamps = values.slice(first, first + count)
        const at = (word: number): number => {
          const ns = stamps[(word - toWord) >> 1]
          const shift = (word - toWord) % 2 === 0 ? 0n : 32n
          return ns === undefined ? 0 : Number(BigInt.asUintN(32, this.#tickOf(ns) >> shift))
        }
        to.contents.write({ from: toWord, to: toWord + 2 * count, at })
        return atNs + this.#profile.launchNs
      }
    }
  }

  #pass({ dispatches, stamps }: Extract<Command, { type: 'pass' }>, atNs: number): number {
    const { stampNs, passNs, launchNs } = this.#profile
    // Each timestamp takes half of the time that both do: one inside of what they time.
    const each = (index: number | undefined): number => (index === undefined ? 0 : stampNs / 2)
    if (stamps?.begin !== undefined) stamps.values[stamps.begin] = atNs
    let ns = atNs + each(stamps?.begin) + passNs
    for (const { kernel, constants, bound, workgroups } of dispatches) {
      const [uniforms, ...buffers] = bound
      const params = Array.from({ length: Math.min(16, uniforms?.words ?? 0) }, (_, word) => word)
      const read = uniforms?.contents.snapshot()
      const twin = kernel === null ? null : twinOf(kernel)
      ns += launchNs
      if (kernel === null || !twin) {
        this.#machine.dispatched(kernel ?? 'of the program')
        continue
      }
      const launch: Launch = {
        kernel,
        constants,
        workgroups,
        params: params.map((word) => read?.at(word) ?? 0),
        buffers,
        effort: this.#machine.effort,
      }
      if (this.#machine.runs(kernel)) twin.run(launch)
      ns += twin.ns(launch, this.#profile)
    }
    ns += each(stamps?.end)
    if (stamps?.end !== undefined) stamps.values[stamps.end] = ns
    this.#machine.passed(atNs, ns)
    return ns
  }

  #tickOf(ns: number): bigint {
    return ((ORIGIN_TICK + BigInt(Math.round(ns))) / this.#stepNs) * this.#stepNs
  }
}
