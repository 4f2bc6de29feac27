/**
 * Sizes a small matmul, and launches it in each way; every C is checked after every window: it
 * holds as many products as were asked for.
 */
import { STORAGE, type Dispatch } from '../../gpu'
import { findMatmul } from '../../gpu/kernels/catalog'
import { checkProductOnDevice, mergeVerifications } from '../../lab/check-product'
import { squareMatmul } from '../../lab/matmul'
import type { Verification } from '../../trace/report'
import type { Prepare } from '../run-types'
import { boundedKernelMs, fitRun } from '../sizing'
import { expectedProduct, sizeSquare } from '../square-matmul'
import { LEAST_ROUND_TRIPS, type commandQueue } from './meta'

/**
 * One thread for each entry and no workgroup memory: a faster kernel is made for large matrices,
 * and takes long for a small one.
 */
const KERNEL = 'naive'
/** Matrices that independent kernels take in turn. */
const CHAINS = 8
const SAMPLES = 32
const LEAST_STEPS = 4
/** A tenth more round trips than a window of one pass needs without timestamps. */
const ROUND_TRIPS = 1.1 * LEAST_ROUND_TRIPS
/** With timestamps a step is to span so many steps of the device's clock. */
const DEVICE_STEPS = 100
const MOST_STEPS = 128
/** About what a submit of one kernel takes: 0.04 ms in Chromium on an H200. */
const SUBMIT_MS = 0.05
const WHAT = 'sampled entries of C against a float64 reference'

export const prepare: Prepare<typeof commandQueue> = async (context, values, services, variants) => {
  const { deviceStepNs, matmulGflops, roundTripMs } = services
  const { kernels } = values
  const isBlind = deviceStepNs === null || values.stamps === 'none'
  const targetMs = boundedKernelMs(values.kernelUs / 1e3, kernels * values.steps)
  const kernel = findMatmul(KERNEL, context.device)
  const square = await sizeSquare(context, [kernel], { targetMs, deviceStepNs, matmulGflops })
  const { n, a, b } = square
  const kernelMs = square.rungs[0]?.ms ?? targetMs

  const chains = values.chain === 'independent' ? CHAINS : 1
  const all = Array.from({ length: chains }, (_, chain) => chain)
  const results = await Promise.all(
    all.map((chain) => context.buffer(`C ${String(chain)}`, n * n * 4, STORAGE)),
  )
  const dispatches: Dispatch[] = []
  for (const c of results) dispatches.push((await squareMatmul(context, kernel, n, [a, b, c])).dispatch)
  const [first] = dispatches
  if (!first) throw new Error('there is at least one chain')

  const leastMs = isBlind ? ROUND_TRIPS * roundTripMs : (DEVICE_STEPS * deviceStepNs) / 1e6
  const wanted = Math.ceil(leastMs / (kernels * kernelMs))
  const asked = { ...values, steps: Math.max(values.steps, Math.min(MOST_STEPS, wanted)) }
  const { steps, repeats } = fitRun(
    asked,
    (count) =>
      count * kernels * (3 * kernelMs + Math.max(kernelMs, SUBMIT_MS)) + variants.length * roundTripMs,
    LEAST_STEPS,
  )
  const bindGroups = dispatches.map(({ bindGroup }) => bindGroup)
  const input = { pipeline: first.pipeline, bindGroups, workgroups: first.workgroups, kernels, steps }
  const before = () => context.queue.clear(...results)
  /** Counts the kernels that add to this C. */
  const timesOf = (chain: number, count: number): number => Math.ceil((count - chain) / chains)
  const verify = async () => {
    const checks: Verification[] = []
    for (const [chain, c] of results.entries()) {
      const how = { samples: SAMPLES, seed: kernels * steps + chain, what: WHAT }
      const expected = expectedProduct(n, timesOf(chain, kernels) * steps)
      checks.push(await checkProductOnDevice(context, c, expected, how))
    }
    return mergeVerifications(checks)
  }

  return {
    derived: {
      matrixSize: n,
      calibratedKernelUs: kernelMs * 1e3,
      kernels,
      steps,
      roundTripMs,
    },
    repeats,
    variants: variants.map((name) => ({ name, input, stamping: values.stamps, before, check: verify })),
  }
}
