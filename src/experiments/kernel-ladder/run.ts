/**
 * Recipe: one matmul size for all rungs; measure the device's peak and copy bandwidth, every rung on resident matrices, every rung
 * with A and B uploaded and C read back at each step, and the transfers alone; check every result.
 */
import { readWords, type Submission } from '../../engine'
import { tickKernel } from '../../kernels/calibrate/tick'
import { fillValue } from '../../kernels/data/fill'
import { kernelCall } from '../../kernels/kernel'
import { compareSamples, referenceEntry, samplePositions, tolerance } from '../../kernels/matmul/reference'
import type { Verification } from '../../trace/report'
import { REPEAT_NONE } from '../../trace/schema'
import { kernelParam } from '../shared-params'
import { mergeVerifications } from '../matmul-workload'
import { prepareFmaPeak, prepareStreamCopy, type RooflineWork } from '../roofline-work'
import type { Runner } from '../run-types'
import { MAX_QUEUED_MS } from '../sizing'
import { USAGE, type RunContext } from '../../engine'
import { ladderFigures } from './figures'
import { prepareLadder, SEEDS, usableKernels, type Ladder, type Rung } from './ladder'
import { judgeKernelLadder, measureKernelLadder } from './metrics'
import { prepareMovingSteps, type MovingSteps } from './transfers'
import { FMA_PEAK, isMoved, moved, rungOf, STREAM_COPY, TRANSFERS_ONLY } from './variants'

const SAMPLES = 64
const ROUND_TRIPS = 8
/** Without timestamps a window is timed as a whole: more passes in it, so that the way there and back weighs less. */
const HOST_TIMED_PASSES = 8

/** C after `times` matmuls on the resident matrices. */
async function verifyResident(context: RunContext, { n, c }: Ladder, times: number): Promise<Verification> {
  const positions = samplePositions(n, n, SAMPLES, times)
  const at = positions.map(([row, column]) => row * n + column)
  const got = new Float32Array((await readWords(context, c, at)).buffer)
  const aAt = (i: number, k: number) => fillValue(i * n + k, SEEDS.a)
  const bAt = (k: number, j: number) => fillValue(k * n + j, SEEDS.b)
  const entries = positions.map(([row, column]) => referenceEntry(row, column, n, aAt, bAt))
  return {
    ...compareSamples(
      entries.map(({ value }) => value * times),
      entries.map(({ scale }) => scale * times),
      got,
      tolerance(n, times),
    ),
    what: 'sampled entries of C against a float64 reference',
  }
}

/** Longest of some round trips of the smallest dispatch: what a host-timed window may hold beside the work. */
async function longestRoundTripMs(context: RunContext): Promise<number> {
  const target = await context.buffer('tick', 16, USAGE.storage)
  const tick = await context.dispatch(kernelCall(tickKernel, {}), [target])
  const { queue } = context
  let longest = 0
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    const encoding = queue.encode('round trip')
    encoding.pass('round trip', [tick])
    const submission = queue.submit('round trip', [encoding])
    await queue.wait(submission)
    longest = Math.max(longest, ((submission.completedNs ?? 0) - submission.submitStartNs) / 1e6)
  }
  await queue.collect()
  return longest
}

export const kernelLadderRunner: Runner = {
  run: async (context, services) => {
    const { params, measure, progress, deviceStepNs } = services
    const steps = Number(params['steps'])
    const wanted = new Set(params['rungs'] as readonly string[])
    // In the ladder's order, whatever the order they were asked for in: the first is what the others are compared with.
    const ids = kernelParam.options.flatMap(({ value }) => (wanted.has(value) ? [value] : []))
    const moves = params['transfers'] === 'each-step'
    const { queue, recorder } = context
    const say = (message: string) => {
      progress({ fraction: 0, message, variant: '', repeat: REPEAT_NONE, region: 'setup' })
    }

    say('sizing the matmul')
    const { kernels, leftOut } = usableKernels(context, ids)
    const ladder = await prepareLadder(context, kernels, Number(params['matrixSize']), services)
    say('sizing the micro-kernels')
    const roofline: Readonly<Record<string, RooflineWork>> = {
      [FMA_PEAK]: await prepareFmaPeak(context, services),
      [STREAM_COPY]: await prepareStreamCopy(context, services),
    }
    const rooflinePasses = deviceStepNs === null ? HOST_TIMED_PASSES : 1
    const roundTripMs = await longestRoundTripMs(context)
    say('making the matrices to upload')
    const moving: MovingSteps | null = moves ? await prepareMovingSteps(context, ladder, steps) : null

    const rungOfVariant = (variant: string): Rung | null =>
      ladder.rungs.find(({ id }) => id === rungOf(variant)) ?? null
    const reset = async () => {
      const encoding = queue.encode('fill A and B, clear C')
      encoding.pass('fill', ladder.fills)
      encoding.clear(ladder.c)
      await queue.wait(queue.submit('fill A and B, clear C', [encoding]))
    }
    /** Steps whose matrices stay on the device: queued, and awaited once at the end. */
    const runResident = async (variant: string, rung: Rung) => {
      const { repeat } = recorder.tag
      const passMs = rung.ms * rung.dispatchesPerPass
      const queueLimit = Math.max(2, Math.floor(MAX_QUEUED_MS / passMs))
      const work = {
        flops: ladder.flops * rung.dispatchesPerPass,
        bytes: ladder.bytes * rung.dispatchesPerPass,
      }
      const dispatches = Array.from({ length: rung.dispatchesPerPass }, () => rung.dispatch)
      const submitted: Submission[] = []
      for (let index = 0; index < steps; index += 1) {
        recorder.tag = { variant, repeat, step: index }
        const encoding = queue.encode(`step ${String(index)}`)
        encoding.pass(`matmul ${rung.id}`, dispatches, work)
        const tooOld = submitted[index - queueLimit]
        if (tooOld && tooOld.completedNs === null) await queue.wait(tooOld)
        submitted.push(queue.submit(`step ${String(index)}`, [encoding]))
      }
      const last = submitted.at(-1)
      if (last) await queue.wait(last)
    }
    const runMoving = async (variant: string, rung: Rung | null) => {
      const { repeat } = recorder.tag
      for (let index = 0; index < steps; index += 1) {
        recorder.tag = { variant, repeat, step: index }
        await moving?.step(index, rung)
      }
    }
    const runRoofline = async (work: RooflineWork) => {
      const encoding = queue.encode(work.name)
      for (let pass = 0; pass < rooflinePasses; pass += 1) work.encode(encoding)
      await queue.wait(queue.submit(work.name, [encoding]))
    }

    const checks: Verification[] = []
    const rungs = ladder.rungs.map(({ id }) => id)
    const variants = [
      FMA_PEAK,
      STREAM_COPY,
      ...rungs,
      ...(moves ? [TRANSFERS_ONLY, ...rungs.map(moved)] : []),
    ]
    const isMoving = (variant: string) => isMoved(variant) || variant === TRANSFERS_ONLY
    await measure(
      context,
      variants,
      Number(params['repeats']),
      async (variant) => {
        const work = roofline[variant]
        const rung = rungOfVariant(variant)
        if (work) await runRoofline(work)
        else if (isMoving(variant)) await runMoving(variant, rung)
        else if (rung) await runResident(variant, rung)
      },
      {
        before: async (variant) => {
          const work = roofline[variant]
          if (work) await work.reset()
          else if (moving && isMoving(variant)) {
            // One step that does not count: after other work the pages of staging and the processor's caches are cold.
            await moving.begin()
            await moving.step(0, rungOfVariant(variant))
            await moving.end()
            await moving.begin()
          } else await reset()
        },
        after: async (variant) => {
          const work = roofline[variant]
          const rung = rungOfVariant(variant)
          if (work) checks.push(await work.verify(rooflinePasses))
          else if (moving && isMoving(variant)) {
            await moving.end()
            checks.push(await moving.verify(steps, rung !== null))
          } else if (rung) checks.push(await verifyResident(context, ladder, steps * rung.dispatchesPerPass))
        },
      },
    )
    return {
      derived: {
        matrixSize: ladder.n,
        flopsPerStep: ladder.flops,
        leastBytesPerStep: ladder.bytes,
        ...(moving ? { movedBytesPerStep: moving.bytesPerStep } : {}),
        ...(leftOut.length > 0 ? { leftOut: leftOut.join(' ') } : {}),
        ...Object.fromEntries(
          ladder.rungs.map(({ id, dispatchesPerPass }) => [`dispatchesPerPass ${id}`, dispatchesPerPass]),
        ),
        rooflinePasses,
        flopsPerPeakPass: roofline[FMA_PEAK]?.flops ?? 0,
        bytesPerCopyPass: roofline[STREAM_COPY]?.bytes ?? 0,
        ...roofline[FMA_PEAK]?.derived,
        ...roofline[STREAM_COPY]?.derived,
        roundTripMs,
      },
      verification: mergeVerifications(checks),
    }
  },
  metrics: measureKernelLadder,
  figures: ladderFigures,
  verdict: judgeKernelLadder,
}
