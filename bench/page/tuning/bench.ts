/**
 * The tuner's bench on a device: candidates compiled, checked on sampled entries, and timed. Where
 * a whole dispatch would take too long, a part of k is multiplied: as many rows and columns, in the
 * same modules.
 */
import type { Dispatch, RunContext } from '../../../src/gpu'
import type { MatmulShape } from '../../../src/gpu/kernels/catalog'
import { kernelCall } from '../../../src/gpu/kernels/kernel'
import type { Candidate } from './candidates'
import { keepBusy } from '../../../src/gpu/kernels/calibrate/keep-busy'
import { timePasses } from '../../../src/gpu/kernels/calibrate/timing'
import { openOperands } from './operands'
import { cropShape, firstPart, nextPart } from './trial-shape'
import type { TrialBench, TrialResult } from './trial'

/**
 * A pass must last so many steps of the device's clock: 40 × 65.536 µs = 2.6 ms, one step is 2.5 %.
 */
const STEPS_PER_PASS = 40
const SHORTEST_PASS_MS = 1
/** Without timestamps: completion is heard up to 3 ms late (measured in Chromium). */
const HOST_TIMED_PASS_MS = 40
const MAX_DISPATCHES = 256
const DROPPED_TIMES = 3

export interface DeviceBench extends TrialBench {
  /** The shape that trials multiply, perhaps with a smaller k. */
  readonly trialShape: () => MatmulShape
  /** Chooses the trial shape by this candidate: as much of k as one dispatch can take. */
  readonly settle: (candidate: Candidate) => Promise<void>
  /** Keeps the device busy until its clocks have risen. */
  readonly warmUp: (candidate: Candidate) => Promise<void>
  readonly release: () => void
}

const NO_TIME: TrialResult = {
  ok: false,
  outcome: 'failed',
  reason: 'The device gave no timestamps that fit its round trips.',
}

export async function openBench(
  context: RunContext,
  shape: MatmulShape,
  deviceStepNs: number | null,
  maxDispatchMs: number,
): Promise<DeviceBench> {
  const { session, device } = context
  const { m, n, k } = shape
  const startNs = session.now()
  const elapsedMs = () => (session.now() - startNs) / 1e6
  const operands = await openOperands(context, shape)

  /** Error of one timestamp, and so of a difference of two. */
  const stepMs = (deviceStepNs ?? 0) / 1e6
  let part = firstPart(k)
  const ready = new Map<Candidate, Dispatch>()
  const passLengths = new Map<Candidate, number>()
  const enoughMs = device.hasTimestamps
    ? Math.max(SHORTEST_PASS_MS, STEPS_PER_PASS * stepMs)
    : HOST_TIMED_PASS_MS

  const trialShape = (): MatmulShape => ({ ...shape, k: part })
  const dispatchOf = async (candidate: Candidate): Promise<Dispatch> => {
    let dispatch = ready.get(candidate)
    if (!dispatch) {
      dispatch = await context.dispatch(kernelCall(candidate.kernel, trialShape()), operands.buffers)
      ready.set(candidate, dispatch)
    }
    return dispatch
  }
  const forget = () => {
    for (const { owned } of ready.values()) for (const each of owned) context.release(each)
    ready.clear()
  }

  /**
   * ms of a pass with so many dispatches, the shorter of two: the first may pay for first touches,
   * and nothing makes one shorter than it is. Null where the device's clock gave nothing that can
   * be believed.
   */
  const passMs = async (dispatch: Dispatch, count: number): Promise<number | null> => {
    context.check()
    for (let attempt = 0; attempt < DROPPED_TIMES; attempt += 1) {
      const pass = Array<Dispatch>(count).fill(dispatch)
      const { deviceMs, hostMs } = await timePasses(context, device.hasTimestamps ? [pass, pass] : [pass])
      if (!device.hasTimestamps) return hostMs
      if (deviceMs) return Math.min(...deviceMs)
    }
    return null
  }

  const check = async (candidate: Candidate): Promise<TrialResult> => {
    const tried = await context.attempt(async () => {
      const dispatch = await dispatchOf(candidate)
      await operands.clear()
      const { deviceMs, hostMs } = await timePasses(context, [[dispatch]])
      return { ms: Math.max(0, (deviceMs?.[0] ?? hostMs) - stepMs), got: await operands.read() }
    })
    if (!tried.ok) return { ok: false, outcome: 'failed', reason: tried.error.message }
    const compared = operands.compare(tried.value.got, trialShape())
    return compared.failed === 0
      ? { ok: true, ms: tried.value.ms }
      : {
          ok: false,
          outcome: 'wrong-result',
          reason: `${String(compared.failed)} of ${String(compared.checked)} sampled entries are wrong.`,
        }
  }

  /**
   * A sixteenth of the work, where there are tiles enough: what takes too long is then known before
   * it has to be waited for.
   */
  const estimateMs = async (candidate: Candidate): Promise<number | null> => {
    const whole = trialShape()
    const cropped = cropShape(whole, candidate.kernel.tileFor(whole))
    const share = (cropped.m * cropped.n) / (m * n)
    if (share > 1 / 4) return null
    const tried = await context.attempt(async () => {
      const dispatch = await context.dispatch(kernelCall(candidate.kernel, cropped), operands.buffers)
      await timePasses(context, [[dispatch]]) // first touches
      const ms = await passMs(dispatch, 1)
      for (const each of dispatch.owned) context.release(each)
      return ms
    })
    return tried.ok && tried.value !== null ? tried.value / share : null
  }

  const sample = async (candidate: Candidate): Promise<TrialResult> => {
    const tried = await context.attempt(async () => {
      const dispatch = await dispatchOf(candidate)
      for (let count = passLengths.get(candidate) ?? 1; ;) {
        const ms = await passMs(dispatch, count)
        if (ms === null) return null
        // A sample that fell a little short was long enough: only one of half the length is taken
        // again.
        if (ms >= enoughMs / 2 || count === MAX_DISPATCHES) {
          passLengths.set(candidate, count)
          return ms / count
        }
        const factor = Math.min(16, Math.ceil((1.2 * enoughMs) / Math.max(ms, enoughMs / 16)))
        count = Math.min(MAX_DISPATCHES, count * factor)
      }
    })
    if (!tried.ok) return { ok: false, outcome: 'failed', reason: tried.error.message }
    return tried.value === null ? NO_TIME : { ok: true, ms: tried.value }
  }

  return {
    trialShape,
    get flops() {
      return 2 * m * n * part
    },
    elapsedMs,
    settle: async (candidate) => {
      for (;;) {
        const dispatch = await dispatchOf(candidate)
        await timePasses(context, [[dispatch]]) // first touches
        const ms = (await passMs(dispatch, 1)) ?? maxDispatchMs
        const affordable = maxDispatchMs / Math.max(ms, 1e-3)
        if (part === k || affordable < 2) return
        forget()
        // Small parts do not fill a large device, so their rate foretells little: at most eight
        // times as much at once.
        part = nextPart(part, k, Math.min(8, affordable))
      }
    },
    warmUp: async (candidate) => {
      const dispatch = await dispatchOf(candidate)
      if (!device.isSoftware) await keepBusy(context, dispatch, (await passMs(dispatch, 1)) ?? maxDispatchMs)
    },
    compile: async (candidates) => {
      // One scope round all of them, since they compile beside each other; each one's own fault
      // comes with its promise.
      const faults: (string | null)[] = candidates.map(() => null)
      await context.attempt(async () => {
        const settled = await Promise.allSettled(candidates.map(dispatchOf))
        settled.forEach((outcome, index) => {
          if (outcome.status === 'rejected')
            faults[index] = outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason)
        })
      })
      return faults
    },
    estimateMs,
    check,
    sample,
    release: () => {
      forget()
      operands.release()
    },
  }
}
