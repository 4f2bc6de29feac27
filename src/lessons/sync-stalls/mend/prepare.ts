/** A training loop of 64 steps; each reports another word of C as its loss. */
import { encodePass, readWords, STORAGE, USAGE } from '../../../gpu'
import { LOSS_NOT_A_NUMBER, lossKernel } from '../../../gpu/kernels/data/loss'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { hostWork } from '../../../lab/lab'
import { createReadback } from '../../../lab/staging'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seededSquare, seedFor, sizeFor } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { STEPS, type Training } from './checks'

/**
 * A step lasts a good third of what a completion takes: then eight steps in flight cover it twice,
 * and one does not cover it at all.
 */
const STEP_SHARE = 0.35
/** In shorter steps launches count; 64 longer ones take too long. */
const STEP_MS = { least: 1.5, most: 40 }
/** The host works for so much of a step. */
const HOST_SHARE = 0.5

export const prepare: PrepareExercise<Training> = async (context, services) => {
  const { plan, seed, roundTripMs } = services
  const { session } = context
  const { queue } = context.device.gpu
  const stepMs = Math.min(STEP_MS.most, Math.max(STEP_MS.least, STEP_SHARE * roundTripMs))
  const n = Number(plan?.['n'] ?? (await sizeFor(context, services, stepMs)))
  const square = await seededSquare(context, n, seed, 'training step')
  const planned = await context.buffer('plan', 4 * STEPS, USAGE.storage | USAGE.copyDst)
  const counter = await context.buffer('steps run', 4, STORAGE)
  const loss = await context.buffer('loss', 4, USAGE.storage | USAGE.copySrc)
  const report = await context.dispatch(kernelCall(lossKernel, { steps: STEPS }), [
    square.c,
    planned,
    counter,
    loss,
  ])
  const readback = await createReadback(context, 4)
  const encodes = noteEncodes(session)
  let hostRuns = 0
  const work = hostWork(session, HOST_SHARE * stepMs)
  const input = {
    train: encodes.lend({
      encode: (encoder) => {
        const pass = encodePass(encoder, 'training step', [square.dispatch, report])
        session.work(pass, { flops: square.flops, bytes: square.bytes })
      },
    }),
    loss: loss.gpu,
    readback,
    hostWork: () => {
      hostRuns += 1
      work()
    },
    steps: STEPS,
  }

  const run = (name: 'clean' | 'nan', nanStep: number): Omit<WorkloadRun<Training>, 'repeat'> => ({
    name,
    input,
    before: async () => {
      await square.clear()
      const words = Array.from({ length: STEPS }, (_, step) =>
        step === nanStep ? LOSS_NOT_A_NUMBER : seedFor(step, seed) % (n * n),
      )
      queue.writeBuffer(planned.gpu, 0, new Uint32Array(words))
      queue.writeBuffer(counter.gpu, 0, new Uint32Array(1))
      await queue.onSubmittedWorkDone()
      encodes.clear()
      hostRuns = 0
    },
    find: async () => ({
      ...encodes.found(),
      stepsRun: (await readWords(context, counter, [0]))[0] ?? 0,
      hostRuns,
      nanStep,
    }),
  })
  // Neither among the first, where little is in flight, nor so late that stopping saves nothing.
  const nanStep = 16 + (seedFor(STEPS, seed) % 32)
  return {
    plan: { n, stepMs },
    given: [square.dispatch, report],
    runs: [...runsOf(run('clean', -1)), { ...run('nan', nanStep), repeat: 0 }],
  }
}
