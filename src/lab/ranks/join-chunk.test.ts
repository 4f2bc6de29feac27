import { describe, expect, it } from 'vitest'
import { TraceAssembler, TraceBuilder } from '../../trace/builder'
import { collectiveAt } from '../../trace/collectives'
import { testInfo as info } from '../../trace/testing/arbitrary-trace'
import { RankTrace } from './join-chunk'

const SHIFT_NS = 250_000

/** A rank that sends and multiplies, in as many chunks as it is asked to flush. */
function rank(builder: TraceBuilder, flush: () => void) {
  const host = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  const ticks = builder.addClock({
    kind: 'device',
    name: 'ticks',
    originMs: 0,
    originTick: '99',
    stepNs: 1,
  })
  const device = builder.addLane({ kind: 'device', name: 'device', clock: ticks, group: 'device' })
  flush()
  const send = builder.addSpan({
    lane: host,
    kind: 'collective',
    name: 'send to 1',
    start: 10,
    end: 20,
    variant: 'ring',
    repeat: 0,
    step: 3,
    bytes: 64,
  })
  builder.addCollective({ span: send, operation: 'send', peer: 1 })
  flush()
  const submit = builder.addSpan({
    lane: host,
    kind: 'submit',
    role: 'submit',
    name: 's',
    start: 30,
    end: 31,
    submission: 4,
  })
  flush()
  const pass = builder.addSpan({
    lane: device,
    kind: 'compute',
    role: 'pass',
    name: 'matmul',
    start: 7,
    end: 9,
    submission: 4,
  })
  builder.addFlow(submit, pass, 'submit')
  builder.addSnapshot({ clock: ticks, hostBeforeNs: 30, beginTick: 7, endTick: 9, hostAfterNs: 60 })
  builder.reject('no free timestamp slot', 2)
  flush()
}

describe('RankTrace', () => {
  it('puts a rank’s spans on the run’s axis, whatever chunks they come in, and leaves device ticks alone', () => {
    const run = new TraceBuilder(info, { originMs: 0, stepNs: 5000 })
    run.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' })
    run.addSpan({ lane: 0, kind: 'window', name: 'ring', start: 0, end: 1 })
    const joined = new RankTrace(run, 1, SHIFT_NS)
    const own = new TraceBuilder(info, { originMs: 0, stepNs: 5000 })
    rank(own, () => {
      const chunk = own.takeChunk()
      if (chunk) joined.append(chunk)
    })
    const trace = run.freeze()
    expect(trace.lanes.map(({ name, group, clock }) => [name, group, clock])).toEqual([
      ['host (worker)', 'host', 0],
      ['rank 1 · host', 'rank 1 · host', 0],
      ['rank 1 · device', 'rank 1 · device', 1],
    ])
    expect(trace.clocks[1]).toMatchObject({ kind: 'device', originTick: '99' })
    const { spans, strings } = trace
    expect([...spans.start.subarray(0, 4)]).toEqual([0, 10 + SHIFT_NS, 30 + SHIFT_NS, 7])
    expect([...spans.end.subarray(0, 4)]).toEqual([1, 20 + SHIFT_NS, 31 + SHIFT_NS, 9])
    expect(strings[spans.variant[1] ?? -1]).toBe('ring')
    expect(spans.submission[2]).toBe(spans.submission[3])
    expect(spans.submission[2]).not.toBe(4)
    expect([trace.flows.from[0], trace.flows.to[0]]).toEqual([2, 3])
    expect(trace.snapshots).toEqual([
      { clock: 1, hostBeforeNs: 30 + SHIFT_NS, beginTick: 7, endTick: 9, hostAfterNs: 60 + SHIFT_NS },
    ])
    expect(trace.rejected).toEqual({ 'no free timestamp slot': 2 })
    expect(collectiveAt(trace, 0)).toMatchObject({ span: 1, operation: 'send', peer: 1 })
  })
  it('goes through the run’s own chunks with its collectives', () => {
    const run = new TraceBuilder(info, { originMs: 0, stepNs: 5000 })
    const joined = new RankTrace(run, 0, 0)
    const own = new TraceBuilder(info, { originMs: 0, stepNs: 5000 })
    const page = new TraceAssembler(info)
    rank(own, () => {
      const chunk = own.takeChunk()
      if (chunk) joined.append(chunk)
      const sent = run.takeChunk()
      if (sent) page.append(sent)
    })
    expect(page.trace()).toEqual(run.freeze())
  })
})
