/**
 * The whole engine behind its door on the fake WebGPU, with a fault put in at the n-th call that
 * gives a promise. Time is the test's own: the clock goes on by a little each time that it is read,
 * so that a run takes as long as its arithmetic, and the same calls on every machine.
 */
import { vi } from 'vitest'
import { h200 } from '../../../model/machines/h200'
import { parseParams, type ParamValues } from '../../../experiments/experiment'
import type { Declaration } from '../../../experiments/declare/experiment'
import { stubWebGpu } from '../../../experiments/testing/tiny'
import { FakeGpu, type AwaitedCall, type FakeDevice, type FakeOptions } from '../../../testing/fake-webgpu'
import { seeded } from '../../../testing/seeded'
import { createRequestHandler } from '../handle-requests'
import type { Fault } from '../../../base/fault'
import type { Environment } from '../../../trace/report'
import type { Request, RunResult, WorkerEvent } from '../protocol'

/** One reading of the clock to the next, ms. */
const READING_MS = 0.005

let nowMs = 0

/** This realm gets WebGPU and the test's own clock, until the test ends. */
export function stubRealm(): void {
  stubWebGpu()
  nowMs = 1000
  vi.stubGlobal('performance', { timeOrigin: 0, now: () => (nowMs += READING_MS) })
}

/**
 * What a device of this realm works, the test's clock goes on by: it is read no thousand times
 * meanwhile.
 */
export const followTestClock = (device: FakeDevice): void =>
  device.followHost(Infinity, (aheadNs) => (nowMs += aheadNs / 1e6))

export const FAULTS = ['loss', 'cancel', 'out-of-memory', 'validation', 'hang'] as const
export type InjectedFault = (typeof FAULTS)[number]

export interface Injection {
  readonly fault: InjectedFault
  /** At the n-th call that gives a promise, from 0, since the engine was opened. */
  readonly at: number
}

const SLOW_MATMULS = h200.device.matmuls.map((cost) => ({ ...cost, stepNs: 100, resident: 1, gflops: 0.1 }))
/** Slow, so that sizes are small when their passes and copies are long enough. */
export const SMALL_DEVICE: FakeOptions = {
  passNs: 20_000,
  gapNs: 2000,
  byteNs: 16,
  kernels: { spinNs: 100, peakGflops: 0.1, matmuls: SLOW_MATMULS },
  limits: { maxBufferSize: 2 ** 27, maxStorageBufferBindingSize: 2 ** 24 },
  soon: (report) => setImmediate(report),
}

/** Short enough for a test to wait for, where a wait is cut short because something hangs. */
export const HANGING = { silenceMs: 60, scopesMs: 60, lastCallMs: 10 }

export interface Injected {
  /** All devices so far. */
  readonly devices: readonly FakeDevice[]
  /** The calls that gave a promise, in their order. */
  readonly calls: readonly AwaitedCall[]
  readonly events: readonly WorkerEvent[]
  /** What it came to: 'done', 'failed', 'cancelled', or 'measured' and 'unavailable'. */
  readonly ask: (request: Asked) => Promise<Ending>
  /** The call at which the fault was put in; null: there were fewer. */
  readonly hit: () => {
    readonly call: AwaitedCall
    readonly openScopes: number
    readonly hasDevice: boolean
  } | null
}
export type Asked =
  | { readonly type: 'measure' }
  | { readonly type: 'run'; readonly experiment: string; readonly params: ParamValues }
export type Ending =
  | RunResult
  | { readonly status: 'measured'; readonly environment: Environment }
  | { readonly status: 'unavailable'; readonly fault: Fault }

/**
 * A GPU with the fault put in, and what it has seen.
 *
 * @param cancel how a run is cancelled
 */
export function injectedGpu(
  injection: Injection | null,
  cancel: () => void = () => undefined,
  options: FakeOptions = {},
) {
  const devices: FakeDevice[] = []
  const calls: AwaitedCall[] = []
  let hit: ReturnType<Injected['hit']> = null
  const gpu = new FakeGpu({
    ...SMALL_DEVICE,
    ...options,
    onDevice: (device) => {
      followTestClock(device)
      devices.push(device)
    },
    onAwait: (call, device) => {
      calls.push(call)
      if (injection?.at !== calls.length - 1) return undefined
      hit = { call, openScopes: device?.scopes.length ?? 0, hasDevice: device !== null }
      const { fault } = injection
      if (fault === 'hang') return 'hang'
      if (fault === 'loss') device?.lose()
      else if (fault === 'cancel') cancel()
      else device?.raise(fault, 'injected')
      return undefined
    },
  })
  return { gpu, devices, calls, hit: () => hit }
}

export function openInjected(injection: Injection | null, { isSoftware = false } = {}): Injected {
  const events: WorkerEvent[] = []
  let runId = 0
  let ended: (ending: Ending) => void = () => undefined
  const cancel = () => {
    handle({ type: 'cancel', runId })
  }
  const { gpu, ...seen } = injectedGpu(injection, cancel, { isSoftware })
  const handle: (request: Request) => void = createRequestHandler({
    send: (event) => {
      events.push(event)
      if (event.type === 'ended') ended(event.ending)
      if (event.type === 'measured') ended({ status: 'measured', environment: event.environment })
      if (event.type === 'unavailable') ended({ status: 'unavailable', fault: event.fault })
    },
    gpu: () => gpu as unknown as GPU,
    ...(injection?.fault === 'hang' ? { limits: HANGING, openLimitMs: HANGING.silenceMs } : {}),
  })
  return {
    ...seen,
    events,
    ask: (asked) =>
      new Promise((resolve) => {
        ended = resolve
        runId += 1
        if (asked.type === 'measure') handle(asked)
        else handle({ ...asked, runId, options: { live: true } })
      }),
  }
}

/**
 * What is left on devices that were not themselves destroyed: labels of buffers and query sets,
 * open error scopes, errors that none caught.
 */
export const leftOn = (devices: readonly FakeDevice[]): readonly string[] =>
  devices
    .filter((device) => !device.isDestroyed)
    .flatMap(({ buffers, querySets, scopes, uncaptured }) => [
      ...[...buffers, ...querySets].filter(({ isDestroyed }) => !isDestroyed).map(({ label }) => label),
      ...scopes.map(() => 'an open error scope'),
      ...uncaptured,
    ])

/**
 * The smallest values that an experiment takes, from its short run: of each list one, of each
 * number the least. What the trials of a tuner need, right products, the fake device does not give:
 * the kernel is a fixed one.
 */
export function smallestValues(declaration: Declaration): ParamValues {
  let values: ParamValues = declaration.short
  const attempt = (over: ParamValues) => {
    const tried = parseParams(declaration, { ...values, ...over })
    if (tried.ok) values = tried.value
  }
  for (const param of declaration.params) {
    const { name } = param
    if (name === 'kernel') attempt({ kernel: 'naive' })
    else if (param.type === 'list') attempt({ [name]: param.options.slice(0, 1).map(({ value }) => value) })
    else if (param.type === 'number' && name !== 'seconds') attempt({ [name]: param.min })
  }
  attempt({})
  return values
}

/**
 * Of the tests that use this: n where every n-th call is to be tried, with each fault; 0: a seeded
 * sample.
 */
const every = Number(process.env['INJECT'] ?? 0)

/**
 * What to put in where an undisturbed run makes so many calls: each fault once, at calls drawn by
 * the seed, or all that INJECT asks for.
 */
export function injections(
  calls: number,
  faults: readonly InjectedFault[],
  seed: number,
): readonly Injection[] {
  if (every > 0)
    return Array.from({ length: Math.ceil(calls / every) }, (_, index) => index * every).flatMap((at) =>
      faults.map((fault) => ({ fault, at })),
    )
  const random = seeded(seed)
  return faults.map((fault) => ({ fault, at: Math.floor(random() * calls) }))
}
