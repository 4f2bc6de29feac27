/**
 * A machine as the constants that a program's time depends on: what a call costs its host, what the
 * browser's GPU process does with it, how fast bytes go each way, how long a kernel takes. One set
 * for all programs. Each constant of a profile says which recording it was read off. Times in ns;
 * rates in bytes/ns, which is GB/s.
 */
import type { Environment } from '../trace/report'

/** Calls of the host's that cost the same whatever is handed over. */
export type Call =
  | 'createBuffer'
  | 'createCommandEncoder'
  | 'beginPass'
  | 'setPipeline'
  | 'setBindGroup'
  | 'dispatch'
  | 'endPass'
  | 'copy'
  | 'finish'
  | 'submit'
  | 'writeBuffer'
  | 'mapAsync'
  | 'getMappedRange'
  | 'unmap'
  | 'onSubmittedWorkDone'
  /** Any other. */
  | 'other'

/**
 * How long one dispatch takes: the longer of what its workgroups wait for each other and what its
 * arithmetic takes, and the launch.
 */
interface MatmulCost {
  /** The kernel's id. */
  readonly kernel: string
  /** Applies where m or n is smaller than this. Left out: always. */
  readonly below?: number
  /**
   * Workgroups that a multiprocessor works on at once: a kernel runs in waves of this times
   * `multiprocessors`.
   */
  readonly resident: number
  /** Time of a wave for each step along k, ns. */
  readonly stepNs: number
  /** At most, GFLOP/s: memory is what is waited for. */
  readonly gflops: number
}

export interface MachineProfile {
  readonly name: string
  /** In words: which recordings, of what. */
  readonly source: string
  /**
   * The environment of the recording's report: adapter, limits, clocks, and the rates by which
   * experiments size their work.
   */
  readonly environment: Environment
  readonly host: {
    readonly calls: Readonly<Record<Call, number>>
    /** performance.now(), mapState. */
    readonly clockReadNs: number
    /** A thread that slept runs again. */
    readonly wakeNs: number
    /** The first call after it did takes so much longer: nothing is in the caches. */
    readonly coldNs: number
    /** writeBuffer() copies into memory shared with the GPU process. */
    readonly writeRate: number
    /** A program writes all of a mapped range, or reads it. */
    readonly fillRate: number
    readonly readRate: number
    /**
     * The same into memory that is new: the system makes each page when it is first touched
     * (`slice()`).
     */
    readonly newMemoryRate: number
    /** mappedAtCreation fills with zeros. */
    readonly zeroRate: number
    /**
     * Bytes that the GPU process has not taken yet: beyond so many, a call holds the host until it
     * has.
     */
    readonly mostShared: number
  }
  /**
   * Its matmul: a call, the bytes of both matrices and the result, and the arithmetic, one after
   * the other.
   */
  readonly processor: {
    readonly library: string
    readonly threads: number
    readonly callNs: number
    readonly copyRate: number
    readonly gflops: number
  }
  /** The browser's GPU process: commands of all devices of a page, one after the other. */
  readonly process: {
    /** From the host to it, and back. */
    readonly messageNs: number
    /** For each message. */
    readonly handleNs: number
    readonly dispatchNs: number
    readonly passNs: number
    readonly commandBufferNs: number
    readonly submitNs: number
    /** writeBuffer(), beside its bytes: memory is found for it. */
    readonly writeNs: number
    /** writeBuffer(), and mappedAtCreation: into upload memory that is new. */
    readonly freshRate: number
    /** A mapped range that is unmapped: into memory that the device can see, used before. */
    readonly carryRate: number
    /** Results for mapAsync(READ): back into shared memory. */
    readonly readbackRate: number
    /**
     * It polls for ended work after each message, then so long after the last one, and from then
     * on every `pollNs`.
     */
    readonly firstPollNs: number
    readonly pollNs: number
  }
  readonly device: {
    readonly multiprocessors: number
    /** Between two submissions that are queued, and between two command buffers of one. */
    readonly submitGapNs: number
    readonly commandBufferGapNs: number
    /** A pass, and a dispatch, whatever they do. */
    readonly passNs: number
    readonly launchNs: number
    /** Both timestamps of a pass. */
    readonly stampNs: number
    /** Copies: from memory that the host can map, into it, and between buffers of the device. */
    readonly uploadRate: number
    readonly downloadRate: number
    readonly memoryRate: number
    /** Fused multiply-adds in registers, GFLOP/s. */
    readonly peakGflops: number
    readonly spinNs: number
    /** The first that fits is taken: kernels have small tiles for small matrices. */
    readonly matmuls: readonly MatmulCost[]
  }
}
