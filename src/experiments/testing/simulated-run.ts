/**
 * Evidence of a run that never was: a host and a device with known costs, whose browser looks for finished work 2 ms after a submission
 * and then every millisecond. Each effect that an experiment teaches can be taken out.
 */
import type { Evidence } from '../run-types'
import { FakeRun } from './fake-evidence'

export interface Machine {
  /** ms. */
  readonly kernelMs: number
  readonly encodeMs: number
  readonly submitMs: number
  /** submit() returns only when the kernel has ended. */
  readonly submitBlocks: boolean
  /** Completion is known at once, as if nothing had to be looked for or waited for. */
  readonly readsAreFree: boolean
  /** What the recorder got from the device's clock; 'none' is also what it keeps of stamps that are zero or swapped. */
  readonly stamps: 'true' | 'none' | 'frozen' | 'stretched'
  /** Every window is longer by a share of so much, in turn: the spread of a busy machine. */
  readonly noise: readonly number[]
}

const GPU: Machine = {
  kernelMs: 0.3,
  encodeMs: 0.01,
  submitMs: 0.005,
  submitBlocks: false,
  readsAreFree: false,
  stamps: 'true',
  noise: [0, 0.01, 0.02],
}

const FIRST_LOOK_MS = 2
const LOOK_MS = 1
const QUEUED_GAP_MS = 0.012
/** When the host knows of an end, for a submission of that time. */
const reportedMs = (submitted: number, ended: number): number =>
  submitted + FIRST_LOOK_MS + Math.max(0, Math.ceil((ended - submitted - FIRST_LOOK_MS) / LOOK_MS)) * LOOK_MS

export interface SimulatedVariant {
  readonly name: string
  readonly kernelMs?: number
  /** After which steps the host waits, and for what. */
  readonly waits: (step: number) => 'wait-map' | 'wait-done' | null
}

export function simulate(
  machine: Partial<Machine>,
  variants: readonly SimulatedVariant[],
  steps: number,
  over: Partial<Evidence> = {},
): Evidence {
  const { kernelMs, encodeMs, submitMs, submitBlocks, readsAreFree, stamps, noise } = { ...GPU, ...machine }
  const run = new FakeRun()
  let now = 1
  noise.forEach((extra, repeat) => {
    for (const { name, kernelMs: own = kernelMs, waits } of variants) {
      const startMs = now
      let deviceFree = now
      let submitted = now
      const known: number[] = []
      for (let step = 0; step < steps; step += 1) {
        run.host('encode', 'encode', name, repeat, now, now + encodeMs)
        submitted = now + encodeMs
        const starts = Math.max(submitted + submitMs, deviceFree + QUEUED_GAP_MS)
        deviceFree = starts + own
        known.push(reportedMs(submitted, deviceFree))
        now = submitBlocks ? deviceFree : submitted + submitMs
        run.host('submit', 'submit', name, repeat, submitted, now)
        if (stamps !== 'none') {
          const [from, to] =
            stamps === 'frozen'
              ? [1, 1]
              : stamps === 'stretched'
                ? [starts * 1000, deviceFree * 1000]
                : [starts, deviceFree]
          run.pass(name, repeat, step, from, to, 'pass', 1e9)
        }
        run.depth(now, known.filter((at) => at > now).length)
        const waited = waits(step)
        if (waited === null || readsAreFree) continue
        const reported = Math.max(now, reportedMs(submitted, deviceFree))
        run.host('host-wait', 'wait', name, repeat, now, reported, waited)
        now = reported
      }
      const last = Math.max(now, readsAreFree ? deviceFree : reportedMs(submitted, deviceFree))
      run.host('host-wait', 'wait', name, repeat, now, last, 'wait-done')
      now = startMs + (last - startMs) * (1 + extra)
      run.window(name, repeat, startMs, now)
      now += 1
    }
  })
  return run.evidence({ ...over, deviceStepNs: stamps === 'none' ? null : 1 })
}
