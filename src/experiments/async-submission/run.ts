/**
 * Recipe: size a matmul to the target time; submit all steps and wait once ('queued'), or wait after each ('await-each');
 * check C after every repeat.
 */
import { describeSteps, mergeVerifications, prepareSteps } from '../matmul-workload'
import type { Runner } from '../run-types'
import type { Verification } from '../../trace/report'
import { judge, measureAll } from '../declare'
import { asyncSubmission } from './meta'

export const asyncSubmissionRunner: Runner = {
  run: async (context, services) => {
    const { params, measure } = services
    const steps = Number(params['steps'])
    const matmul = await prepareSteps(context, services, steps)
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
      derived: describeSteps(matmul),
      verification: mergeVerifications(checks),
    }
  },
  metrics: (evidence) => measureAll(asyncSubmission, evidence),
  // Whether the run counts is known to run-experiment.ts alone.
  verdict: (metrics, evidence) =>
    judge(asyncSubmission, {
      metrics,
      ...evidence,
      environment: {
        isSoftware: evidence.isSoftware,
        deviceClockStepNs: evidence.deviceStepNs,
        hostClockStepUs: evidence.hostStepNs / 1e3,
        completionLatencyMs: evidence.completionLatencyMs,
      },
      validity: { valid: true, reasons: [] },
      verification: { checked: 1, failed: 0 },
    }),
}
