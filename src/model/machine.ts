/**
 * Shared by all objects of a modelled WebGPU: the clock, the profile, the GPU process, and the
 * listener for invalid commands.
 */
import type { Call, MachineProfile } from './machine-profile'
import { Clock, ModelError } from './clock'
import { DeviceTimeline } from './device'
import { GpuProcess, type Process } from './gpu-process'
import type { Effort } from './product'

const READS_IN_A_ROW = 50

/**
 * Enough for the samples that checks read; a whole product of large matrices is beyond it, and is
 * not worked out.
 */
const MULTIPLY_ADDS = 2.5e8
/**
 * A mend is graded by whole results: eight layers of 32 · 1024² in four runs are 1.1e9, and a
 * program may do them twice.
 */
export const MEND_MULTIPLY_ADDS = 2.5e9

export class Machine {
  readonly profile: MachineProfile
  readonly clock = new Clock()
  readonly process: Process
  /** For a picture that needs no recorder: when each pass begins and ends. */
  passed: (startNs: number, endNs: number) => void = () => undefined
  readonly effort: Effort
  /**
   * A learner's program has begun: what is compiled from now on is its own, under whatever label.
   */
  hasProgram = false
  /**
   * It has dispatched kernels of its own: what they compute, and how long, cannot be determined.
   */
  hasUnknown = false
  /** Large ranges are no memory until somebody reads them: programs have the arrays of realm.ts. */
  isLazy = true
  #isCold = false
  #reads = 0
  #callsThen = 0
  #shared = 0

  /** @param process in place of the browser's own: a test drives it */
  constructor(profile: MachineProfile, multiplyAdds = MULTIPLY_ADDS, process?: Process) {
    this.profile = profile
    this.effort = { left: multiplyAdds, leftOut: 0, products: new Map(), matrices: new Map() }
    this.process = process ?? new GpuProcess(this.clock, profile)
    this.clock.taskEnded = () => {
      this.process.flush()
    }
    this.clock.taskBegins = () => {
      this.clock.now += profile.host.wakeNs
      this.#isCold = true
    }
  }

  call(call: Call): void {
    const { calls, coldNs } = this.profile.host
    this.clock.spend(calls[call] + (this.#isCold ? coldNs : 0))
    this.#isCold = false
  }

  /**
   * A program that reads nothing but the clock waits for a time: it is let there in fewer and
   * longer steps, of a percent of the wait.
   */
  readClock(): void {
    const { clock, profile } = this
    this.#reads = clock.calls === this.#callsThen ? this.#reads + 1 : 0
    clock.spend(profile.host.clockReadNs * Math.max(1, this.#reads / READS_IN_A_ROW))
    this.#callsThen = clock.calls
  }

  /** The host itself moves bytes. */
  move(bytes: number, rate: number): void {
    this.clock.spend(bytes / rate)
  }

  /**
   * Memory that host and GPU process share: the host is held where too much of it is on its way.
   * Call what it returns once it is free.
   */
  share(bytes: number): () => void {
    const most = this.profile.host.mostShared
    if (this.#shared > 0 && this.#shared + bytes > most) {
      this.process.flush()
      this.clock.block(() => this.#shared === 0 || this.#shared + bytes <= most)
    }
    this.#shared += bytes
    return () => {
      this.#shared -= bytes
    }
  }

  timeline(): DeviceTimeline {
    return new DeviceTimeline(this)
  }

  /** @throws ModelError for what is neither the lab's kernel nor a learner's */
  dispatched(unknown: string): void {
    if (!this.hasProgram)
      throw new ModelError(
        `The model does not know the kernel '${unknown}': what it computes, and how long, cannot be determined.`,
      )
    this.hasUnknown = true
  }

  /**
   * For tests: which dispatches take place, what is made, what a compiler says, and which calls are
   * never answered.
   */
  runs(_kernel: string): boolean {
    return true
  }
  made(_object: object): void {}
  messagesOf(_wgsl: string): readonly object[] {
    return []
  }
  hangs(_call: string): boolean {
    return false
  }

  /** Answered when the GPU process has handled what came before. */
  answered<T>(value: () => T, takesNs = 0): Promise<T> {
    return new Promise((resolve, reject) => {
      this.process.ask(() => {
        try {
          resolve(value())
        } catch (thrown) {
          reject(thrown instanceof Error ? thrown : new ModelError(String(thrown)))
        }
      }, takesNs)
    })
  }
}
