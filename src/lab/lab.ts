/**
 * The API that a program gets beside its device and its input. It is small, because a program is
 * plain WebGPU: the recorder under the API sees its calls.
 */
import type { RecordingSession } from '../recorder'

export interface ProgramApi {
  /**
   * 0, 1, … count − 1. What the program calls while a number is out belongs to that step in the
   * recorded trace.
   */
  readonly steps: (count: number) => Iterable<number>
  /**
   * Runs a computation of the host's own and marks it on the host's lane: JavaScript is not
   * recorded otherwise.
   */
  readonly compute: <T>(label: string, flops: number, body: () => Promise<T>) => Promise<T>
}

/** A program: the default export of `experiments/<id>/programs/<name>.js`. */
export type Program = (scope: {
  readonly device: GPUDevice
  readonly lab: ProgramApi
  readonly input: unknown
}) => Promise<unknown>

/** The program of each rank: the same text, with its rank as the only difference. */
export type RankProgram = (scope: {
  readonly rank: number
  /** Number of ranks. */
  readonly size: number
  /** Like those of `Endpoint` (lab/ranks/endpoint.ts), recorded. */
  readonly send: (to: number, data: ArrayBufferView) => Promise<void>
  readonly recv: (from: number, into: ArrayBufferView) => Promise<void>
  readonly lab: ProgramApi
  readonly input: unknown
  /** The rank's own; null where ranks have none. */
  readonly device: GPUDevice | null
}) => Promise<unknown>

export const createLab = (session: RecordingSession): ProgramApi => ({
  *steps(count) {
    for (let step = 0; step < count; step += 1) {
      session.tag = { ...session.tag, step }
      yield step
    }
  },
  async compute(label, flops, body) {
    const start = session.now()
    const value = await body()
    session.hostSpan('host-work', 'compute', label, start, session.now(), { flops })
    return value
  },
})

/**
 * What the host does between two launches: the next batch, the log, Python itself. It keeps this
 * thread busy by the clock, and marks itself on the host's lane.
 */
export const hostWork = (session: RecordingSession, ms: number) => (): void => {
  const start = session.now()
  const until = start + ms * 1e6
  let now = start
  while (now < until) now = session.now()
  session.hostSpan('host-work', 'compute', 'host work', start, now)
}
