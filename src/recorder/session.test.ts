import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeAdapter, fakeRealm, type FakeDevice } from '../testing/fake-webgpu'
import { placeTrace } from '../trace/place'
import { testInfo } from '../trace/testing/arbitrary-trace'
import { startRecording } from './session'
import { asDevice, macrotask, MAP, record, stopRecording, submitPass, USAGE } from './testing/record'
import { spansOf } from './testing/spans'
import { forAllAwaited } from '../testing/for-all'

afterEach(stopRecording)

const PATCHED = [
  fakeRealm.GPUAdapter,
  fakeRealm.GPUDevice,
  fakeRealm.GPUQueue,
  fakeRealm.GPUBuffer,
  fakeRealm.GPUQuerySet,
  fakeRealm.GPUCommandEncoder,
  fakeRealm.GPUComputePassEncoder,
  fakeRealm.GPURenderPassEncoder,
].map(({ prototype }) => prototype)
const descriptors = () => PATCHED.map((prototype) => Object.getOwnPropertyDescriptors(prototype))

describe('a session', () => {
  it('patches, and puts every descriptor back exactly as it was', () => {
    const before = descriptors()
    const { session } = record()
    expect(descriptors()).not.toEqual(before)
    const names = Object.keys(Object.getOwnPropertyDescriptors(fakeRealm.GPUQueue.prototype))
    // What another script put there meanwhile goes too, and is named.
    Object.assign(fakeRealm.GPUQueue.prototype, { submit: () => undefined })
    session.stop()
    expect(session.replaced).toEqual(['submit'])
    const after = descriptors()
    expect(after).toEqual(before)
    for (const [index, each] of after.entries())
      for (const [name, { value }] of Object.entries(each)) expect(value).toBe(before[index]?.[name]?.value)
    expect(Object.keys(after[2] ?? {})).toEqual(names)
  })

  it('gives its wrappers the names and lengths of the originals', () => {
    const { copyBufferToBuffer } = fakeRealm.GPUCommandEncoder.prototype // oxlint-disable-line typescript/unbound-method -- never called
    const { name, length } = copyBufferToBuffer
    record()
    const { copyBufferToBuffer: wrapped } = fakeRealm.GPUCommandEncoder.prototype // oxlint-disable-line typescript/unbound-method -- never called
    expect(wrapped).not.toBe(copyBufferToBuffer)
    expect([wrapped.name, wrapped.length]).toEqual([name, length])
    expect('prototype' in wrapped).toBe(false)
    expect(() => Reflect.construct(wrapped, []) as unknown).toThrow(/not a constructor/)
  })

  it('is alone in its realm, until it stops', () => {
    const { session } = record()
    expect(() => startRecording({ info: testInfo, hostStepUs: 5, realm: fakeRealm })).toThrow(
      /recorded already/,
    )
    // Another copy of the recorder knows by this.
    const mark = Symbol.for('host-device-lab.recorded')
    expect(mark in fakeRealm.GPUQueue.prototype).toBe(true)
    session.stop()
    expect(mark in fakeRealm.GPUQueue.prototype).toBe(false)
    startRecording({ info: testInfo, hostStepUs: 5, realm: fakeRealm }).stop()
  })

  it('needs WebGPU', () =>
    expect(() => startRecording({ info: testInfo, hostStepUs: 5 })).toThrow(/no WebGPU/))

  it('records nothing while recording is off, nor through functions kept beyond its end', async () => {
    const { session, device, fake } = record()
    session.recording = false
    submitPass(device, 'quiet')
    await device.queue.onSubmittedWorkDone()
    session.recording = true
    submitPass(device, 'recorded')
    const { submit } = fakeRealm.GPUQueue.prototype // oxlint-disable-line typescript/unbound-method -- called with its queue below
    await session.collect()
    session.stop()
    submit.call(device.queue, [])
    const spans = spansOf(session.freeze())
    expect(spans.filter(({ kind }) => kind === 'submit').map(({ name }) => name)).toEqual(['submit recorded'])
    expect(spans.filter(({ kind }) => kind === 'compute')).toHaveLength(1)
    expect(fake.log.at(-1)).toBe('submit ')
  })
})

describe('a submission', () => {
  it('is encode, submit, queued, a wait and the device’s pass, tied by flows', async () => {
    const { session, device } = record()
    session.tag = { variant: 'never', repeat: 0, step: 3 }
    submitPass(device, 'step 3')
    await device.queue.onSubmittedWorkDone()
    session.tag = { repeat: -1, step: -1 }
    await session.collect()
    const trace = session.freeze()
    const spans = spansOf(trace)
    expect(spans.map(({ lane, kind, role, name }) => [lane, kind, role, name])).toEqual([
      ['host (worker)', 'encode', 'encode', 'encode step 3'],
      ['host (worker)', 'submit', 'submit', 'submit step 3'],
      ['queue', 'queued', 'none', 'step 3'],
      ['host (worker)', 'host-wait', 'wait-done', 'await onSubmittedWorkDone()'],
      ['device', 'compute', 'pass', 'matmul'],
    ])
    expect(new Set(trace.spans.submission)).toEqual(new Set([0]))
    expect(new Set(trace.spans.step)).toEqual(new Set([3]))
    const pass = spans.at(-1)
    expect((pass?.end ?? 0) - (pass?.start ?? 0)).toBe(100_000)
    expect([...trace.flows.from].map((from, index) => [from, trace.flows.to[index]])).toEqual([
      [1, 4],
      [4, 3],
    ])
    expect(trace.snapshots).toHaveLength(1)
    expect(trace.rejected).toEqual({})
  })

  it('is stamped as the session says when it is encoded: each pass, the two ends, or not at all', async () => {
    const { session, device } = record()
    for (const stamping of ['passes', 'outer', 'none', 'passes'] as const) {
      session.stamps.stamp = stamping
      const encoder = device.createCommandEncoder({ label: stamping })
      for (const label of ['a', 'b']) encoder.beginComputePass({ label }).end()
      device.queue.submit([encoder.finish()])
    }
    await device.queue.onSubmittedWorkDone()
    await session.collect()
    const passes = spansOf(session.freeze()).filter(({ kind }) => kind === 'compute')
    expect(passes.map(({ name }) => name)).toEqual(['a', 'b', 'passes', 'a', 'b'])
  })

  it('keeps its tag, though another is in force when it completes', async () => {
    const { session, device, fake } = record({ autoComplete: false })
    session.tag = { variant: 'ring', repeat: 1, step: 0 }
    submitPass(device, 'a')
    session.tag = { variant: 'ring', repeat: 1, step: 5 }
    const done = device.queue.onSubmittedWorkDone()
    setTimeout(() => fake.complete(), 0)
    await done
    session.tag = { variant: 'other', repeat: 2, step: 0 }
    const collected = session.collect()
    setTimeout(() => fake.complete(), 2)
    await collected
    const steps = spansOf(session.freeze()).map(({ kind, step }) => [kind, step])
    expect(steps).toEqual([
      ['encode', 0],
      ['submit', 0],
      ['queued', 0],
      ['host-wait', 5],
      ['compute', 0],
    ])
  })

  it('counts depth up at submit and down when completion is reported', async () => {
    const { session, device, fake } = record({ autoComplete: false })
    for (const label of ['a', 'b', 'c']) submitPass(device, label)
    fake.complete()
    await macrotask()
    expect([...(session.freeze().counters[0]?.value ?? [])]).toEqual([1, 2, 3, 2, 1, 0])
  })

  it('is known to be done once that is reported', async () => {
    const { session, device, fake } = record({ autoComplete: false })
    expect(session.wasDone(device, 0)).toBe(true)
    submitPass(device, 'a')
    expect(session.wasDone(device, session.now())).toBe(false)
    fake.complete()
    await macrotask()
    expect(session.wasDone(device, session.now())).toBe(true)
  })

  it('may take its command buffers from any iterable, once', () => {
    const { session, device, fake } = record()
    const encoder = device.createCommandEncoder({ label: 'a' })
    encoder.beginComputePass().end()
    const commands = [encoder.finish()]
    device.queue.submit(commands.values())
    expect(fake.log).toEqual(['submit a', 'pass'])
    expect(spansOf(session.freeze(), { kind: 'submit' })).toHaveLength(1)
  })

  it('of several command buffers is one submit, and each encode names it', () => {
    const { session, device } = record()
    const buffers = ['a', 'b'].map((label) => device.createCommandEncoder({ label }).finish())
    device.queue.submit(buffers)
    const spans = spansOf(session.freeze(), { submission: 0 })
    expect(spans.map(({ name }) => name)).toEqual(['encode a', 'encode b', 'submit a and 1 more'])
  })

  it('that throws is none', () => {
    const { session, device } = record()
    const commands = device.createCommandEncoder({ label: 'a' }).finish()
    device.queue.submit([commands])
    expect(() => device.queue.submit([{} as GPUCommandBuffer])).toThrow(TypeError)
    expect(spansOf(session.freeze(), { kind: 'submit' })).toHaveLength(1)
  })

  it('made of what was encoded before a collect still has its passes', async () => {
    const { session, device } = record()
    const encoder = device.createCommandEncoder({ label: 'early' })
    encoder.beginComputePass({ label: 'matmul' }).end()
    const commands = encoder.finish()
    submitPass(device, 'first')
    await session.collect()
    expect(spansOf(session.freeze(), { name: 'encode early' })).toMatchObject([{ submission: -1 }])
    submitPass(device, 'second')
    device.queue.submit([commands])
    await session.collect()
    const passes = spansOf(session.freeze(), { kind: 'compute' })
    expect(passes.map(({ submission }) => submission)).toEqual([0, 1, 2])
    expect(passes.every(({ start, end }) => end - start === 100_000)).toBe(true)
  })
})

describe('waits', () => {
  it('begin with the await: a map that is only pending is a state of its buffer', async () => {
    const { session, device, fake } = record({ autoComplete: false })
    const buffer = device.createBuffer({
      label: 'staging 0',
      size: 16,
      usage: USAGE.mapWrite | USAGE.copySrc,
    })
    const mapped = buffer.mapAsync(MAP.write)
    await macrotask()
    const before = session.now()
    setTimeout(() => fake.complete(), 2)
    await mapped
    const after = session.now()
    const [wait, ...more] = spansOf(session.freeze(), { kind: 'host-wait' })
    expect(more).toEqual([])
    expect(wait).toMatchObject({ role: 'wait-staging', name: 'await mapAsync(staging 0)' })
    expect(wait?.start).toBeGreaterThanOrEqual(before)
    expect(wait?.end).toBeLessThanOrEqual(after)
    const mapping = spansOf(session.freeze(), { kind: 'staging-mapping' })[0]
    expect(mapping?.start).toBeLessThan(before)
  })

  it('for a readback name the submission that copies into the buffer', async () => {
    const { session, device } = record()
    const source = device.createBuffer({ size: 16, usage: USAGE.copySrc })
    const readback = device.createBuffer({ label: 'loss', size: 16, usage: USAGE.mapRead | USAGE.copyDst })
    const encoder = device.createCommandEncoder({ label: 'step 0' })
    encoder.beginComputePass({ label: 'matmul' }).end()
    encoder.copyBufferToBuffer(source, readback, 4)
    device.queue.submit([encoder.finish()])
    submitPass(device, 'step 1')
    await readback.mapAsync(MAP.read)
    readback.getMappedRange(0, 4)
    readback.unmap()
    await session.collect()
    const trace = session.freeze()
    const [wait] = spansOf(trace, { kind: 'host-wait' })
    expect(wait).toMatchObject({ submission: 0, role: 'wait-map' })
    expect(spansOf(trace, { role: 'read' })).toMatchObject([
      { kind: 'host-work', name: 'read loss', bytes: 4 },
    ])
    const [pass] = spansOf(trace, { kind: 'compute' })
    const sync = [...trace.flows.kind.keys()].filter((flow) => trace.flows.to[flow] === wait?.index)
    expect(sync.map((flow) => trace.flows.from[flow])).toEqual([pass?.index])
  })

  it('end also where the device is lost', async () => {
    const { session, device, fake } = record({ autoComplete: false })
    submitPass(device, 'a')
    setTimeout(() => fake.lose(), 0)
    await expect(device.queue.onSubmittedWorkDone()).rejects.toThrow('lost')
    await session.collect()
    expect(spansOf(session.freeze(), { kind: 'host-wait' })).toHaveLength(1)
    expect(session.freeze().rejected).toMatchObject({ 'submission not reported complete': 1 })
  })
})

describe('a device', () => {
  it('is asked for timestamps where the adapter has them; the program’s descriptor is left as it is', async () => {
    const adapter = new FakeAdapter()
    const before = new FakeAdapter({ timestamps: false })
    const { session } = record()
    const requiredFeatures: GPUFeatureName[] = ['subgroups']
    const descriptor: GPUDeviceDescriptor = Object.freeze({ label: 'mine', requiredFeatures })
    const device = await (adapter as unknown as GPUAdapter).requestDevice(descriptor)
    expect(descriptor.requiredFeatures).toEqual(['subgroups'])
    expect(adapter.descriptors[0]?.label).toBe('mine')
    expect(adapter.descriptors[0]?.requiredFeatures).toEqual(['subgroups', 'timestamp-query'])
    submitPass(device, 'a')
    await session.collect()
    expect(spansOf(session.freeze(), { kind: 'compute' })).toHaveLength(1)
    // The device shows what its program asked for, in every way.
    const { features } = device
    const each: string[] = []
    features.forEach((name) => each.push(name))
    expect([[...features], [...features.keys()], [...features.values()], each]).toEqual(
      Array.from({ length: 4 }, () => ['subgroups']),
    )
    expect([...features.entries()]).toEqual([['subgroups', 'subgroups']])
    expect([features.size, features.has('subgroups'), features.has('timestamp-query')]).toEqual([
      1,
      true,
      false,
    ])
    expect(() => device.createQuerySet({ type: 'timestamp', count: 2 })).toThrow(
      /requires the 'timestamp-query' feature/,
    )
    await (before as unknown as GPUAdapter).requestDevice()
    expect(before.descriptors).toEqual([undefined])
  })

  it('keeps the timestamps that its program asked for itself, in a list that is read once', async () => {
    const adapter = new FakeAdapter()
    record()
    // Any iterable will do for WebGPU.
    const requiredFeatures = new Set(['timestamp-query']).values() as unknown as GPUFeatureName[]
    const device = await (adapter as unknown as GPUAdapter).requestDevice({ requiredFeatures })
    expect([...device.features]).toEqual(['timestamp-query'])
    device.createQuerySet({ type: 'timestamp', count: 2 }).destroy()
  })

  it('without timestamps still gives all that the host sees', async () => {
    const { session, device } = record({ timestamps: false })
    submitPass(device, 'a')
    await device.queue.onSubmittedWorkDone()
    await session.collect()
    const trace = session.freeze()
    expect(spansOf(trace).map(({ kind }) => kind)).toEqual(['encode', 'submit', 'queued', 'host-wait'])
    expect(trace.rejected).toEqual({})
  })

  it('beside another has lanes, a depth and a clock of its own', async () => {
    const { session, device } = record()
    const other = asDevice(new (device.constructor as new () => FakeDevice)())
    submitPass(device, 'a')
    submitPass(other, 'b')
    await session.collect()
    const trace = session.freeze()
    expect(trace.lanes.map(({ name }) => name)).toEqual([
      'host (worker)',
      'queue',
      'queue 2',
      'device',
      'device 2',
    ])
    expect(trace.counters.map(({ name }) => name)).toEqual(['queue depth', 'queue depth 2'])
    expect(trace.clocks.map(({ kind }) => kind)).toEqual(['host', 'device', 'device'])
    expect(spansOf(trace, { lane: 'device 2' }).map(({ submission }) => submission)).toEqual([1])
    expect(trace.snapshots.map(({ clock }) => clock)).toEqual([1, 2])
    expect(placeTrace(trace).fits.filter(Boolean)).toHaveLength(2)
  })

  it('made before the session, whose queue alone is used, is counted', () => {
    const { session, device } = record()
    const other = asDevice(new (device.constructor as new () => FakeDevice)())
    other.queue.submit([])
    expect(session.freeze().rejected).toEqual({ 'submission to a queue whose device was not seen': 1 })
  })
})

describe('a program', () => {
  it('that is interrupted throws at its next call; what cleans up does not', async () => {
    const { session, device } = record()
    const buffer = device.createBuffer({ size: 4, usage: USAGE.mapWrite | USAGE.copySrc })
    submitPass(device, 'a')
    session.interrupt(new Error('cancelled'))
    session.interrupt(new Error('later'))
    expect(() => device.createCommandEncoder()).toThrow('cancelled')
    expect(() => device.queue.submit([])).toThrow('cancelled')
    expect(() => buffer.mapAsync(MAP.write)).toThrow('cancelled')
    buffer.destroy()
    await session.collect()
    expect(spansOf(session.freeze(), { kind: 'compute' })).toHaveLength(1)
  })

  it('may replace the clock, as fake timers do', async () => {
    const { session, device } = record()
    const { now } = performance // oxlint-disable-line typescript/unbound-method -- put back below
    performance.now = () => 1e12
    try {
      submitPass(device, 'a')
    } finally {
      performance.now = now
    }
    await session.collect()
    expect(Math.max(...spansOf(session.freeze()).map(({ end }) => end))).toBeLessThan(1e12)
  })

  it('of any shape is recorded whole: every submit, pass and wait, in order and within bounds', async () => {
    const action = fc.constantFrom(
      'submit',
      'two',
      'await',
      'pending',
      'upload',
      'readback',
      'write',
      'abandon',
    )
    await forAllAwaited(60)(fc.array(action, { maxLength: 12 }), async (actions) => {
      // Passes of 1 µs: one of them may be reported complete a moment after its submit.
      const { session, device, fake } = record({ passNs: 1000, gapNs: 100 })
      try {
        const expected = await runActions(
          device,
          actions,
          (step) => (session.tag = { variant: 'random', repeat: 0, step }),
        )
        await session.collect()
        const start = 0
        session.stop()
        const end = session.now()
        const trace = session.freeze()
        const count = (kind: string) => spansOf(trace, { kind }).length
        expect([count('submit'), count('queued'), count('compute'), count('host-wait')]).toEqual([
          expected.submits,
          expected.submits,
          expected.passes,
          expected.waits,
        ])
        expect(count('encode')).toBe(expected.submits)
        for (const span of spansOf(trace))
          if (span.lane !== 'device') {
            expect(span.start).toBeGreaterThanOrEqual(start)
            expect(span.end).toBeLessThanOrEqual(end)
          }
        for (const counter of trace.counters) expect(counter.value.at(-1) ?? 0).toBe(0)
        statesFollow(trace)
        // Only the recorder's own submission resolves, after everything of the program.
        expect(fake.log.filter((line) => line === 'resolve')).toHaveLength(expected.passes > 0 ? 1 : 0)
        expect(fake.uncaptured).toEqual([])
      } finally {
        session.stop()
      }
    })
  })
})

/** On every lane of a buffer one state follows the other without a hole. */
function statesFollow(trace: Parameters<typeof spansOf>[0]): void {
  for (const { name } of trace.lanes.filter(({ kind }) => kind === 'staging')) {
    const states = spansOf(trace, { lane: name })
    for (const [index, state] of states.entries()) {
      const next = states[index + 1]
      if (next) expect(next.start).toBe(state.end)
    }
  }
}

async function runActions(device: GPUDevice, actions: readonly string[], enter: (step: number) => void) {
  const counts = { submits: 0, passes: 0, waits: 0 }
  const source = device.createBuffer({ size: 64, usage: USAGE.copySrc | USAGE.copyDst })
  const staging = device.createBuffer({ label: 'up', size: 64, usage: USAGE.mapWrite | USAGE.copySrc })
  const readback = device.createBuffer({ label: 'down', size: 64, usage: USAGE.mapRead | USAGE.copyDst })
  for (const [step, action] of actions.entries()) {
    enter(step)
    const encoder = device.createCommandEncoder({ label: `step ${String(step)}` })
    const submit = (): void => {
      device.queue.submit([encoder.finish()])
      counts.submits += 1
    }
    const pass = (): void => {
      encoder.beginComputePass().end()
      counts.passes += 1
    }
    switch (action) {
      case 'two':
        pass()
        pass()
        submit()
        break
      case 'submit':
        pass()
        submit()
        break
      case 'await':
        submit()
        await device.queue.onSubmittedWorkDone()
        counts.waits += 1
        break
      case 'pending':
        submit()
        device.queue.onSubmittedWorkDone().catch(() => undefined)
        break
      case 'upload':
        await staging.mapAsync(MAP.write)
        counts.waits += 1
        new Uint8Array(staging.getMappedRange()).fill(step)
        staging.unmap()
        encoder.copyBufferToBuffer(staging, 0, source, 0, 64)
        submit()
        break
      case 'readback':
        encoder.copyBufferToBuffer(source, 0, readback, 0, 64)
        submit()
        await readback.mapAsync(MAP.read)
        counts.waits += 1
        readback.getMappedRange()
        readback.unmap()
        break
      case 'write':
        device.queue.writeBuffer(source, 0, new Uint8Array(8))
        break
      default: // 'abandon': an encoder that is never finished
    }
  }
  return counts
}
