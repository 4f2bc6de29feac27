/**
 * A run's context without a device, on a clock of its own: dispatches take the time that the test
 * says, completion is seen a while later, and the device's stamps are what the test makes of them.
 */
import type { KernelCall, RunContext, Submission } from '..'

export interface FakeClock {
  /** True time of a dispatch, ms. */
  readonly msOf: (call: KernelCall) => number
  /** From the end of the work to its completion as observed, ms. */
  readonly roundTripMs?: number
  /**
   * The device clock's reading for a pass that truly took this many ms; null without a timestamp.
   */
  readonly stamp?: (trueMs: number) => number | null
  readonly isSoftware?: boolean
}

/** Clocks that cannot be believed. */
export const STAMPS: Readonly<Record<string, NonNullable<FakeClock['stamp']>>> = {
  frozen: () => 0,
  'a thousand times too slow': (ms) => ms / 1000,
  'forty times too slow': (ms) => ms / 40,
  'a thousand times too fast': (ms) => ms * 1000,
  missing: () => null,
}

/** As much of a pass as `encodePass` calls; the pipeline of a dispatch is its kernel. */
function fakePass(msOf: FakeClock['msOf']) {
  let pipeline: KernelCall | null = null
  const pass = {
    trueMs: 0,
    setPipeline: (call: KernelCall) => void (pipeline = call),
    setBindGroup: () => undefined,
    dispatchWorkgroups: () => {
      if (pipeline) pass.trueMs += msOf(pipeline)
    },
    end: () => undefined,
  }
  return pass
}
type FakePass = ReturnType<typeof fakePass>

export function fakeContext({ msOf, roundTripMs = 2, stamp = (ms) => ms, isSoftware = false }: FakeClock) {
  let nowMs = 0
  const submissions: { readonly label: string; readonly trueMs: number; readonly startMs: number }[] = []
  let passes: FakePass[] = []
  const stamps = new Map<FakePass, number>()
  const submit = (label: string, encode?: (encoder: object) => void): Submission => {
    const own: FakePass[] = []
    encode?.({
      beginComputePass: () => {
        const pass = fakePass(msOf)
        own.push(pass)
        return pass
      },
      clearBuffer: () => undefined,
    })
    passes.push(...own)
    const trueMs = own.reduce((sum, pass) => sum + pass.trueMs, 0)
    submissions.push({ label, trueMs, startMs: nowMs })
    const submitStartNs = nowMs * 1e6
    nowMs += trueMs + roundTripMs
    const completedNs = nowMs * 1e6
    return {
      submitStartNs,
      submitEndNs: submitStartNs,
      completedNs,
      completed: Promise.resolve(completedNs),
    }
  }
  const session = {
    tag: { repeat: -1, step: -1 },
    now: () => nowMs * 1e6,
    work: () => undefined,
    ticksOf: (pass: FakePass) => stamps.get(pass),
  }
  const context = {
    device: { isSoftware, hasTimestamps: true, limits: {}, features: [], gpu: {} },
    session,
    queue: {
      submit,
      run: (...asked: Parameters<typeof submit>) => {
        submit(...asked)
        return Promise.resolve()
      },
      wait: () => Promise.resolve(),
      clear: () => Promise.resolve(),
      collect: () => {
        for (const pass of passes) {
          const ms = stamp(pass.trueMs)
          if (ms !== null) stamps.set(pass, ms * 1e6)
        }
        passes = []
        return Promise.resolve()
      },
    },
    check: () => undefined,
    recorded: <T>(body: () => Promise<T>) => body(),
    buffer: (label: string, sizeBytes: number) => Promise.resolve({ label, sizeBytes, gpu: {} }),
    dispatch: (call: KernelCall) =>
      Promise.resolve({ label: call.label, pipeline: call, workgroups: [1, 1, 1], uniforms: {}, owned: [] }),
    release: () => undefined,
  }
  return {
    // The members that calibration and sizing call.
    context: context as unknown as RunContext,
    submissions,
  }
}
