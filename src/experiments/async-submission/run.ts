/**
 * Recipe: size a matmul to the target time; submit all steps and wait once ('queued'), or wait after each ('await-each');
 * check C after every repeat.
 */
import { assertBounded, mergeVerifications, prepareMatmul } from '../matmul-workload'
import type { Runner } from '../run-types'
import { boundedKernelMs } from '../sizing'
import type { Verification } from '../../trace/report'
import { measureAsyncSubmission, judgeAsyncSubmission } from './metrics'

export const asyncSubmissionRunner: Runner = {
  run: async (context, { params, isSoftware, deviceStepNs, measure, progress }) => {
    const steps = Number(params['steps'])
    const targetMs = boundedKernelMs(Number(params['kernelMs']), steps)
    progress({ fraction: 0, message: 'sizing the matmul', variant: '', repeat: -1, region: 'setup' })
    const matmul = await prepareMatmul(context, {
      kernelId: String(params['kernel']),
      targetMs,
      deviceStepNs,
      isSoftware,
      fixedSize: Number(params['matrixSize']),
    })
    assertBounded(matmul, steps)
    const { queue, recorder } = context
    const checks: Verification[] = []

    const step = (variant: string, repeat: number, index: number) => {
      recorder.tag = { variant, repeat, step: index }
      const encoding = queue.encode(`step ${String(index)}`)
      matmul.encodeStep(encoding)
      return queue.submit(`step ${String(index)}`, [encoding])
    }

    await measure(
      context,
      ['queued', 'await-each'],
      Number(params['repeats']),
      async (variant) => {
        const { repeat } = recorder.tag
        for (let index = 0; index < steps; index += 1) {
          const submission = step(variant, repeat, index)
          const isLast = index === steps - 1
          if (variant === 'await-each' || isLast) await queue.wait(submission)
        }
      },
      {
        before: () => matmul.reset(),
        after: async () => {
          checks.push(await matmul.verify(steps))
        },
      },
    )
    return {
      derived: {
        matrixSize: matmul.n,
        targetKernelMs: targetMs,
        calibratedKernelMs: matmul.kernelMs,
        flopsPerStep: matmul.flops,
      },
      verification: mergeVerifications(checks),
    }
  },
  metrics: measureAsyncSubmission,
  verdict: judgeAsyncSubmission,
}
