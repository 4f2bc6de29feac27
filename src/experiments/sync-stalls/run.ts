/**
 * Recipe: size a matmul; run the same steps, reading a result back after every k-th of them (or never). What is read: 4 bytes,
 * the whole matrix, only the shape, or 4 bytes that decide what is submitted next.
 */
import { tickKernel } from '../../kernels/calibrate/tick'
import { kernelCall } from '../../kernels/kernel'
import { USAGE, type Submission } from '../../engine'
import { describeSteps, mergeVerifications, prepareSteps } from '../matmul-workload'
import type { Runner } from '../run-types'
import type { Verification } from '../../trace/report'
import { judge, measureAll } from '../declare'
import { syncStalls } from './meta'
import { readInterval } from './variants'

export const syncStallsRunner: Runner = {
  run: async (context, services) => {
    const { params, measure } = services
    const steps = Number(params['steps'])
    const read = String(params['read'])
    const matmul = await prepareSteps(context, services, steps)
    const { queue, recorder } = context
    const readBytes = read === 'matrix' ? matmul.c.sizeBytes : 4
    const readback = await context.readbackRing(2, readBytes)
    const tickTarget = await context.buffer('tick', 16, USAGE.storage)
    const clip = await context.dispatch(kernelCall(tickKernel, {}), [tickTarget])
    const shape = { rows: matmul.n, columns: matmul.n }
    const checks: Verification[] = []

    let last: Submission | null = null
    /** One step, and what the host then wants to know. Returns true when a data-dependent branch is to be taken. */
    const step = async (index: number, reads: boolean, extraPass: boolean): Promise<boolean> => {
      const encoding = queue.encode(`step ${String(index)}`)
      matmul.encodeStep(encoding)
      if (extraPass) encoding.pass('branch taken', [clip])
      const copied =
        reads && read !== 'shape' ? readback.encodeCopy(encoding, matmul.c, 0, readBytes) : undefined
      const submission = queue.submit(`step ${String(index)}`, [encoding])
      last = submission
      if (!reads) return false
      if (!copied) {
        // print(t.shape): the host has known it since it made the buffer.
        const start = recorder.now()
        const text = `[${String(shape.rows)}, ${String(shape.columns)}]`
        recorder.host('host-work', `read the shape ${text}`, start)
        return false
      }
      const values = new Float32Array(await readback.read(copied, submission, readBytes))
      return read === 'branch' && (values[0] ?? 0) > 0
    }

    await measure(
      context,
      params['every'] as readonly string[],
      Number(params['repeats']),
      async (variant) => {
        const { repeat } = recorder.tag
        const interval = readInterval(variant)
        let branch = false
        for (let index = 0; index < steps; index += 1) {
          recorder.tag = { variant, repeat, step: index }
          branch = await step(index, (index + 1) % interval === 0, branch)
        }
        // Everything submitted has ended when the window closes, whatever was read.
        if (last) await queue.wait(last)
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
        ...describeSteps(matmul),
        bytesPerRead: read === 'shape' ? 0 : readBytes,
      },
      verification: mergeVerifications(checks),
    }
  },
  metrics: (evidence) => measureAll(syncStalls, evidence),
  // Whether the run counts is known to run-experiment.ts alone.
  verdict: (metrics, evidence) =>
    judge(syncStalls, {
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
