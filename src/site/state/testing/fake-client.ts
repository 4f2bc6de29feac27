/**
 * A LabClient without a worker, for tests: each run is held open, and the test says what happens in
 * it.
 */
import { FaultError, type Fault } from '../../../base/fault'
import type { ParamValues } from '../../../experiments/experiment'
import { REPORT_SCHEMA, type Environment, type Metric, type Report } from '../../../trace/report'
import type { RunInfo } from '../../../trace/schema'
import type { LabClient } from '../../worker/client'
import type { RunListener, RunOptions, RunResult } from '../../worker/protocol'
import { testInfo } from '../../../trace/testing/arbitrary-trace'

interface HeldRun {
  readonly experiment: string
  readonly params: ParamValues
  readonly options: RunOptions
  readonly listener: RunListener
  readonly end: (ending: RunResult) => void
}

export interface FakeClient extends LabClient {
  readonly runs: HeldRun[]
  /** What was asked of the device, in order. */
  readonly asked: ('describe' | 'measure')[]
  /** The next answers. */
  answer: Environment | Fault
  lose: (fault: Fault) => void
  readonly hidden: boolean[]
  cancels: number
}

export const fakeEnvironment = (change: Partial<Environment> = {}): Environment => ({
  adapter: { vendor: 'test', architecture: 'paper', device: '', description: '', isFallbackAdapter: false },
  adapterName: 'Paper GPU',
  isSoftware: false,
  features: ['timestamp-query'],
  limits: { maxBufferSize: 2 ** 28 },
  userAgent: 'test',
  crossOriginIsolated: true,
  hardwareConcurrency: 2,
  hostClockStepUs: 5,
  deviceClockStepNs: 32,
  emptySubmitLatencyMs: null,
  completionLatencyMs: null,
  matmulGflops: null,
  ...change,
})

export const fakeInfo = (change: Partial<RunInfo> = {}): RunInfo => ({
  ...testInfo,
  params: {},
  derived: {},
  ...change,
})

export const fakeReport = (metrics: readonly Metric[] = [], change: Partial<Report> = {}): Report => ({
  schema: REPORT_SCHEMA,
  experiment: 'sync-stalls',
  params: {},
  derived: {},
  environment: fakeEnvironment({ completionLatencyMs: 3 }),
  metrics,
  verdict: { outcome: 'shown', text: 'It was seen.', reason: 'stall-dominates' },
  verification: { checked: 64, failed: 0, maxRelativeError: 1e-7, tolerance: 1e-5, what: 'entries' },
  clock: { offsetBoundUs: 40, driftPpm: [-1, 1], rejected: 0, snapshots: 12, state: 'fitted' },
  validity: { valid: true, reasons: [] },
  warmUps: 1,
  startedAt: '2026-11-21T00:00:00.000Z',
  durationMs: 1234,
  ...change,
})

const answered = (answer: Environment | Fault): Promise<Environment> =>
  'code' in answer ? Promise.reject(new FaultError(answer)) : Promise.resolve(answer)

export function createFakeClient(): FakeClient {
  const runs: HeldRun[] = []
  const asked: FakeClient['asked'] = []
  const hidden: boolean[] = []
  const listeners: ((fault: Fault) => void)[] = []
  let open: HeldRun | null = null
  const client: FakeClient = {
    runs,
    asked,
    hidden,
    answer: fakeEnvironment(),
    cancels: 0,
    lose: (fault) => {
      for (const listener of listeners) listener(fault)
    },
    describe: async () => {
      asked.push('describe')
      return await answered(client.answer)
    },
    measure: async () => {
      asked.push('measure')
      return await answered(client.answer)
    },
    run: (experiment, params, options, listener) => {
      if (open)
        return Promise.reject(new FaultError({ code: 'worker', message: 'Another run is still under way.' }))
      return new Promise<RunResult>((resolve) => {
        const held: HeldRun = {
          experiment,
          params,
          options,
          listener,
          end: (ending) => {
            open = null
            resolve(ending)
          },
        }
        open = held
        runs.push(held)
      })
    },
    cancel: () => {
      client.cancels += 1
      open?.end({ status: 'cancelled' })
    },
    setHidden: (value) => hidden.push(value),
    destroyDevice: () => client.lose({ code: 'device-lost', message: 'destroyed' }),
    onDeviceLost: (listener) => {
      listeners.push(listener)
    },
  }
  return client
}
