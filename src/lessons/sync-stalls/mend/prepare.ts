/** A training loop of 64 steps whose losses nobody can foretell: operands and the entries that are reported come from a fresh seed. */
import { encodeDispatch, readWords, USAGE } from '../../../gpu'
import { LOSS_NOT_A_NUMBER, lossKernel } from '../../../gpu/kernels/data/loss'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { hostWork } from '../../../lab/host-work'
import { createReadback } from '../../../lab/staging'
import { seededSquare, seedFor, sizeFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import type { PrepareExercise, WorkloadRun } from '../../../exercises/workload'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import { type input, nanStepOf, positionsOf, STEPS, type Training } from './checks'

/** A step lasts a good third of what a completion takes: then eight steps in flight cover it twice, and one does not cover it at all. */
const STEP_SHARE = 0.35
/** Below it launches count; above it 64 steps take too long. */
const STEP_MS = { least: 1.5, most: 40 }
/** The host works for so much of a step. */
const HOST_SHARE = 0.5
const CLEAN_RUNS = 3

export const prepare: PrepareExercise<Training> = async (context, services) => {
  const { plan, seed, roundTripMs } = services
  const stepMs = Math.min(STEP_MS.most, Math.max(STEP_MS.least, STEP_SHARE * roundTripMs))
  const n = (plan?.['n'] as number | undefined) ?? (await sizeFor(context, services, stepMs))
  const square = await seededSquare(context, n, 'training step')
  const planned = await context.buffer('plan', 4 * STEPS, USAGE.storage | USAGE.copyDst)
  const counter = await context.buffer('steps run', 4, USAGE.storage | USAGE.copySrc | USAGE.copyDst)
  const loss = await context.buffer('loss', 4, USAGE.storage | USAGE.copySrc)
  const report = await context.dispatch(kernelCall(lossKernel, { steps: STEPS }), [
    square.c,
    planned,
    counter,
    loss,
  ])
  const readback = await createReadback(context, 4)
  const { queue } = context.device.gpu
  const { session } = context

  let encodedNs: number[] = []
  let hostRuns = 0
  const work = hostWork(session, HOST_SHARE * stepMs)
  const train = {
    encode: (encoder: GPUCommandEncoder) => {
      encodedNs.push(session.now())
      const pass = encoder.beginComputePass({ label: 'training step' })
      for (const dispatch of [square.dispatch, report]) encodeDispatch(pass, dispatch)
      pass.end()
      session.work(pass, { flops: square.flops, bytes: square.bytes })
    },
  }

  const runOf = (name: 'clean' | 'nan', repeat: number, at: number): WorkloadRun<Training> => {
    const [seedA, seedB, seedPlan] = [
      seedFor(3 * at, seed),
      seedFor(3 * at + 1, seed),
      seedFor(3 * at + 2, seed),
    ]
    const nanStep = name === 'nan' ? nanStepOf(seedPlan) : -1
    return {
      name,
      repeat,
      facts: { n, seedA, seedB, seedPlan, nanStep },
      input: {
        train,
        loss: loss.gpu,
        readback,
        hostWork: () => {
          hostRuns += 1
          work()
        },
        steps: STEPS,
      } satisfies Given<typeof input>,
      before: async () => {
        await square.reset(seedA, seedB)
        const words = positionsOf(n, seedPlan)
        if (nanStep >= 0) words[nanStep] = LOSS_NOT_A_NUMBER
        queue.writeBuffer(planned.gpu, 0, new Uint32Array(words))
        queue.writeBuffer(counter.gpu, 0, new Uint32Array(1))
        await queue.onSubmittedWorkDone()
        encodedNs = []
        hostRuns = 0
      },
      find: async () => ({
        stepsRun: (await readWords(context, counter, [0]))[0] ?? 0,
        hostRuns,
        encodedNs,
      }),
    }
  }
  return {
    plan: { n, stepMs },
    given: [square.dispatch, report],
    runs: [
      runOf('clean', REPEAT_WARM_UP, 0),
      ...Array.from({ length: CLEAN_RUNS }, (_, repeat) => runOf('clean', repeat, repeat + 1)),
      runOf('nan', 0, CLEAN_RUNS + 1),
    ],
  }
}
