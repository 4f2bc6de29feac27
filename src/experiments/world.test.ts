/**
 * A world of ranks, on both kinds of wire: one program, its rank as the only difference; and what
 * becomes of those that never go on.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FaultError } from '../base/fault'
import type { RankProgram } from '../lab/lab'
import type { RankReply } from '../lab/ranks/protocol'
import { World, type WorldWindow } from '../lab/ranks/world'
import type { FakeDevice } from '../testing/fake-webgpu'
import { spansOf } from '../recorder/testing/spans'
import { TraceBuilder } from '../trace/builder'
import { collectiveAt, messagePeers } from '../trace/collectives'
import { FLOW_KINDS } from '../trace/schema'
import type { PrepareRank } from './serve-rank'
import { threadRanks } from './testing/thread-ranks'
import { stubWebGpu } from './testing/tiny'
import { testInfo as info } from '../trace/testing/arbitrary-trace'

/** Each hands what it has to the next, round a ring, in an order that goes on. */
const ring: RankProgram = async ({ rank, size, send, recv, input }) => {
  const mine = Float32Array.of(10 * rank + (input as { readonly plus: number }).plus)
  const got = new Float32Array(1)
  const next = () => send((rank + 1) % size, mine)
  const before = () => recv((rank + size - 1) % size, got)
  if (rank === 0) {
    await next()
    await before()
  } else {
    await before()
    await next()
  }
  return got[0]
}
const said: string[] = []
const programs: Readonly<Record<string, RankProgram>> = {
  ring,
  'both-send': async ({ rank, send, recv }) => {
    try {
      await send(1 - rank, new Float32Array(4))
      await recv(1 - rank, new Float32Array(4))
    } catch (error) {
      said.push(String(error))
      throw error
    }
  },
  leaves: async ({ rank, recv }) => {
    if (rank === 1) await recv(0, new Float32Array(1))
  },
  forgets: async ({ rank, send }) => {
    if (rank === 1) send(0, new Float32Array(1)).catch(() => undefined)
    return Promise.resolve('returned')
  },
  throws: async ({ rank, recv }) => {
    if (rank === 0) throw new TypeError('no such thing')
    await recv(0, new Float32Array(1))
  },
  objects: ({ rank, device }) => {
    if (rank === 1) (device as unknown as FakeDevice).raise('validation', 'not on this device')
    return Promise.resolve()
  },
  passes: async ({ device, lab }) => {
    for (const step of lab.steps(2)) {
      const encoder = device?.createCommandEncoder({ label: `own ${String(step)}` })
      encoder?.beginComputePass({ label: 'own' }).end()
      if (encoder) device?.queue.submit([encoder.finish()])
    }
    await device?.queue.onSubmittedWorkDone()
  },
}

let worlds: World[] = []
beforeEach(stubWebGpu)
afterEach(() => {
  for (const world of worlds) world.close()
  worlds = []
  said.length = 0
})

async function openWorld(
  size: number,
  { sharesMemory = true, prepare = null }: { sharesMemory?: boolean; prepare?: PrepareRank | null } = {},
) {
  const builder = new TraceBuilder(info, { originMs: 0, stepNs: 5000 })
  builder.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' })
  const { start, devices } = await threadRanks(size, programs, prepare)
  const world = await World.open(
    {
      size,
      start,
      builder,
      sharesMemory,
      info,
      hasDevice: prepare !== null,
      deviceStepNs: 1,
      hostStepUs: 5,
      now: () => performance.now(),
      pings: 'messages',
    },
    (opened) => worlds.push(opened),
  )
  const run = (program: string, over: Partial<WorldWindow> = {}) =>
    world.run({
      size,
      program,
      variant: program,
      repeat: 0,
      record: true,
      linesFromStacks: false,
      stamping: 'passes',
      specOf: (rank) => ({ plus: rank }),
      ...over,
    })
  return { world, builder, run, devices }
}

it('starts a rank when the one before it has loaded, and none once it is closed', async () => {
  const asked: number[] = []
  const answers: ((answer: RankReply) => void)[] = []
  const own: World[] = []
  World.open(
    {
      size: 3,
      start: (rank, heard) => {
        answers.push(heard)
        return { post: ({ type }) => type === 'open' && asked.push(rank), end: () => undefined }
      },
      builder: new TraceBuilder(info, { originMs: 0, stepNs: 5000 }),
      sharesMemory: true,
      info,
      hasDevice: false,
      deviceStepNs: null,
      hostStepUs: 5,
      now: () => performance.now(),
    },
    (world) => own.push(world),
  ).catch(() => undefined) // closed: it never ends
  expect(asked).toEqual([0])
  answers[0]?.({ type: 'opened' })
  await vi.waitFor(() => expect(asked).toEqual([0, 1]))
  own[0]?.close()
  answers[1]?.({ type: 'opened' })
  await new Promise(setImmediate) // all that has been resolved has gone on
  expect(asked).toEqual([0, 1])
})

describe.each([
  ['shared memory', true],
  ['message channels', false],
])('ranks over %s', (_, sharesMemory) => {
  it.each([1, 2, 3, 5])('are %d that run one program, each with its rank and its own input', async (size) => {
    const { run } = await openWorld(size, { sharesMemory })
    const { outputs, hang } = await run(size === 1 ? 'forgets' : 'ring')
    expect(hang).toBeNull()
    expect(outputs).toEqual(
      size === 1
        ? ['returned']
        : Array.from({ length: size }, (_own, rank) => 11 * ((rank + size - 1) % size)),
    )
  })

  it('are recorded in one trace: a group of lanes each, messages by role, peer and number, within the window', async () => {
    const opening = performance.now() * 1e6
    const { run, builder, world } = await openWorld(2, { sharesMemory })
    const before = performance.now() * 1e6
    await run('ring', { repeat: -2 })
    const { startNs, endNs } = await run('ring')
    const after = performance.now() * 1e6
    const trace = builder.freeze()
    // Clocks are compared while the world opens, and no worse than that takes.
    expect(world.clockBoundNs).toBeLessThan(before - opening)
    expect(startNs).toBeGreaterThan(before - world.clockBoundNs)
    expect(endNs).toBeLessThan(after + world.clockBoundNs)
    const messages = spansOf(trace, { kind: 'collective' }).filter(
      ({ index }) => trace.spans.repeat[index] === 0,
    )
    const told = messages.map(({ index, role, name }) => [
      trace.lanes[trace.spans.lane[index] ?? -1]?.name,
      role,
      name,
      trace.spans.bytes[index],
    ])
    expect(told.toSorted()).toEqual(
      [
        ['rank 0 · host', 'send', 'send to 1', 4],
        ['rank 0 · host', 'recv', 'recv from 1', 4],
        ['rank 1 · host', 'recv', 'recv from 0', 4],
        ['rank 1 · host', 'send', 'send to 0', 4],
      ].toSorted(),
    )
    for (const { index } of messages) {
      expect(trace.spans.start[index]).toBeGreaterThanOrEqual(startNs - world.clockBoundNs)
      expect(trace.spans.end[index]).toBeLessThanOrEqual(endNs + world.clockBoundNs)
    }
    const rows = Array.from({ length: trace.collectives.length }, (_own, row) => collectiveAt(trace, row))
    expect(rows).toHaveLength(8)
    expect(rows.filter(({ sequence }) => sequence === 0)).toHaveLength(8)
    // An arrow a message, from the call that came later to its other end.
    const ends = messagePeers(trace)
    const { start, role } = trace.spans
    expect(trace.flows.length).toBe(4)
    for (let flow = 0; flow < trace.flows.length; flow += 1) {
      const [from, to] = [trace.flows.from[flow] ?? -1, trace.flows.to[flow] ?? -1]
      expect(FLOW_KINDS[trace.flows.kind[flow] ?? -1]).toBe('collective')
      expect(ends.get(from)).toBe(to)
      expect(start[from]).toBeGreaterThanOrEqual(start[to] ?? Infinity)
      expect(role[from]).not.toBe(role[to])
    }
  })

  it('that both send first are found: who waits for whom, told by each call; and the next window runs', async () => {
    const { run, builder } = await openWorld(2, { sharesMemory })
    const { hang, outputs } = await run('both-send')
    expect(hang).toMatchObject({
      ranks: [0, 1],
      edges: [
        { from: 0, to: 1, operation: 'send' },
        { from: 1, to: 0, operation: 'send' },
      ],
    })
    expect(outputs).toEqual([undefined, undefined])
    expect(said).toHaveLength(2)
    for (const each of said)
      expect(each).toMatch(/wait for each other: rank 0 in send to rank 1, rank 1 in send to rank 0/)
    // The trace is drawn up to the moment at which the hang was found.
    const trace = builder.freeze()
    expect(trace.flows.length).toBe(0)
    const stood = spansOf(trace, { kind: 'collective' }).map(
      ({ index }) => (trace.spans.end[index] ?? 0) - (trace.spans.start[index] ?? 0),
    )
    expect(stood).toHaveLength(2)
    for (const ns of stood) expect(ns).toBeGreaterThan(0.9e9)
    expect((await run('ring')).outputs).toEqual([11, 0])
  })

  it('that wait for one that has returned, or send to one that never receives, are found too', async () => {
    const { run } = await openWorld(2, { sharesMemory })
    expect((await run('leaves')).hang).toMatchObject({ ranks: [1], ended: [0] })
    const forgotten = await run('forgets')
    expect(forgotten.hang).toMatchObject({ ranks: [1], ended: [0] })
    expect(forgotten.outputs).toEqual(['returned', undefined])
  })

  it('end with the one that throws: its fault, by rank, ends the run', async () => {
    const { run } = await openWorld(2, { sharesMemory })
    await expect(run('throws')).rejects.toThrow('Rank 0: TypeError: no such thing')
  })
})

describe('ranks with a device each', () => {
  const prepare: PrepareRank = async (site, spec, { rank }) => {
    await site.buffer(`of rank ${String(rank)}`, 16, 128)
    return { input: spec as object }
  }

  it('record its passes on a lane of their own, and free what they made', async () => {
    const { run, builder, world, devices } = await openWorld(2, { prepare })
    await run('passes')
    const trace = builder.freeze()
    const passes = spansOf(trace, { kind: 'compute' }).filter(({ name }) => name === 'own')
    expect(passes.map(({ index }) => trace.lanes[trace.spans.lane[index] ?? -1]?.name)).toEqual([
      'rank 0 · device',
      'rank 0 · device',
      'rank 1 · device',
      'rank 1 · device',
    ])
    expect(devices.map(({ length }) => length)).toEqual([1, 1])
    world.close()
    await vi.waitFor(() => {
      for (const [device] of devices) expect(device?.isDestroyed).toBe(true)
    })
  })

  it('end the run where one of them is lost', async () => {
    const { run, devices } = await openWorld(2, { prepare })
    await run('passes')
    const running = run('ring')
    devices[1]?.[0]?.lose()
    const thrown: unknown = await running.then(() => run('passes')).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(FaultError)
    expect(thrown).toMatchObject({ fault: { code: 'device-lost' } })
    expect(String(thrown)).toContain('Rank 1')
  })

  it('end the run where one makes an error that WebGPU reports', async () => {
    const { run } = await openWorld(2, { prepare })
    await expect(run('objects')).rejects.toThrow(/^Rank 1: .*not on this device/)
  })
})
