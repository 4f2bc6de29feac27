/**
 * A fault at the n-th call of WebGPU that gives a promise, in every experiment and in the probe of
 * the device: the right ending, nothing left behind, and the next run as if nothing had happened. A
 * seeded sample, in short of two experiments; with INJECT=n at every n-th call with each fault,
 * INJECT=1 at all: some minutes an experiment, `INJECT=1 npx vitest run
 * src/site/worker/injected.test.ts -t sync-stalls --testTimeout 0`.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { experiments } from '../../experiments/testing/catalog'
import { fakeRealm } from '../../testing/fake-webgpu'
import { inShort } from '../../testing/long'
import type { Environment, Report } from '../../trace/report'
import {
  FAULTS,
  injections,
  leftOn,
  openInjected,
  smallestValues,
  stubRealm,
  type Asked,
  type Ending,
  type Injected,
  type Injection,
} from './testing/injected'

const modules = import.meta.glob<{ readonly default: unknown }>('../../experiments/*/programs/*.js')
vi.mock('../../experiments/programs', () => ({
  programUrl: (experiment: string, program: string) =>
    `../../experiments/${experiment}/programs/${program}.js`,
  loadProgram: async (url: string) => ({
    url,
    program: (await modules[url]?.())?.default,
  }),
}))
// Not in Node: multiplied in plain code.
vi.mock('../../gpu/kernels/cpu/onnx-matmul', () => ({
  openMultiply: () => Promise.reject(new Error('not in this test')),
}))
// Filled once: 16 MiB take as long as all else of a run. Nobody writes to them.
vi.mock(import('../../lab/operands'), async (original) => {
  const { createOperands } = await original()
  const made = new Map<string, ReturnType<typeof createOperands>>()
  return {
    createOperands: (...asked) => {
      const key = asked.join()
      const operands = made.get(key) ?? createOperands(...asked)
      made.set(key, operands)
      return operands
    },
  }
})
const probe = vi.hoisted(() => ({ environment: null as Environment | null }))
vi.mock(import('../../experiments/environment'), async (original) => {
  const actual = await original()
  return {
    ...actual,
    // Runs are tried with a device that was measured, and the measuring by itself.
    measureEnvironment: (...args: Parameters<typeof actual.measureEnvironment>) =>
      probe.environment ? Promise.resolve(probe.environment) : actual.measureEnvironment(...args),
  }
})

beforeEach(() => {
  stubRealm()
  probe.environment = null
})

/** What the next run is compared by. */
function comesTo(ending: Ending): unknown {
  if (ending.status !== 'done') return [ending.status, 'fault' in ending ? ending.fault : null]
  const { verification } = ending.report
  return [ending.status, verification.failed, verification.checked]
}

/** `hit`: where the fault was put in. */
function expectRightEnding(
  fault: Injection['fault'],
  hit: NonNullable<ReturnType<Injected['hit']>>,
  ending: Ending,
): void {
  const { call, openScopes } = hit
  const code = 'fault' in ending ? ending.fault.code : ending.status
  if (!hit.hasDevice && fault !== 'cancel' && fault !== 'hang') {
    expect(['done', 'measured']).toContain(code)
    return
  }
  switch (fault) {
    case 'cancel':
      expect(code).toBe('cancelled')
      return
    case 'loss':
      expect(code).toBe('device-lost')
      return
    case 'hang':
      // Not all that is asked is waited for: the recorder asks when a submission is complete, and
      // whether its own commands were valid.
      expect(['timeout', 'done', 'measured']).toContain(code)
      return
    case 'out-of-memory':
    case 'validation':
      // An error in scopes of the recorder's own, inside the run's three, costs it timestamps, and
      // not the run.
      if (call === 'popErrorScope' || openScopes > 3) expect([fault, 'done', 'measured']).toContain(code)
      else expect(code).toBe(fault)
  }
}

/** Once for all experiments: each fake device is the same. */
let measured: Promise<Environment> | null = null
async function measure(): Promise<Environment> {
  const ending = await openInjected(null).ask({ type: 'measure' })
  if (ending.status !== 'measured') throw new Error(`Measuring ended as '${ending.status}'.`)
  return ending.environment
}

async function tryAll(asked: Asked, faults: readonly Injection['fault'][], seed: number): Promise<void> {
  if (asked.type === 'run') probe.environment = await (measured ??= measure())
  // A software adapter's probe is smaller.
  const options = { isSoftware: asked.type === 'measure' }
  const undisturbed = openInjected(null, options)
  const wanted = comesTo(await undisturbed.ask(asked))
  expect(wanted).toEqual(asked.type === 'run' ? ['done', 0, expect.any(Number)] : ['measured', null])
  expect(leftOn(undisturbed.devices)).toEqual([])
  const tried = injections(undisturbed.calls.length, faults, seed)
  let hits = 0
  for (const injection of tried) {
    const engine = openInjected(injection, options)
    const ending = await engine.ask(asked)
    const hit = engine.hit()
    const where = JSON.stringify({ injection, hit, ending: comesTo(ending) })
    if (hit) {
      hits += 1
      expect(() => expectRightEnding(injection.fault, hit, ending), where).not.toThrow()
    } else expect(comesTo(ending), where).toEqual(wanted)
    expect(leftOn(engine.devices), where).toEqual([])
    expect(comesTo(await engine.ask(asked)), where).toEqual(wanted)
    expect(leftOn(engine.devices), where).toEqual([])
  }
  // Times differ a little from run to run, and with them the number of calls; not by much.
  expect(hits).toBeGreaterThan(tried.length / 2)
}

describe('the probe of the device', () =>
  it('ends rightly', async () => {
    await tryAll(
      { type: 'measure' },
      FAULTS.filter((fault) => fault !== 'cancel'),
      1,
    )
  }))

const cases = experiments.map((declaration, index) => ({ declaration, id: declaration.id, seed: index + 2 }))
/**
 * One whose program has the device to itself, and one whose ranks would have devices in workers.
 */
const IN_SHORT = ['async-submission', 'ranks']
describe.each(inShort(cases, ({ id }) => IN_SHORT.includes(id)))('$id', ({ declaration, id, seed }) =>
  it('ends rightly', async () =>
    await tryAll({ type: 'run', experiment: id, params: smallestValues(declaration) }, FAULTS, seed)),
)

/** These run on ranks, which need workers. */
const ON_RANKS = ['collectives', 'pipeline-bubble', 'ranks']
/** What the lab itself runs to size and fill. */
const PREPARES = /^(calibration|fill|ramp|clock probe|tick|spin)$/
it.each(experiments.filter(({ id }) => !ON_RANKS.includes(id)).map((each) => [each.id, each] as const))(
  '%s is invalid where every second dispatch of a program is left out',
  async (_, declaration) => {
    const { prototype } = fakeRealm.GPUComputePassEncoder
    // oxlint-disable-next-line typescript/unbound-method -- called with its this
    const { dispatchWorkgroups } = prototype
    let dispatched = 0
    vi.spyOn(prototype, 'dispatchWorkgroups').mockImplementation(function (
      this: GPUComputePassEncoder,
      ...counts
    ) {
      if (!PREPARES.test(this.label)) dispatched += 1
      if (dispatched % 2 === 0) dispatchWorkgroups.apply(this, counts)
    })
    await expectInvalid(declaration)
  },
)

async function reportOf(declaration: (typeof experiments)[number]): Promise<Report> {
  probe.environment = await (measured ??= measure())
  const params = smallestValues(declaration)
  const ending = await openInjected(null).ask({ type: 'run', experiment: declaration.id, params })
  if (ending.status !== 'done') throw new Error(`It ended as '${ending.status}'.`)
  return ending.report
}
async function expectInvalid(declaration: (typeof experiments)[number]): Promise<void> {
  const { verdict, verification } = await reportOf(declaration)
  expect(verdict).toMatchObject({ outcome: 'invalid', reason: 'run-invalid' })
  expect(verification.failed).toBeGreaterThan(0)
}
const named = (id: string) => {
  const found = experiments.find((each) => each.id === id)
  if (!found) throw new Error(`There is no ${id}.`)
  return found
}

it('a run is invalid where nothing comes out of its staging buffers', async () => {
  const { prototype } = fakeRealm.GPUCommandEncoder
  const copy = Reflect.get(prototype, 'copyBufferToBuffer')
  vi.spyOn(prototype, 'copyBufferToBuffer').mockImplementation(function (
    this: GPUCommandEncoder,
    source: GPUBuffer,
    ...args: readonly unknown[]
  ) {
    if ((source.usage & GPUBufferUsage.MAP_WRITE) === 0) Reflect.apply(copy, this, [source, ...args])
  })
  await expectInvalid(named('staging-buffers'))
})

it.each([
  ['async-submission', 'of nothing', (stamps: BigUint64Array) => stamps.fill(0n)],
  ['kernel-ladder', 'that never change', (stamps: BigUint64Array) => stamps.fill(7n)],
  ['tensor-residence', 'whose passes end before they begin', (stamps: BigUint64Array) => stamps.reverse()],
])('%s claims nothing of the device’s clock with stamps %s', async (id, _, lie) => {
  const stamped = new WeakSet<object>()
  const { GPUBuffer: buffers, GPUCommandEncoder: encoders } = fakeRealm
  const resolve = Reflect.get(encoders.prototype, 'resolveQuerySet')
  const copy = Reflect.get(encoders.prototype, 'copyBufferToBuffer')
  const range = Reflect.get(buffers.prototype, 'getMappedRange')
  vi.spyOn(encoders.prototype, 'resolveQuerySet').mockImplementation(function (
    this: GPUCommandEncoder,
    ...args
  ) {
    stamped.add(args[3])
    Reflect.apply(resolve, this, args)
  })
  vi.spyOn(encoders.prototype, 'copyBufferToBuffer').mockImplementation(function (
    this: GPUCommandEncoder,
    ...args: readonly unknown[]
  ) {
    const [from, to] = args.filter((each) => typeof each === 'object' && each !== null)
    if (from && to && stamped.has(from)) stamped.add(to)
    Reflect.apply(copy, this, args)
  })
  vi.spyOn(buffers.prototype, 'getMappedRange').mockImplementation(function (this: GPUBuffer, ...args) {
    const mapped = Reflect.apply(range, this, args)
    if (stamped.has(this)) lie(new BigUint64Array(mapped))
    return mapped
  })
  const { clock, metrics, verdict } = await reportOf(named(id))
  expect(clock.state).not.toBe('fitted')
  for (const { name, variant, origin, value } of metrics)
    if (origin === 'device-clock') expect(value, `${name} ${variant}`).toBeNull()
  expect(verdict.text).not.toMatch(/device was busy|NaN|Infinity/)
})
