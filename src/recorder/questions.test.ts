/** When the recorder asks whether submissions are complete, on a clock that the test sets. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeRealm } from '../testing/fake-webgpu'
import { MAP, record, stopRecording, submitPass, USAGE } from './testing/record'
import { spansOf } from './testing/spans'

/** Four of them end within 0.2 ms, so that one question is asked for all (Pace in records.ts). */
const SHORT_MS = 0.2 / 4
let nowMs = 0
const realm = { ...fakeRealm, performance: { timeOrigin: 0, now: () => nowMs } }
const spy = () => vi.spyOn(fakeRealm.GPUQueue.prototype, 'onSubmittedWorkDone')
let asked: ReturnType<typeof spy>

beforeEach(() => {
  nowMs = 0
  asked = spy() // before a session takes the method for the browser's own
})
afterEach(() => {
  stopRecording()
  asked.mockRestore()
})

/** Resolves once all reactions to what was just reported have run. */
const reactions = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function start() {
  const recording = record({ autoComplete: false, timestamps: false }, { realm })
  const { device, fake, session } = recording
  const burst = (count: number): void => {
    for (let index = 0; index < count; index += 1) submitPass(device, `step ${String(index)}`)
  }
  const complete = async (afterMs: number): Promise<void> => {
    nowMs += afterMs
    fake.complete()
    await reactions()
  }
  const depths = (): readonly number[] => [...(session.freeze().counters[0]?.value ?? [])]
  return { ...recording, burst, complete, depths }
}

describe('a burst of submissions', () => {
  it('is asked about one by one until its pace is known, and then together where they are short', async () => {
    const { burst, complete, session, depths } = start()
    burst(8)
    expect(asked).toHaveBeenCalledTimes(8)
    await complete(8 * SHORT_MS)
    asked.mockClear()
    burst(9)
    // The first finds the queue idle; then one in five, which takes as long as a report may be
    // late.
    expect(asked).toHaveBeenCalledTimes(2)
    await complete(9 * SHORT_MS)
    // What no later question serves for is asked about when an answer has come.
    expect(asked).toHaveBeenCalledTimes(3)
    expect(spansOf(session.freeze(), { kind: 'queued' })).toHaveLength(8 + 6)
    await complete(0)
    expect(spansOf(session.freeze(), { kind: 'queued' })).toHaveLength(8 + 9)
    expect(Math.max(...depths())).toBe(9)
    expect(depths().at(-1)).toBe(0)
  })

  it('of long kernels is asked about one by one', async () => {
    const { burst, complete } = start()
    burst(8)
    await complete(8 * SHORT_MS * 5)
    burst(8)
    expect(asked).toHaveBeenCalledTimes(16)
  })

  it('that makes a long queue is asked about ever less, as the answers are late by a share of the wait', async () => {
    const { burst, complete, session } = start()
    burst(400)
    // Each up to 15, then 1 in 2, 1 in 3, …: n / 16 of a queue of n go unasked at most.
    expect(asked.mock.calls.length).toBeLessThan(16 + 16 * Math.log(400 / 16) + 16)
    await complete(400)
    await complete(0)
    expect(spansOf(session.freeze(), { kind: 'queued' })).toHaveLength(400)
  })

  it('of another variant is asked about one by one', async () => {
    const { burst, complete, session } = start()
    session.tag = { variant: 'short', repeat: 0, step: 0 }
    burst(8)
    await complete(8 * SHORT_MS)
    asked.mockClear()
    session.tag = { variant: 'long', repeat: 0, step: 0 }
    burst(8)
    expect(asked).toHaveBeenCalledTimes(8)
  })
})

describe('a submission that is not asked about', () => {
  const primed = async () => {
    const started = start()
    started.burst(8)
    await started.complete(8 * SHORT_MS)
    asked.mockClear()
    started.burst(2)
    expect(asked).toHaveBeenCalledTimes(1)
    return started
  }

  it('is complete when the program’s own question is answered', async () => {
    const { device, complete, session } = await primed()
    const done = device.queue.onSubmittedWorkDone()
    await complete(SHORT_MS)
    await done
    expect(asked).toHaveBeenCalledTimes(2)
    expect(spansOf(session.freeze(), { kind: 'queued' })).toHaveLength(10)
  })

  it('is complete when a buffer is mapped that it uses', async () => {
    const { device, complete, session, burst } = await primed()
    await complete(SHORT_MS)
    await complete(SHORT_MS)
    const source = device.createBuffer({ size: 16, usage: USAGE.copySrc })
    const readback = device.createBuffer({ size: 16, usage: USAGE.mapRead | USAGE.copyDst })
    burst(1)
    asked.mockClear()
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(source, readback, 4)
    device.queue.submit([encoder.finish()])
    expect(asked).not.toHaveBeenCalled()
    const mapped = readback.mapAsync(MAP.read)
    await complete(SHORT_MS)
    await mapped
    expect(asked).not.toHaveBeenCalled()
    expect(spansOf(session.freeze(), { kind: 'queued' })).toHaveLength(12)
  })

  it('is asked about where the map that would have answered is given up', async () => {
    const { device, complete, session, burst } = await primed()
    await complete(SHORT_MS)
    await complete(SHORT_MS)
    const source = device.createBuffer({ size: 16, usage: USAGE.copySrc })
    const readback = device.createBuffer({ size: 16, usage: USAGE.mapRead | USAGE.copyDst })
    burst(1)
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(source, readback, 4)
    device.queue.submit([encoder.finish()])
    const mapped = readback.mapAsync(MAP.read).catch(() => undefined)
    asked.mockClear()
    readback.unmap()
    await mapped
    expect(asked).toHaveBeenCalledTimes(1)
    await complete(SHORT_MS)
    expect(spansOf(session.freeze(), { kind: 'queued' })).toHaveLength(12)
  })

  it('is asked about by a collect, at once', async () => {
    const { session, complete } = await primed()
    const collected = session.collect()
    expect(asked).toHaveBeenCalledTimes(2)
    await complete(SHORT_MS)
    await collected
    expect(session.freeze().rejected).toEqual({})
  })
})
