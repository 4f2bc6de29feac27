/** Two of four ranks as recorded on H200 (public/recordings/README.md): what is really in them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opened } from '../../trace/formats/import/testing/read-back'
import { SPAN_KINDS } from '../../trace/schema'
import { analyseRanks, clockText } from '.'
import { traceEventText } from '../../trace/formats/testing/validate-trace-event'

const read = async (rank: number) => {
  const file = `public/recordings/torch-nccl-rank${String(rank)}.json.gz`
  return { file, trace: (await opened(readFileSync(file))).trace }
}
const analysed = async () => analyseRanks([await read(0), await read(1)])

describe('the recorded ranks', () => {
  it('have all sixteen collectives and messages in common, of which the all-reduces synchronise', async () => {
    const { matches, problems } = await analysed()
    expect(problems.map(({ code }) => code)).toEqual(['missing-ranks'])
    expect(matches.map(({ match }) => match.operation)).toEqual(
      Array.from({ length: 4 }, () => ['allreduce', 'broadcast', 'gather', 'send']).flat(),
    )
    expect(matches.filter(({ match }) => match.isSynchronising)).toHaveLength(4)
  })

  it('have device times that drift apart by 32 µs within 15 ms of one host: aligned, they agree within 4 µs', async () => {
    const { alignment } = await analysed()
    const [, clock] = alignment
    expect(clock).toMatchObject({ use: 'aligned', used: 4, rejected: 0 })
    expect(clock?.boundUs).toBeLessThan(4)
    expect(clock?.offsetUs).toBeGreaterThan(-30)
    expect(clock?.offsetUs).toBeLessThan(-15)
    expect(clock && clockText(clock)).toMatch(
      /^Moved 21 µs back .* 0\.239 % too slow: then the ends of 4 collectives/,
    )
  })

  it('are balanced but for the first step, in which rank 1 began half a millisecond late', async () => {
    const { late, matches, ranks } = await analysed()
    expect(late).toBeNull()
    const reduces = matches.filter(({ match }) => match.operation === 'allreduce')
    expect(reduces[0]?.last.rank).toBe(1)
    expect(reduces.map(({ lateNs }) => Math.round(lateNs / 1e5))).toEqual([5, 0, 0, 0])
    for (const { waitedUs } of ranks) {
      expect(waitedUs).toBeGreaterThan(400)
      expect(waitedUs).toBeLessThan(650)
    }
  })

  it('come back from an export of the joined trace with devices, waits and matches', async () => {
    const { joined } = await analysed()
    if (!joined) throw new Error('nothing was joined')
    const { trace } = await opened(traceEventText(joined))
    const count = (of: typeof trace, kind: string) =>
      Array.from(of.spans.kind).filter((each) => SPAN_KINDS[each] === kind).length
    for (const kind of ['compute', 'collective', 'collective-wait', 'transfer'])
      expect([kind, count(trace, kind)]).toEqual([kind, count(joined, kind)])
    expect(count(joined, 'collective-wait')).toBeGreaterThan(4)
    expect([...trace.collectives.match].sort((a, b) => a - b)).toEqual(
      [...joined.collectives.match].sort((a, b) => a - b),
    )
    const groups = (of: typeof trace) => [
      ...new Set(of.lanes.filter(({ kind }) => kind === 'device').map(({ group }) => group)),
    ]
    expect(groups(trace)).toEqual(groups(joined))
    expect(groups(trace)).toEqual(['rank 0 · device 0', 'rank 1 · device 1'])
  })
})
