/**
 * A run of the lab on a modelled machine: the lab's own programs, what sizes and checks them, and the recorder, all unchanged. What comes
 * of it is a trace and its metrics. It is no report: nothing was measured, so nothing is shown, and it is not kept as a run.
 */
import { FaultError } from '../base/fault'
import { openDevice } from '../engine'
import { measureDeclared } from '../experiments/run-experiment'
import type { LoadedRun } from '../experiments/runners'
import type { Metric, Verification } from '../trace/report'
import type { RunInfo, Trace } from '../trace/schema'
import type { Derived } from '../experiments/run-types'
import type { Card } from './card'
import { ModelError } from './clock'
import { Machine } from './machine'
import { processorOf } from './processor'
import { NO_THREADS, realmOf } from './realm'
import { startRankOn } from './world'

/** Types of their own: no compiler lets these be taken for what was measured. */
type ModelledMetric = Omit<Metric, 'origin'> & { readonly origin: 'modelled' }
export type ModelledTrace = Omit<Trace, 'info'> & {
  readonly info: Omit<RunInfo, 'origin'> & { readonly origin: 'modelled' }
}

export interface ModelledRun {
  readonly origin: 'modelled'
  readonly experiment: string
  readonly card: string
  readonly params: LoadedRun['values']
  readonly derived: Derived
  readonly metrics: readonly ModelledMetric[]
  /** Null: too much to work out in a model; its results are not known. */
  readonly verification: Verification | null
  readonly trace: ModelledTrace
}

const NO_RANKS = 'This card has no figures of ranks, and workers beside the host are not in the model.'

const nothing = (): void => undefined

/** What a run may rightly meet on the machine that the card describes, as a sentence; null: it is a bug. */
export const whyNotModelled = (thrown: unknown): string | null =>
  thrown instanceof FaultError || thrown instanceof ModelError
    ? `The model cannot run it. ${thrown.message}`
    : null

/** @throws FaultError as a run does, ModelError where the program does not end, or none can begin. */
export async function runModel(
  card: Card,
  { declaration, prepare, programs, values, loadRank }: LoadedRun,
): Promise<ModelledRun> {
  const machine = new Machine(card)
  const { realm, gpu, run } = realmOf(machine)
  const prepareRank = await loadRank()
  const { info, context, evidence, metrics, verification } = await run(async () =>
    measureDeclared({
      declaration,
      prepare,
      programs,
      values,
      realm,
      device: await openDevice(gpu),
      environment: card.environment,
      hooks: {
        record: true,
        live: false,
        opened: nothing,
        started: nothing,
        progress: nothing,
        chunk: nothing,
        processor: processorOf(machine),
        startRank: startRankOn(machine, { realm, gpu, programs: programs.values(), prepareRank }),
      },
    }),
  )
  if (evidence.windows.length === 0)
    throw new ModelError(`None of its programs can begin. ${card.ranks ? NO_THREADS : NO_RANKS}`)
  return {
    origin: 'modelled',
    experiment: info.experiment,
    card: card.name,
    params: values,
    derived: evidence.derived,
    metrics: metrics.map((metric) => ({ ...metric, origin: 'modelled' })),
    verification: machine.effort.leftOut > 0 ? null : verification,
    trace: { ...context.session.freeze(), info: { ...info, origin: 'modelled' } },
  }
}
