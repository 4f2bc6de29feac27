/**
 * Ranks in one trace: what a rank's device waits for while its host waits for another rank, and the
 * path across them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TraceBuilder, type NewSpan } from '../trace/builder'
import { placeTrace, type PlacedTrace } from '../trace/place'
import { messagePeers } from '../trace/collectives'
import type { SpanKind, SpanRole } from '../trace/schema'
import { repeatWindows } from '../trace/typical-repeats'
import { repeatPath } from './critical-path'
import { drawnPathOf } from './drawn-path'
import { findGaps } from './gaps'
import { MS, SCENE_INFO } from './testing/scene'

/**
 * Ranks with a host and a device each, in ms of host time; devices count from 0 as the host does.
 */
class Ranks {
  readonly builder = new TraceBuilder({ ...SCENE_INFO, experiment: 'ranks' }, { originMs: 0, stepNs: 5000 })
  readonly #lanes: readonly { readonly host: number; readonly device: number }[]
  readonly #of = { variant: 'two', repeat: 0 }
  #submissions = 0

  constructor(size: number) {
    this.builder.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' })
    this.#lanes = Array.from({ length: size }, (_, rank) => {
      const name = `rank ${String(rank)}`
      const clock = this.builder.addClock({
        kind: 'device',
        name: `${name} · device`,
        originMs: 0,
        originTick: '0',
        stepNs: 1,
      })
      for (const ns of [0, 1e9])
        this.builder.addSnapshot({
          clock,
          hostBeforeNs: ns - 1e4,
          beginTick: ns,
          endTick: ns,
          hostAfterNs: ns + 1e4,
        })
      const lane = (kind: 'host' | 'device') =>
        this.builder.addLane({
          kind,
          name: `${name} · ${kind}`,
          group: `${name} · ${kind}`,
          clock: kind === 'host' ? 0 : clock,
        })
      return { host: lane('host'), device: lane('device') }
    })
  }

  #add(
    lane: number,
    kind: SpanKind,
    name: string,
    [startMs, endMs]: readonly [number, number],
    more: Partial<NewSpan> = {},
  ): number {
    const at = { lane, start: startMs * MS, end: endMs * MS }
    return this.builder.addSpan({ ...this.#of, ...at, kind, name, ...more })
  }

  #host(rank: number, kind: SpanKind, role: SpanRole, name: string, times: readonly [number, number]) {
    return this.#add(this.#lanes[rank]?.host ?? 0, kind, name, times, { role })
  }

  /** submit() from `calledMs` on, 0.05 ms long, and its pass. */
  work(rank: number, calledMs: number, times: readonly [number, number]): number {
    const { host = 0, device = 0 } = this.#lanes[rank] ?? {}
    const submission = this.#submissions++
    const called = [calledMs, calledMs + 0.05] as const
    const submit = this.#add(host, 'submit', 'submit', called, { submission, role: 'submit' })
    const pass = this.#add(device, 'compute', 'matmul', times, { submission, role: 'pass' })
    this.builder.addFlow(submit, pass, 'submit')
    return pass
  }

  waitFor(rank: number, work: number, times: readonly [number, number]): void {
    this.builder.addFlow(work, this.#host(rank, 'host-wait', 'wait-map', 'await mapAsync()', times), 'sync')
  }

  does(rank: number, times: readonly [number, number]): void {
    this.#host(rank, 'host-work', 'compute', 'prepare', times)
  }

  message(
    from: number,
    to: number,
    sequence: number,
    send: readonly [number, number] | null,
    recv: readonly [number, number] | null,
  ): void {
    const [one, other] = (
      [
        ['send', from, to, send],
        ['recv', to, from, recv],
      ] as const
    ).map(([role, rank, peer, times]) => {
      if (!times) return null
      const name = role === 'send' ? `send to ${String(peer)}` : `recv from ${String(peer)}`
      const span = this.#host(rank, 'collective', role, name, times)
      this.builder.addCollective({ span, operation: role, peer, sequence })
      return span
    })
    if (typeof one === 'number' && typeof other === 'number') this.builder.addFlow(one, other, 'collective')
  }

  window(startMs: number, endMs: number): void {
    this.#add(0, 'window', 'two', [startMs, endMs])
  }

  placed() {
    return placeTrace(this.builder.freeze())
  }
}

const windowOf = ({ trace }: PlacedTrace): number =>
  repeatWindows(trace, trace.strings.indexOf('two'))[0] ?? -1

/** Rank 0 works, waits for rank 1 to send, and works again; rank 1 prepares for long. */
function lateRank() {
  const ranks = new Ranks(2)
  ranks.window(0, 20)
  const first = ranks.work(0, 1, [1.2, 4])
  ranks.waitFor(0, first, [1.1, 4.2])
  ranks.message(1, 0, 0, [12, 12.6], [4.3, 12.5])
  ranks.work(0, 12.6, [13, 18])
  ranks.does(1, [0, 12])
  return ranks.placed()
}

describe('a gap of a device while its host waits for another rank', () => {
  it('is that rank’s: who and what for, with the call at its other end', () => {
    const placed = lateRank()
    const { trace } = placed
    const gaps = findGaps(placed)
    expect(gaps).toMatchObject([{ cause: 'rank-waited', durationNs: 9 * MS }])
    expect(gaps[0]?.evidence).toBe(
      'The host waited for rank 1 to send (recv from 1) for 8.2 ms of the 8.6 ms from the gap’s beginning to submit() of submission 1.',
    )
    const named = gaps[0]?.spans.map((span) => trace.strings[trace.spans.name[span] ?? -1])
    expect(named).toEqual(['recv from 1', 'send to 0', 'submit'])
  })

  it('is named as well where the other end is not in the trace, as of ranks that wait for ever', () => {
    const ranks = new Ranks(2)
    ranks.work(0, 1, [1.2, 4])
    ranks.message(0, 1, 0, [2, 12.5], null)
    ranks.work(0, 12.6, [13, 18])
    const [gap] = findGaps(ranks.placed())
    expect(gap?.cause).toBe('rank-waited')
    expect(gap?.evidence).toMatch(
      /^The host waited for rank 1 to receive \(send to 1\) for 8\.5 ms .* submission 1\.$/,
    )
  })

  it('is not where the host was at other work, or waited for a result, for most of it', () => {
    const busy = new Ranks(2)
    busy.work(0, 1, [1.2, 4])
    busy.message(1, 0, 0, [4.1, 5], [4.1, 5])
    busy.does(0, [5, 12])
    busy.work(0, 12.6, [13, 18])
    expect(findGaps(busy.placed())).toMatchObject([{ cause: 'host-late' }])
    const waiting = new Ranks(2)
    const first = waiting.work(0, 1, [1.2, 4])
    waiting.waitFor(0, first, [1.1, 10])
    waiting.message(1, 0, 0, [10.1, 11], [10, 11])
    waiting.work(0, 12.6, [13, 18])
    expect(findGaps(waiting.placed())).toMatchObject([{ cause: 'host-waited' }])
  })

  it('goes to whatever the host spent most of it on, whatever the times', () => {
    const ms = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(ms, ms, ms, (waitedMs, messageMs, workMs) => {
        fc.pre(new Set([waitedMs, messageMs, workMs]).size === 3)
        const ranks = new Ranks(2)
        const first = ranks.work(0, 1, [1.2, 4])
        const heard = 4 + waitedMs
        ranks.waitFor(0, first, [1.1, heard])
        ranks.message(1, 0, 0, [heard, heard + messageMs], [heard, heard + messageMs])
        ranks.does(0, [heard + messageMs, heard + messageMs + workMs])
        const called = heard + messageMs + workMs
        ranks.work(0, called, [called + 0.2, called + 1])
        const most = Math.max(waitedMs, messageMs, workMs)
        const cause = most === waitedMs ? 'host-waited' : most === messageMs ? 'rank-waited' : 'host-late'
        expect(findGaps(ranks.placed())).toMatchObject([{ cause }])
      }),
    )
  })
})

describe('the ends of messages', () => {
  it('belong to each other by ranks, repeat and number, in whatever order they are recorded', () => {
    const ranks = new Ranks(3)
    ranks.message(0, 1, 0, [1, 2], [1, 2])
    ranks.message(0, 1, 1, null, [3, 4])
    ranks.message(1, 0, 0, [3, 4], [3, 4])
    ranks.message(2, 1, 0, [5, 6], null)
    const { trace } = ranks.placed()
    const name = (span: number) =>
      `${trace.lanes[trace.spans.lane[span] ?? -1]?.name ?? ''}: ${trace.strings[trace.spans.name[span] ?? -1] ?? ''}`
    const ends = messagePeers(trace)
    expect([...ends].map(([one, other]) => `${name(one)} and ${name(other)}`).sort()).toEqual([
      'rank 0 · host: recv from 1 and rank 1 · host: send to 0',
      'rank 0 · host: send to 1 and rank 1 · host: recv from 0',
      'rank 1 · host: recv from 0 and rank 0 · host: send to 1',
      'rank 1 · host: send to 0 and rank 0 · host: recv from 1',
    ])
    for (const [one, other] of ends) expect(ends.get(other)).toBe(one)
  })
})

describe('the critical path across ranks', () => {
  it('leaves a rank that waited for the one that came later', () => {
    const placed = lateRank()
    const path = repeatPath(placed, windowOf(placed))
    const { lane } = placed.trace.spans
    const said = path?.segments.map(({ who, startNs, endNs, span }) => [
      who,
      placed.trace.lanes[lane[span] ?? -1]?.name.slice(0, 6),
      Math.round(startNs / 1e5) / 10,
      Math.round(endNs / 1e5) / 10,
    ])
    expect(said).toEqual([
      ['host', 'rank 1', 0, 12],
      ['message', 'rank 0', 12, 12.5],
      ['host', 'rank 0', 12.5, 12.6],
      ['launch', 'rank 0', 12.6, 13],
      ['device', 'rank 0', 13, 18],
    ])
    const drawn = drawnPathOf(placed)
    expect(drawn.problems).toEqual([])
    expect(drawn.parts.map(({ title }) => title)).toEqual(['two, repeat 1'])
  })

  it('stays on a rank that came last itself', () => {
    const ranks = new Ranks(2)
    ranks.window(0, 20)
    ranks.message(1, 0, 0, [1, 9], [8.5, 9.1])
    ranks.does(0, [0, 8.5])
    ranks.work(0, 9.2, [9.5, 12])
    const placed = ranks.placed()
    const path = repeatPath(placed, windowOf(placed))
    expect(path?.segments.map(({ who }) => who)).toEqual(['host', 'launch', 'device'])
  })

  it('is one chain without holes, whoever sends whom what and when', () => {
    const call = fc.record({
      from: fc.nat(2),
      to: fc.nat(2),
      sentMs: fc.nat(60),
      askedMs: fc.nat(60),
      lastsMs: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 12 }), (calls) => {
        const ranks = new Ranks(3)
        ranks.window(0, 100)
        for (const [sequence, { from, to, sentMs, askedMs, lastsMs }] of calls.entries()) {
          if (from === to) continue
          const endMs = Math.max(sentMs, askedMs) + lastsMs
          ranks.message(from, to, sequence, [sentMs, endMs], [askedMs, endMs])
        }
        const placed = ranks.placed()
        const path = repeatPath(placed, windowOf(placed))
        if (calls.every(({ from, to }) => from === to)) {
          expect(path).toBeNull()
          return
        }
        if (!path) throw new Error('There is no path.')
        let at = path.segments[0]?.startNs
        for (const { startNs, endNs } of path.segments) {
          expect(startNs).toBe(at)
          expect(endNs).toBeGreaterThan(startNs)
          at = endNs
        }
        const sum = Object.values(path.ns).reduce((total, ns) => total + ns, 0)
        expect(sum).toBeCloseTo((at ?? 0) - (path.segments[0]?.startNs ?? 0), 3)
      }),
    )
  })
})
