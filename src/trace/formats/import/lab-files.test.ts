import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { summariseDevices } from '../../../analysis/devices'
import { findGaps } from '../../../analysis/gaps'
import { plainGap } from '../../../analysis/testing/scene'
import { inShort } from '../../../testing/long'
import { encodeRun } from '../../codec'
import { edgeBoundNs, placeTrace, type PlacedTrace } from '../../place'
import { SPAN_ROLES, type Trace } from '../../schema'
import { arbitraryTrace, newBuilder, newAlignedBuilder } from '../../testing/arbitrary-trace'
import { layOut, arrows } from '../slices'
import { traceEventText } from '../testing/validate-trace-event'
import { NO_TICKS } from './lab-file'
import { flowsOf, opened, rows } from './testing/read-back'

const RECORDINGS = 'public/recordings'
/** Runs of the lab: in short one on a device of its own, and one on ranks. */
const runs = inShort(
  readdirSync(RECORDINGS).filter((name) => name.endsWith('.hdl.gz')),
  (name) => /^(sync-stalls|ranks)\./.test(name),
)
const bytesOf = (name: string) => readFileSync(`${RECORDINGS}/${name}`)

describe('files of the lab', () => {
  it('come back: its own format, plain or zipped', async () => {
    for (const name of runs) {
      const { format, report, trace } = await opened(bytesOf(name))
      expect([format, report !== null, trace.spans.length > 0]).toEqual(['host-device-lab', true, true])
      expect((await opened(encodeRun({ trace, report }))).trace.spans).toEqual(trace.spans)
    }
  })

  it('of the exporter come back: lanes, spans, instants, counters and arrows', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTrace, async (trace) => {
        const back = await opened(traceEventText(trace))
        expect(back.skipped).toEqual([])
        expectSame(trace, back.trace)
      }),
      { numRuns: 150 },
    )
  })

  it('of the exporter, changed: a role that there is not is none, and so is a line', async () => {
    const builder = newBuilder()
    builder.addSpan({ lane: 0, kind: 'host-work', role: 'fill', line: 7, name: 'x', start: 0, end: 9 })
    const text = traceEventText(builder.freeze())
    const read = async (from: string, to: string) => {
      expect(text).toContain(from)
      return rows((await opened(text.replace(from, to))).trace).map(({ role, line }) => [role, line])
    }
    expect(await read('"line":7', '"line":7')).toEqual([['fill', 7]])
    expect(await read('"role":"fill"', '"role":"fills"')).toEqual([['none', 7]])
    expect(await read('"role":"fill"', '"role":{"fill":1}')).toEqual([['none', 7]])
    for (const line of ['0', '-3', '1.5', '"x"', '1e12'])
      expect(await read('"line":7', `"line":${line}`), line).toEqual([['fill', -1]])
    // A name says nothing of a role.
    const renamed = await read('"role":"fill","line":7,', '')
    expect(renamed).toEqual([['none', -1]])
  })

  it('of the exporter, recorded: also each edge’s bound, so that no gap’s cause is another', async () => {
    for (const name of runs) {
      const { trace } = await opened(bytesOf(name))
      const back = (await opened(traceEventText(trace))).trace
      expectSame(trace, back)
      const [before, after] = [placeTrace(trace), placeTrace(back)]
      const gapsOf = (placed: PlacedTrace) =>
        [
          ...findGaps(placed).map(plainGap),
          ...summariseDevices(placed).flatMap(({ gaps }) => gaps.map(plainGap)),
        ].map((gap) => ({
          ...gap,
          // Host times are whole ns in such a file, so that a last digit in words may differ; spans
          // and names are in another order.
          evidence: '',
          lane: 0,
          variant: 0,
          spans: [],
          before: 0,
          after: 0,
        }))
      expect(gapsOf(before).length).toBeGreaterThan(50)
      const inOrder = (placed: PlacedTrace) =>
        gapsOf(placed)
          .map((gap) => JSON.stringify(gap))
          .sort()
      expect(inOrder(after), name).toEqual(inOrder(before))
      const device = (placed: PlacedTrace) =>
        placed.lanes.find(({ lane }) => placed.trace.lanes[lane]?.kind === 'device')
      const [edgesBefore, edgesAfter] = [before, after].map((placed) =>
        Array.from(device(placed)?.span ?? [], (span) => [
          ...edgeBoundNs(placed, span, 'start'),
          ...edgeBoundNs(placed, span, 'end'),
        ]),
      )
      expect(edgesAfter).toEqual(edgesBefore)
    }
  })
})

function expectSame(trace: Trace, back: Trace): void {
  const layout = layOut(placeTrace(trace))
  const nameOf = (lane: number) => trace.lanes[lane]?.name ?? ''
  const text = (index = -1) => trace.strings[index] ?? ''
  // What is on a device comes back in its raw ticks, which are whole; the slices are drawn one
  // after the other.
  const isOnDevice = (of: Trace, span: number) =>
    of.clocks[of.lanes[of.spans.lane[span] ?? -1]?.clock ?? -1]?.kind === 'device'
  const wanted = [...layout.slices.values()].flat().map(({ span, kind, startNs, endNs }) => ({
    isOnDevice: isOnDevice(trace, span),
    name: text(trace.spans.name[span]) || kind,
    lane: nameOf(trace.spans.lane[span] ?? -1),
    laneKind: trace.lanes[trace.spans.lane[span] ?? -1]?.kind,
    kind,
    role: SPAN_ROLES[trace.spans.role[span] ?? -1],
    start: isOnDevice(trace, span) ? Math.round(trace.spans.start[span] ?? 0) : startNs + layout.zeroNs,
    end: isOnDevice(trace, span) ? Math.round(trace.spans.end[span] ?? 0) : endNs + layout.zeroNs,
    submission: Math.max(-1, trace.spans.submission[span] ?? -1),
    step: Math.max(-1, trace.spans.step[span] ?? -1),
    line: trace.spans.line[span],
    bytes: trace.spans.bytes[span],
    source: trace.spans.source[span],
    repeat: trace.spans.repeat[span],
    variant: text(trace.spans.variant[span]),
    flops: trace.spans.flops[span],
  }))
  const found = rows(back).map((row, span) => ({
    isOnDevice: isOnDevice(back, span),
    ...row,
    source: back.spans.source[span],
    repeat: back.spans.repeat[span],
    variant: back.strings[back.spans.variant[span] ?? -1] ?? '',
    flops: back.spans.flops[span],
  }))
  // A pass is 'compute' wherever it was recorded; a float of µs is exact to a thousandth of a ns
  // here.
  const key = (row: (typeof wanted)[number] | (typeof found)[number]) =>
    JSON.stringify({ ...row, start: row.start.toFixed(2), end: row.end.toFixed(2) })
  expect(found.map(key).sort()).toEqual(wanted.map(key).sort())
  expect(back.lanes.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
    trace.lanes.map(({ kind, name }) => `${kind} ${name}`).sort(),
  )
  const drawn = arrows(trace, layout).arrows
  expect(
    flowsOf(back)
      .map(([kind]) => kind)
      .sort(),
  ).toEqual(drawn.map(({ kind }) => kind).sort())
  expect(back.counters.reduce((sum, { length }) => sum + length, 0)).toBe(
    trace.counters.reduce((sum, { length }) => sum + length, 0),
  )
}

describe('a file of the lab’s exporter, changed', () => {
  type Loose = Record<string, unknown>
  const scene = (): Trace => {
    const builder = newAlignedBuilder()
    for (const start of [1e6, 3e6, 3.5e6])
      builder.addSpan({
        lane: 3,
        kind: 'compute',
        name: 'pass',
        start,
        end: start + 1e6,
        repeat: 0,
        variant: 'v',
      })
    builder.addInstant({ lane: 3, time: 5e6, name: 'mark' })
    return builder.freeze()
  }
  const changed = async (change: (events: Loose[], clock: Loose) => void) => {
    const whole = JSON.parse(traceEventText(scene())) as {
      metadata: { clocks: Loose[] }
      traceEvents: Loose[]
    }
    change(whole.traceEvents, whole.metadata.clocks[1] ?? {})
    return await opened(JSON.stringify(whole))
  }
  const clockOf = ({ clocks, lanes }: Trace) =>
    clocks[lanes.find(({ kind }) => kind === 'device')?.clock ?? -1]
  const passes = (events: Loose[]) => events.filter(({ cat }) => cat === 'device')
  const argsOf = (events: Loose[]) => (passes(events)[1]?.['args'] ?? {}) as Loose

  it('in nothing that matters, has the device’s clock again', async () => {
    const { trace: back } = await changed((events) => (events[0] = { ...events[0], extra: 1 }))
    expect(clockOf(back)).toMatchObject({ kind: 'device', stepNs: 32, originTick: '123456789012345678' })
    expect(back.snapshots).toEqual(scene().snapshots)
    expect([...back.spans.start]).toEqual([...scene().spans.start])
    expect([...back.instants.time]).toEqual([5e6])
  })

  it.each<[string, (events: Loose[], clock: Loose) => void, spans?: number]>([
    ['a span without ticks', (events) => delete argsOf(events)['end_ns']],
    ['ticks that are no number', (events) => (argsOf(events)['end_ns'] = '12e3')],
    ['ticks of thirty digits', (events) => (argsOf(events)['end_ns'] = '9'.repeat(30))],
    ['ticks with a sign', (events) => (argsOf(events)['begin_ns'] = '-5')],
    ['ticks back to front', (events) => (argsOf(events)['begin_ns'] = '999999999999999999')],
    ['ticks in an object', (events) => (argsOf(events)['begin_ns'] = { toString: 1 })],
    ['an instant without a tick', (events) => delete events.find(({ ph }) => ph === 'i')?.['args'], 3],
    ['another origin', (_, clock) => (clock['originTick'] = '5'), 0],
  ])('%s: what has no sound ticks is left out, and said', async (_, change, spans = 2) => {
    const { trace: back, skipped } = await changed(change)
    expect(back.spans.length).toBe(spans)
    expect(skipped.map(({ reason }) => reason)).toEqual([NO_TICKS])
    expect(skipped[0]?.count).toBe(4 - spans - back.instants.length)
  })

  it.each<[string, (events: Loose[], clock: Loose) => void]>([
    ['no brackets', (_, clock) => delete clock['brackets']],
    ['brackets of text', (_, clock) => (clock['brackets'] = 'all')],
    ['a bracket that is none', (_, clock) => (clock['brackets'] = [null])],
    [
      'a bracket without an end',
      (_, clock) => (clock['brackets'] = [{ hostBeforeNs: 0, beginTick: 0, endTick: 0 }]),
    ],
    ['an origin that is no number', (_, clock) => (clock['originTick'] = '0x10')],
    ['a negative step', (_, clock) => (clock['stepNs'] = -1)],
    ['threads of nobody', (_, clock) => (clock['threads'] = [{ pid: 4 }, 7, null])],
  ])('%s: stands as drawn, to the widest bound', async (_, change) => {
    const { trace: back } = await changed(change)
    expect(clockOf(back)?.kind).toBe('host')
    expect(clockOf(back)?.stepNs).toBeGreaterThan(5e5)
    expect(back.snapshots).toEqual([])
    expect(back.spans.length).toBe(3)
  })
})
