/**
 * A run's context without a device, on a clock of its own: dispatches take the time that the test
 * says, completion is seen a while later, and the device's stamps are what the test makes of them.
 */
import type { Dispatch, KernelCall, RunContext, Submission } from '..'

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

interface FakePass {
  readonly label: string
  readonly trueMs: number
}

export function fakeContext({ msOf, roundTripMs = 2, stamp = (ms) => ms, isSoftware = false }: FakeClock) {
  let nowMs = 0
  const submissions: { readonly label: string; readonly trueMs: number; readonly startMs: number }[] = []
  const calls = new Map<Dispatch, KernelCall>()
  let passes: FakePass[] = []
  const encode = (label: string) => {
    const own: FakePass[] = []
    return {
      own,
      label,
      pass: (name: string, dispatches: readonly Dispatch[]) => {
        const trueMs = dispatches.reduce((sum, dispatch) => {
          const call = calls.get(dispatch)
          return sum + (call ? msOf(call) : 0)
        }, 0)
        const pass = { label: name, trueMs }
        own.push(pass)
        return pass
      },
      clear: () => undefined,
    }
  }
  const submit = (label: string, encodings: readonly ReturnType<typeof encode>[]): Submission => {
    const own = encodings.flatMap((encoding) => encoding.own)
    passes.push(...own)
    const trueMs = own.reduce((sum, pass) => sum + pass.trueMs, 0)
    submissions.push({ label, trueMs, startMs: nowMs })
    const submitStartNs = nowMs * 1e6
    nowMs += trueMs + roundTripMs
    const completedNs = nowMs * 1e6
    return {
      label,
      submitStartNs,
      submitEndNs: submitStartNs,
      completedNs,
      completed: Promise.resolve(completedNs),
    }
  }
  const session = { tag: { repeat: -1, step: -1 }, now: () => nowMs * 1e6, work: () => undefined }
  const context = {
    device: { isSoftware, hasTimestamps: true, limits: {}, features: [], gpu: {} },
    session,
    queue: {
      encode,
      submit,
      wait: () => Promise.resolve(),
      collect: () => {
        const found = new Map<FakePass, number>()
        for (const pass of passes) {
          const ms = stamp(pass.trueMs)
          if (ms !== null) found.set(pass, ms * 1e6)
        }
        passes = []
        return Promise.resolve(found)
      },
    },
    check: () => undefined,
    recorded: <T>(body: () => Promise<T>) => body(),
    buffer: (label: string, sizeBytes: number) => Promise.resolve({ label, sizeBytes, gpu: {} }),
    dispatch: (call: KernelCall) => {
      const dispatch = { label: call.label, uniforms: {}, owned: [] } as unknown as Dispatch // nothing here looks at the rest
      calls.set(dispatch, call)
      return Promise.resolve(dispatch)
    },
    release: () => undefined,
  }
  return {
    // The members that calibration and sizing call.
    context: context as unknown as RunContext,
    submissions,
  }
}
