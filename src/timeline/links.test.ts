import { describe, expect, it } from 'vitest'
import { chainOf, flowsOfSpan, neighboursOf, stepFlow } from './links'
import { ALL_REDUCE, madeUpRanks } from '../analysis/ranks/testing/made-up-ranks'
import { analyseRanks } from '../analysis/ranks'
import { FLOW_KINDS, spanKindIndex } from '../trace/schema'
import { Fixture, twoSubmissions } from './testing/fixture'

/** A row of passes, each the cause of the next. */
const chain = (length: number) => {
  const fixture = new Fixture()
  const spans = Array.from({ length }, (_, at) =>
    fixture.span('device', 'compute', 10_000 + at * 1000, 10_500 + at * 1000),
  )
  for (let at = 1; at < length; at += 1) fixture.builder.addFlow(spans[at - 1] ?? 0, spans[at] ?? 0, 'submit')
  return { ...fixture.data(), spans }
}

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

  it('gives the whole chain, both ways', () => {
    const { placed, spans: all } = chain(9)
    const found = chainOf(placed.trace, all[4] ?? -1)
    expect([...found.spans].sort((a, b) => a - b)).toEqual(all)
    expect(found.flows).toHaveLength(8)
    expect(found.isCut).toBe(false)
    expect(flowsOfSpan(placed.trace, all[4] ?? -1)).toHaveLength(2)
  })

  it('is cut at the nearest, and says so', () => {
    const { placed, spans: all } = chain(1000)
    const found = chainOf(placed.trace, all[500] ?? -1)
    expect(found.isCut).toBe(true)
    expect(found.flows.length).toBeGreaterThan(100)
    expect(found.flows.length).toBeLessThanOrEqual(200)
    for (const span of found.spans) expect(Math.abs(span - (all[500] ?? 0))).toBeLessThanOrEqual(100)
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
