import { describe, expect, it } from 'vitest'
import type { Trace } from '../../schema'
import { newAlignedBuilder } from '../../testing/arbitrary-trace'
import { opened } from './testing/read-back'
import { traceEventText } from '../testing/whole-text'

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
  const changed = async (change: (events: Loose[], clock: Loose) => void): Promise<Trace> => {
    const whole = JSON.parse(traceEventText(scene())) as {
      metadata: { clocks: Loose[] }
      traceEvents: Loose[]
    }
    change(whole.traceEvents, whole.metadata.clocks[1] ?? {})
    return (await opened(JSON.stringify(whole))).trace
  }
  const clockOf = ({ clocks, lanes }: Trace) =>
    clocks[lanes.find(({ kind }) => kind === 'device')?.clock ?? -1]
  const passes = (events: Loose[]) => events.filter(({ cat }) => cat === 'device')
  const argsOf = (events: Loose[]) => (passes(events)[1]?.['args'] ?? {}) as Loose

  it('in nothing that matters, has the device’s clock again', async () => {
    const back = await changed((events) => (events[0] = { ...events[0], extra: 1 }))
    expect(clockOf(back)).toMatchObject({ kind: 'device', stepNs: 32, originTick: '123456789012345678' })
    expect(back.snapshots).toEqual(scene().snapshots)
    expect([...back.spans.start]).toEqual([...scene().spans.start])
    expect([...back.instants.time]).toEqual([5e6])
  })

  it.each<[string, (events: Loose[], clock: Loose) => void]>([
    ['a span moved', (events) => (passes(events)[1] = Object.assign(passes(events)[1] ?? {}, { ts: 9999 }))],
    ['a span made longer', (events) => Object.assign(passes(events)[1] ?? {}, { dur: 5 })],
    ['a span without ticks', (events) => delete argsOf(events)['end_ns']],
    ['ticks that are no number', (events) => (argsOf(events)['end_ns'] = '12e3')],
    ['ticks of thirty digits', (events) => (argsOf(events)['end_ns'] = '9'.repeat(30))],
    ['ticks with a sign', (events) => (argsOf(events)['begin_ns'] = '-5')],
    ['ticks back to front', (events) => (argsOf(events)['begin_ns'] = '999999999999999999')],
    ['ticks in an object', (events) => (argsOf(events)['begin_ns'] = { toString: 1 })],
    ['an instant without a tick', (events) => delete events.find(({ ph }) => ph === 'i')?.['args']],
    ['no brackets', (_, clock) => delete clock['brackets']],
    ['brackets of text', (_, clock) => (clock['brackets'] = 'all')],
    ['a bracket that is none', (_, clock) => (clock['brackets'] = [null])],
    [
      'a bracket without an end',
      (_, clock) => (clock['brackets'] = [{ hostBeforeNs: 0, beginTick: 0, endTick: 0 }]),
    ],
    [
      'a bracket of texts',
      (_, clock) => (clock['brackets'] = [{ hostBeforeNs: 0, beginTick: 0, endTick: '1', hostAfterNs: 1 }]),
    ],
    [
      'brackets that contradict each other',
      (_, clock) =>
        (clock['brackets'] = [0, 1e9].map((at) => ({
          hostBeforeNs: at,
          beginTick: 0,
          endTick: 1,
          hostAfterNs: at + 1,
        }))),
    ],
    [
      'brackets of another clock',
      (_, clock) =>
        (clock['brackets'] = [{ hostBeforeNs: 7e9, beginTick: 0, endTick: 1, hostAfterNs: 7e9 + 1 }]),
    ],
    ['an origin that is no number', (_, clock) => (clock['originTick'] = '0x10')],
    ['another origin', (_, clock) => (clock['originTick'] = '5')],
    ['a negative step', (_, clock) => (clock['stepNs'] = -1)],
    ['threads of nobody', (_, clock) => (clock['threads'] = [{ pid: 4 }, 7, null])],
  ])('%s: stands as drawn, to the widest bound', async (_, change) => {
    const back = await changed(change)
    expect(clockOf(back)?.kind).toBe('host')
    expect(clockOf(back)?.stepNs).toBeGreaterThan(5e5)
    expect(back.snapshots).toEqual([])
    expect(back.spans.length).toBe(3)
  })
})
