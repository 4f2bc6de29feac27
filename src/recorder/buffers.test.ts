/**
 * Lanes of mappable buffers: the states that today's rings, a learner's program and a library bring
 * about.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { macrotask, MAP, record, stopRecording, submitPass, USAGE } from './testing/record'
import { spansOf } from './testing/spans'
import type { Trace } from '../trace/schema'

afterEach(stopRecording)

const UP = USAGE.mapWrite | USAGE.copySrc
const DOWN = USAGE.mapRead | USAGE.copyDst
const states = (trace: Trace, lane = 'staging 0') =>
  spansOf(trace, { lane }).map(({ kind }) => kind.replace('staging-', ''))

/** A copy of the whole of one buffer into another, submitted. */
function submitCopy(device: GPUDevice, from: GPUBuffer, to: GPUBuffer): void {
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(from, to)
  device.queue.submit([encoder.finish()])
}

describe('a staging buffer', () => {
  it('goes from free to in flight, and back when its submission is reported complete', async () => {
    const { session, device } = record()
    const staging = device.createBuffer({ label: 'staging 0', size: 16, usage: UP })
    const target = device.createBuffer({ size: 16, usage: USAGE.copyDst })
    await staging.mapAsync(MAP.write)
    new Uint8Array(staging.getMappedRange()).fill(1)
    staging.unmap()
    submitCopy(device, staging, target)
    await device.queue.onSubmittedWorkDone()
    await session.collect()
    session.stop()
    const trace = session.freeze()
    expect(states(trace)).toEqual(['free', 'mapping', 'mapped', 'filled', 'in-flight', 'free'])
    expect(spansOf(trace, { kind: 'staging-in-flight' })).toMatchObject([{ submission: 0, bytes: 16 }])
    const [fill] = spansOf(trace, { role: 'fill' })
    expect(fill).toMatchObject({ kind: 'host-work', name: 'fill staging 0', bytes: 16 })
    const [filled] = spansOf(trace, { kind: 'staging-filled' })
    expect([filled?.start, filled?.end]).toEqual([fill?.start, fill?.end])
  })

  it('asked for back at once stays in flight until mapAsync() resolves', async () => {
    const { session, device, fake } = record({ autoComplete: false })
    const staging = device.createBuffer({ size: 16, usage: UP, mappedAtCreation: true })
    const target = device.createBuffer({ size: 16, usage: USAGE.copyDst })
    staging.getMappedRange()
    staging.unmap()
    submitCopy(device, staging, target)
    const mapped = staging.mapAsync(MAP.write)
    fake.complete()
    await mapped
    session.stop()
    expect(states(session.freeze())).toEqual(['mapped', 'filled', 'in-flight', 'mapped'])
  })

  it('mapped in part counts the bytes of the ranges, and fills once', async () => {
    const { session, device } = record()
    const staging = device.createBuffer({ size: 64, usage: UP })
    await staging.mapAsync(MAP.write, 16, 32)
    staging.getMappedRange(16, 8)
    staging.getMappedRange(24, 16)
    staging.unmap()
    expect(spansOf(session.freeze(), { role: 'fill' })).toMatchObject([{ bytes: 24 }])
  })

  it('unmapped before it was mapped is free again', async () => {
    const { session, device } = record({ autoComplete: false })
    const staging = device.createBuffer({ size: 16, usage: UP })
    const mapped = staging.mapAsync(MAP.write)
    staging.unmap()
    await expect(mapped).rejects.toThrow('unmap() came first')
    session.stop()
    expect(states(session.freeze())).toEqual(['free', 'mapping', 'free'])
  })

  it('destroyed while mapped ends its fill and gives its lane to the next', async () => {
    const { session, device } = record()
    const first = device.createBuffer({ label: 'first', size: 16, usage: UP, mappedAtCreation: true })
    first.getMappedRange()
    first.destroy()
    const second = device.createBuffer({ label: 'second', size: 16, usage: UP })
    const beside = device.createBuffer({ label: 'beside', size: 16, usage: UP })
    await Promise.all([second.mapAsync(MAP.write), beside.mapAsync(MAP.write)])
    session.stop()
    const trace = session.freeze()
    expect(spansOf(trace, { role: 'fill' })).toMatchObject([{ name: 'fill first' }])
    expect(trace.lanes.map(({ name }) => name)).toEqual(['host (worker)', 'queue', 'staging 0', 'staging 1'])
    expect(states(trace)).toEqual(['mapped', 'filled', 'free', 'mapping', 'mapped'])
  })

  it('takes time to be made: of those that the host can map, and no others', () => {
    const { session, device } = record()
    device.createBuffer({ label: 'first', size: 16, usage: USAGE.copySrc, mappedAtCreation: true })
    device.createBuffer({ size: 32, usage: UP })
    device.createBuffer({ label: 'target', size: 16, usage: USAGE.copyDst })
    session.stop()
    const trace = session.freeze()
    expect(spansOf(trace, { role: 'create' })).toMatchObject([
      { name: 'create first', kind: 'host-work' },
      { name: 'create staging', kind: 'host-work' },
    ])
    expect([...trace.spans.bytes].filter((bytes) => bytes > 0)).toEqual([16, 32])
  })

  it('only mapped at its creation is on the device when the next submission is complete, and leaves its lane', async () => {
    const { session, device } = record()
    const usage = USAGE.copyDst
    const weights = device.createBuffer({ label: 'weights', size: 16, usage, mappedAtCreation: true })
    weights.getMappedRange()
    weights.unmap()
    submitPass(device, 'a')
    await session.collect()
    device.createBuffer({ size: 16, usage, mappedAtCreation: true })
    session.stop()
    const trace = session.freeze()
    expect(states(trace)).toEqual(['mapped', 'filled', 'in-flight', 'mapped'])
    expect(trace.lanes.filter(({ kind }) => kind === 'staging')).toHaveLength(1)
  })

  it('made before the session is known from its first mapAsync() on', async () => {
    const before = record()
    const staging = before.device.createBuffer({ label: 'old', size: 16, usage: UP })
    stopRecording()
    const { session } = record()
    await staging.mapAsync(MAP.write)
    session.stop()
    expect(states(session.freeze())).toEqual(['free', 'mapping', 'mapped'])
  })
})

describe('a readback buffer', () => {
  it('is in flight from the submission that copies into it until it is mapped', async () => {
    const { session, device } = record()
    const source = device.createBuffer({ size: 16, usage: USAGE.copySrc })
    const readback = device.createBuffer({ label: 'loss', size: 16, usage: DOWN })
    submitCopy(device, source, readback)
    await readback.mapAsync(MAP.read)
    readback.getMappedRange(0, 4)
    readback.unmap()
    session.stop()
    const trace = session.freeze()
    expect(states(trace, 'readback 0')).toEqual(['free', 'in-flight', 'mapped', 'free'])
    expect(spansOf(trace, { kind: 'staging-in-flight' })).toMatchObject([{ submission: 0, bytes: 16 }])
  })

  it('that nobody maps is free when its submission is complete', async () => {
    const { session, device } = record()
    const source = device.createBuffer({ size: 16, usage: USAGE.copySrc })
    const readback = device.createBuffer({ size: 16, usage: DOWN })
    submitCopy(device, source, readback)
    await macrotask()
    session.stop()
    expect(states(session.freeze(), 'readback 0')).toEqual(['free', 'in-flight', 'free'])
  })
})

describe('lanes', () => {
  it('are at most 64; the buffers beyond are counted', () => {
    const { session, device } = record()
    for (let index = 0; index < 70; index += 1)
      device.createBuffer({ size: 16, usage: index % 2 === 0 ? UP : DOWN })
    const trace = session.freeze()
    expect(trace.lanes.filter(({ kind }) => kind === 'staging')).toHaveLength(64)
    expect(trace.rejected).toEqual({ 'no lane for a mappable buffer': 6 })
  })

  it('hold what happened while recording was on, and nothing of the time between', async () => {
    const { session, device } = record()
    const staging = device.createBuffer({ size: 16, usage: UP })
    session.recording = false
    await staging.mapAsync(MAP.write)
    const resumed = session.now()
    session.recording = true
    staging.getMappedRange()
    staging.unmap()
    session.stop()
    const spans = spansOf(session.freeze(), { lane: 'staging 0' })
    expect(spans.map(({ kind }) => kind)).toEqual(['staging-free', 'staging-mapped', 'staging-filled', 'staging-in-flight']) // oxfmt-ignore
    expect(spans[1]?.start).toBeGreaterThanOrEqual(resumed)
  })
})

describe('writes', () => {
  it('of the queue are host work of their own, with their bytes', () => {
    const { session, device } = record()
    const buffer = device.createBuffer({ label: 'a', size: 64, usage: USAGE.copyDst })
    device.queue.writeBuffer(buffer, 0, new Float32Array(8))
    device.queue.writeBuffer(buffer, 0, new Float32Array(8), 2)
    device.queue.writeBuffer(buffer, 0, new Uint8Array(8).buffer, 0, 4)
    const spans = spansOf(session.freeze(), { role: 'write' })
    expect(spans.map(({ kind, name, bytes }) => [kind, name, bytes])).toEqual([
      ['host-work', 'write a', 32],
      ['host-work', 'write a', 24],
      ['host-work', 'write a', 4],
    ])
  })
})
