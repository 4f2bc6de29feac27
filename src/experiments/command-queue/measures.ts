/** What a card of the machine has of launches, read off a run. Pure. */
import type { LaunchCost, LaunchCosts } from '../../trace/machine-costs'
import { findMetric, type Metric } from '../../trace/report'
import { COMMAND_BUFFERS, ONE_PASS, PASSES, SUBMITS } from './variants'

/** Null where one of the ways was not measured. */
export const launchCostsOf =
  (kernels: number) =>
  (metrics: readonly Metric[]): LaunchCosts | null => {
    const costOf = (variant: string): LaunchCost | null => {
      const host = findMetric(metrics, 'host-us', variant)?.value ?? null
      const step = findMetric(metrics, 'step-ms', variant)?.value ?? null
      return host === null || step === null ? null : { hostUs: host, stepUs: (step * 1e3) / kernels }
    }
    const [onePass, passes, commandBuffers, submits] = [ONE_PASS, PASSES, COMMAND_BUFFERS, SUBMITS].map(
      costOf,
    )
    return onePass && passes && commandBuffers && submits
      ? { onePass, passes, commandBuffers, submits }
      : null
  }
