import { describe, expect, it, vi } from 'vitest'
import { TraceBuilder } from '../../trace/builder'
import { placeTrace } from '../../trace/place'
import { createRunStore, LONG_RUN_SPANS, type LoadedRun } from './run-store'
import { createFakeClient, fakeInfo, fakeReport } from './testing/fake-client'

const request = { owner: 'lessons/sync-stalls', experiment: 'sync-stalls', params: { steps: 4 } }

/**
 * A store whose timer the test holds, a client whose runs the test ends, and a builder that speaks
 * for the worker.
 */
function setup() {
  const client = createFakeClient()
  const timers: (() => void)[] = []
  const runs = createRunStore(client, { after: (run) => timers.push(run) })
  const builder = new TraceBuilder(fakeInfo(), { originMs: 0, stepNs: 5000 })
  const lane = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  const encode = (start: number) => {
    builder.addSpan({ lane, kind: 'encode', start, end: start + 10, name: 'encode' })
    const chunk = builder.takeChunk()
    if (!chunk) throw new Error('a span was added')
    return chunk
  }
  const latest = () => {
    const run = client.runs.at(-1)
    if (!run) throw new Error('no run was started')
    return run
  }
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
  return { client, timers, runs, encode, latest, settle, state: () => runs.store.getState() }
}

describe('a run', () => {
  it('goes from idle to done, with its report and its trace', async () => {
    const { runs, latest, settle, encode, timers, state } = setup()
    expect(state().phase).toBe('idle')
    const ended = runs.start(request)
    await settle()
    expect(state()).toMatchObject({ phase: 'starting', owner: request.owner, params: { steps: 4 } })
    latest().listener.started(fakeInfo())
    latest().listener.progress({
      fraction: 0.5,
      message: 'never, repeat 1 of 2',
      variant: 'never',
      repeat: 0,
    })
    expect(state()).toMatchObject({ phase: 'running', progress: { fraction: 0.5 } })
    latest().listener.chunk(encode(0))
    latest().listener.chunk(encode(20))
    expect(state().placed).toBeNull() // published on the next tick, once for both
    expect(timers).toHaveLength(1)
    timers[0]?.()
    expect(state()).toMatchObject({ nowNs: 30 })
    expect(state().placed?.trace.spans.length).toBe(2)
    latest().listener.chunk(encode(40))
    latest().end({ status: 'done', report: fakeReport(), info: fakeInfo({ derived: { n: 64 } }) })
    expect(await ended).toMatchObject({ status: 'done' })
    expect(state()).toMatchObject({ phase: 'done', nowNs: 50, report: { experiment: 'sync-stalls' } })
    expect(runs.trace()?.info.derived).toEqual({ n: 64 })
  })

  it.each([
    [
      { status: 'failed', fault: { code: 'device-lost', message: 'gone' } },
      { phase: 'failed', fault: { code: 'device-lost' } },
    ],
    [{ status: 'cancelled' }, { phase: 'cancelled' }],
  ] as const)('that ends as %j keeps what was drawn', async (ending, expected) => {
    const { runs, latest, settle, encode, state } = setup()
    const ended = runs.start(request)
    await settle()
    latest().listener.started(fakeInfo())
    latest().listener.chunk(encode(0))
    latest().end(ending)
    await ended
    expect(state()).toMatchObject(expected)
    expect(state().placed?.trace.spans.length).toBe(1)
  })

  it('turns a client that throws into a fault', async () => {
    const { client, runs, state } = setup()
    client.run = vi.fn(() => Promise.reject(new Error('boom')))
    expect(await runs.start(request)).toMatchObject({ status: 'failed' })
    expect(state()).toMatchObject({ phase: 'failed', fault: { code: 'internal' } })
  })
})

describe('two runs', () => {
  it('the second cancels the first and starts when that has ended', async () => {
    const { client, runs, settle, state } = setup()
    const first = runs.start(request)
    await settle()
    const second = runs.start({ ...request, owner: 'run/sync-stalls' })
    expect(await first).toEqual({ status: 'cancelled' })
    await settle()
    expect(client.runs).toHaveLength(2)
    expect(state()).toMatchObject({ phase: 'starting', owner: 'run/sync-stalls' })
    client.runs[1]?.end({ status: 'failed', fault: { code: 'internal', message: 'x' } })
    await second
    expect(state().phase).toBe('failed')
  })

  it('of three in one turn only the last runs', async () => {
    const { client, runs, settle } = setup()
    const endings = [runs.start(request), runs.start(request), runs.start(request)]
    await settle()
    await settle()
    expect(client.runs).toHaveLength(1)
    client.runs[0]?.end({ status: 'cancelled' })
    await Promise.all(endings)
  })

  it('that was placed elsewhere is not placed again', () => {
    const builder = new TraceBuilder(fakeInfo(), { originMs: 0, stepNs: 5000 })
    const trace = builder.freeze()
    const placed = placeTrace(trace)
    const runs = createRunStore(createFakeClient())
    runs.load('trace', { trace, report: null, placed, gaps: [] })
    expect(runs.store.getState()).toMatchObject({ phase: 'done', owner: 'trace', gaps: [] })
    expect(runs.store.getState().placed).toBe(placed)
  })

  it('that is long is placed elsewhere once it has ended, and here where that fails', async () => {
    for (const isPlaced of [true, false]) {
      const client = createFakeClient()
      const builder = new TraceBuilder(fakeInfo(), { originMs: 0, stepNs: 5000 })
      const lane = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
      for (let start = 0; start < LONG_RUN_SPANS + 1; start += 1)
        builder.addSpan({ lane, kind: 'encode', start, end: start + 1, name: 'encode' })
      const placed = placeTrace(builder.freeze())
      const placeLong = vi.fn(() => Promise.resolve(isPlaced ? { placed, gaps: [] } : null))
      const runs = createRunStore(client, { placeLong })
      const ended = runs.start(request)
      await Promise.resolve()
      await Promise.resolve()
      const run = client.runs.at(-1)
      run?.listener.started(fakeInfo())
      const chunk = builder.takeChunk()
      if (chunk) run?.listener.chunk(chunk)
      run?.end({ status: 'done', report: fakeReport(), info: fakeInfo() })
      await ended
      expect(placeLong).toHaveBeenCalledOnce()
      const shown = runs.store.getState().placed
      expect(shown === placed).toBe(isPlaced)
      expect(shown?.trace.spans.length).toBe(LONG_RUN_SPANS + 1)
    }
  })

  it('that has become long is drawn on when it has ended', async () => {
    const { runs, latest, settle, encode, timers, state } = setup()
    const ended = runs.start(request)
    await settle()
    latest().listener.started(fakeInfo())
    for (let start = 0; start <= LONG_RUN_SPANS; start += 1) latest().listener.chunk(encode(start))
    timers[0]?.()
    latest().listener.chunk(encode(1e6))
    timers[1]?.()
    expect(state().placed?.trace.spans.length).toBe(LONG_RUN_SPANS + 1)
    latest().end({ status: 'done', report: fakeReport(), info: fakeInfo() })
    await ended
    expect(state().placed?.trace.spans.length).toBe(LONG_RUN_SPANS + 2)
  })

  it('a run that was replaced by a file changes nothing any more', async () => {
    const { runs, latest, settle, encode, timers, state } = setup()
    const ended = runs.start(request)
    await settle()
    const held = latest()
    held.listener.started(fakeInfo())
    held.listener.chunk(encode(0))
    const trace = new TraceBuilder(fakeInfo({ origin: 'recorded' }), { originMs: 0, stepNs: 5000 }).freeze()
    runs.load('lessons/x', { trace, report: null })
    for (const timer of timers) timer()
    held.end({ status: 'done', report: fakeReport(), info: fakeInfo() })
    await ended
    expect(state()).toMatchObject({ phase: 'done', owner: 'lessons/x', origin: 'recorded', report: null })
  })
})

describe('a recording', () => {
  const trace = new TraceBuilder(fakeInfo({ origin: 'recorded' }), { originMs: 0, stepNs: 5000 }).freeze()
  it('is on its way, then shown; the last one asked for stays', async () => {
    const { runs, state } = setup()
    let arrive: (run: LoadedRun) => void = () => undefined
    const first = runs.play('lessons/x', () => new Promise((resolve) => (arrive = resolve)))
    expect(state()).toMatchObject({ phase: 'loading', owner: 'lessons/x' })
    const second = await runs.play('lessons/y', () => Promise.resolve({ trace, report: null }))
    expect(second).toEqual(state())
    expect(state()).toMatchObject({ phase: 'done', owner: 'lessons/y', origin: 'recorded' })
    arrive({ trace, report: null })
    expect(await first).toBeNull()
    expect(state().owner).toBe('lessons/y')
  })
  it('that cannot be had says why', async () => {
    const { runs, state } = setup()
    expect(await runs.play('lessons/x', () => Promise.reject(new Error('no network')))).toBeNull()
    expect(state()).toMatchObject({ phase: 'failed', owner: 'lessons/x', placed: null })
    expect(state().fault?.message).toContain('no network')
  })
})

it('cancel reaches the client', async () => {
  const { client, runs, settle, state } = setup()
  const ended = runs.start(request)
  await settle()
  runs.cancel()
  await ended
  expect(client.cancels).toBe(1)
  expect(state().phase).toBe('cancelled')
})
