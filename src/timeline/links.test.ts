import { describe, expect, it } from 'vitest'
import { flowsOfSpan, neighboursOf, stepFlow } from './links'
import { ALL_REDUCE, madeUpRanks } from '../analysis/ranks/testing/made-up-ranks'
import { analyseRanks } from '../analysis/ranks'
import { FLOW_KINDS, spanKindIndex } from '../trace/schema'
import { Fixture, twoSubmissions } from './testing/fixture'

describe('along the flows', () => {
  const { data, spans } = twoSubmissions()
  const of = (name: string): number => spans[name] ?? -1

  it('knows what leads to a span and what follows from it', () => {
    expect(neighboursOf(data.placed.trace, of('pass 0'))).toEqual({
      causes: [of('submit 0')],
      effects: [of('wait 0')],
    })
    expect(neighboursOf(data.placed.trace, of('encode 0'))).toEqual({ causes: [], effects: [] })
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
