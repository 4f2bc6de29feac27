import { describe, expect, it } from 'vitest'
import { flowsOfSpan, stepFlow, rowsWith } from './links'
import { ALL_REDUCE, madeUpRanks } from '../analysis/ranks/testing/made-up-ranks'
import { analyseRanks } from '../analysis/ranks'
import { FLOW_KINDS, spanKindIndex } from '../trace/schema'
import { Fixture, twoSubmissions } from './testing/fixture'
import fc from 'fast-check'
import { forAllOf } from '../testing/for-all'

describe('along the flows', () => {
  const { data, spans } = twoSubmissions()
  const of = (name: string): number => spans[name] ?? -1

  it('joins submit, pass and wait of one submission, and no other', () => {
    const { trace } = data.placed
    for (const name of ['submit 0', 'pass 0', 'wait 0', 'encode 0', 'queued 0'])
      expect(flowsOfSpan(trace, of(name))).toEqual([0, 1])
    expect(flowsOfSpan(trace, of('window'))).toEqual([])
  })

  it('steps back and on, and no further than the arrows go', () => {
    expect(stepFlow(data.placed, of('pass 1'), -1)).toBe(of('submit 1'))
    expect(stepFlow(data.placed, of('pass 1'), 1)).toBe(of('wait 1'))
    expect(stepFlow(data.placed, of('wait 1'), 1)).toBeNull()
    expect(stepFlow(data.placed, of('submit 1'), -1)).toBeNull()
  })

  it('goes back to the cause that ended last, on to the effect that began first', () => {
    const fixture = new Fixture()
    const [early, late, middle, soon, far] = [
      fixture.span('host', 'submit', 10_000, 11_000),
      fixture.span('host', 'submit', 12_000, 14_000),
      fixture.span('device', 'compute', 20_000, 21_000),
      fixture.span('host', 'host-wait', 22_000, 23_000),
      fixture.span('host', 'host-wait', 24_000, 25_000),
    ]
    for (const from of [late, early]) fixture.builder.addFlow(from, middle, 'submit')
    for (const to of [far, soon]) fixture.builder.addFlow(middle, to, 'sync')
    const { placed } = fixture.data()
    expect(stepFlow(placed, middle, -1)).toBe(late)
    expect(stepFlow(placed, middle, 1)).toBe(soon)
  })
})

it('finds all of a submission among many, also where the device’s spans are recorded last', () => {
  const fixture = new Fixture()
  const count = 6000
  const submits = Array.from({ length: count }, (_, submission) =>
    fixture.span('host', 'submit', submission * 10, submission * 10 + 5, { submission }),
  )
  for (let submission = count - 1; submission >= 0; submission -= 1) {
    const pass = fixture.span('device', 'compute', submission * 20, submission * 20 + 9, { submission })
    fixture.builder.addFlow(submits[submission] ?? -1, pass, 'submit')
    // Into the next submission: only the flow's own ends show it.
    fixture.builder.addFlow(pass, submits[submission + 1] ?? submits[0] ?? -1, 'sync')
  }
  const { trace } = fixture.data().placed
  const { flows, spans } = trace
  for (let span = 0; span < spans.length; span += 577) {
    const own = spans.submission[span] ?? -1
    const members = [...spans.submission.keys()].filter((each) => spans.submission[each] === own)
    const isOwn = (flow: number) => {
      const ends = [flows.from[flow] ?? -1, flows.to[flow] ?? -1]
      return ends.includes(span) || ends.every((end) => members.includes(end))
    }
    expect(flowsOfSpan(trace, span)).toEqual([...flows.kind.keys()].filter(isOwn))
  }
})

describe('a collective of several ranks', () =>
  it('is joined to all its ranks, whichever of them is asked, and where the waiting is', async () => {
    const { joined } = analyseRanks(
      await madeUpRanks({
        ranks: 3,
        stepsUs: [1000, 1100],
        collectives: [ALL_REDUCE],
        transferUs: 100,
        laterUs: (rank) => 300 * rank,
      }),
    )
    if (!joined) throw new Error('nothing was joined')
    const { spans, flows, collectives } = joined
    const members = [...collectives.span].filter((_, row) => collectives.match[row] === 0)
    expect(members).toHaveLength(3)
    const arrowsOf = (span: number) =>
      flowsOfSpan(joined, span).filter((flow) => FLOW_KINDS[flows.kind[flow] ?? -1] === 'collective')
    const [first = -1] = members
    expect(arrowsOf(first)).toHaveLength(2)
    for (const member of members) expect(arrowsOf(member)).toEqual(arrowsOf(first))
    const wait = spans.kind.indexOf(spanKindIndex('collective-wait'))
    expect(arrowsOf(wait)).toEqual(arrowsOf(first))
  }))

/** Long enough for several zones, in some order or none. */
const column = fc
  .record({
    length: fc.integer({ min: 0, max: 20_000 }),
    rise: fc.constantFrom(0, 1, 7),
    noise: fc.constantFrom(1, 5, 9000),
    gaps: fc.constantFrom(1, 3),
  })
  .map(({ length, rise, noise, gaps }) =>
    Int32Array.from({ length }, (_, row) =>
      row % gaps === 1 ? -1 : Math.floor((row * rise) / 8) + ((Math.imul(row, 0x9e3779b1) >>> 8) % noise),
    ),
  )

it('finds the rows that a look at all would find, none of them for what stands for none', () =>
  forAllOf(50)(
    column,
    fc.array(fc.integer({ min: -1, max: 20_000 }), { maxLength: 5 }),
    fc.nat(20_000),
    (values, sought, end) => {
      const length = Math.min(end, values.length)
      const isSought = (value = -1) => value >= 0 && sought.includes(value)
      const all = [...values.subarray(0, length).keys()].filter((row) => isSought(values[row]))
      expect(rowsWith(values, length, sought)).toEqual(all)
    },
  ))

it('looks at few rows where there is an order', () => {
  const length = 100_000
  let read = 0
  const rising = new Proxy(
    Uint32Array.from({ length }, (_, row) => row >> 1),
    {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) read += 1
        const value: unknown = Reflect.get(target, key)
        return value
      },
    },
  )
  rowsWith(rising, length, [0])
  read = 0
  expect(rowsWith(rising, length, [3, 40_000])).toEqual([6, 7, 80_000, 80_001])
  expect(read).toBeLessThan(10_000)
})
