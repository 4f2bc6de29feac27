import { describe, expect, it } from 'vitest'
import type { RunInfo } from '../trace/schema'
import { USAGE } from './buffers'
import { RunContext } from './run-context'
import { fakeLabDevice } from './testing/fake-device'

const info: RunInfo = {
  experiment: 'test',
  params: {},
  derived: {},
  adapter: null,
  userAgent: 'test',
  crossOriginIsolated: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  origin: 'live',
}

async function setup(depth: number) {
  const { device, fake } = fakeLabDevice()
  const context = await RunContext.open(device, { record: true, hostStepUs: 5, deviceStepNs: 1, info })
  const ring = await context.stagingRing(depth, 16)
  const target = await context.buffer('target', 64, USAGE.copyDst)
  const upload = async (index: number) => {
    const slot = await ring.acquire()
    ring.fill(slot, 16, (range) => {
      new Uint32Array(range).fill(index)
    })
    const encoding = context.queue.encode(`batch ${String(index)}`)
    encoding.copy(slot.buffer, 0, target, (index % 4) * 16, 16)
    const submission = context.queue.submit(`batch ${String(index)}`, [encoding])
    return { slot, submission }
  }
  /** Names of one staging lane's spans in order of their start. */
  const states = (slotIndex: number) => {
    const trace = context.recorder.freeze()
    const lane = trace.lanes.find((candidate) => candidate.name === `staging ${String(slotIndex)}`)?.id
    return [...trace.spans.lane.keys()]
      .filter((span) => trace.spans.lane[span] === lane)
      .map((span) => trace.strings[trace.spans.name[span] ?? 0])
  }
  return { context, fake, ring, target, upload, states }
}

describe('StagingRing', () => {
  it('passes through free, mapping, mapped, filled, in flight, and round again', async () => {
    const { ring, upload, states } = await setup(1)
    await ring.begin(1)
    for (let index = 0; index < 2; index += 1) {
      const { slot, submission } = await upload(index)
      ring.release(slot, submission)
    }
    await ring.end()
    expect(states(0)).toEqual([
      'free',
      'mapping',
      'mapped',
      'filled',
      'in flight',
      'mapped',
      'filled',
      'in flight',
      'mapped',
    ])
  })

  it('parks a buffer that nobody asked back: it is free until it is mapped again', async () => {
    const { ring, context, upload, states } = await setup(1)
    await ring.begin(1)
    for (let index = 0; index < 2; index += 1) {
      const { slot, submission } = await upload(index)
      await context.queue.wait(submission)
      ring.park(slot, submission)
    }
    expect(states(0)).toEqual([
      'free',
      'mapping',
      'mapped',
      'filled',
      'in flight',
      'free',
      'mapping',
      'mapped',
      'filled',
      'in flight',
    ])
  })

  it('delivers each batch, and uses the buffers in turn', async () => {
    const { ring, context, fake, target, upload } = await setup(3)
    await ring.begin(3)
    const used: number[] = []
    for (let index = 0; index < 4; index += 1) {
      const { slot, submission } = await upload(index)
      used.push(slot.index)
      ring.release(slot, submission)
    }
    await ring.end()
    await context.queue.collect()
    expect(used).toEqual([0, 1, 2, 0])
    const stored = fake.buffers.find((buffer) => buffer.label === target.label)
    const words = new Uint32Array(stored?.data ?? new ArrayBuffer(0))
    expect([words[0], words[4], words[8], words[12]]).toEqual([0, 1, 2, 3])
  })

  it('uses only as many buffers as a variant asks for', async () => {
    const { ring, upload } = await setup(3)
    await ring.begin(2)
    const used: number[] = []
    for (let index = 0; index < 4; index += 1) {
      const { slot, submission } = await upload(index)
      used.push(slot.index)
      ring.release(slot, submission)
    }
    await ring.end()
    expect(used).toEqual([0, 1, 0, 1])
  })
})
