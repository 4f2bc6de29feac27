/**
 * Files that do not belong together, are missing, or say too little: a sentence each, and what can
 * be shown is shown.
 */
import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../../trace/formats/import/testing/kineto-file'
import { opened } from '../../trace/formats/import/testing/read-back'
import { analyseRanks, type RankInput } from '.'
import { ALL_REDUCE, kinetoOf, madeUpRanks, type MadeUp } from './testing/made-up-ranks'

const made: MadeUp = {
  ranks: 3,
  stepsUs: [3000, 2500, 4000, 3500, 2800, 3300],
  collectives: [ALL_REDUCE],
  transferUs: 300,
  laterUs: (rank) => (rank === 1 ? 500 : 0),
}
const codes = (inputs: readonly RankInput[]) => analyseRanks(inputs).problems.map(({ code }) => code)
const of = async (file: string, kineto: KinetoFile): Promise<RankInput> => ({
  file,
  trace: (await opened(kineto.bytes())).trace,
})

describe('files of one run', () => {
  it('have no problem', async () => expect(codes(await madeUpRanks(made))).toEqual([]))

  it('are analysed without a rank that is missing, which is said', async () => {
    const [zero, , two] = await madeUpRanks(made)
    if (!zero || !two) throw new Error('too few')
    const { problems, ranks, late } = analyseRanks([two, zero])
    expect(problems.map(({ message }) => message)).toEqual([
      '2 of 3 ranks are here; rank 1 is missing, and may be the one that the others wait for.',
    ])
    expect(ranks.map(({ rank }) => rank)).toEqual([0, 2])
    expect(late).toBeNull()
  })

  it('count once, whether given twice or recorded twice', async () => {
    const ranks = await madeUpRanks(made)
    const again = { file: 'copy.json', trace: (await opened(kinetoOf(made, 1).bytes())).trace }
    const other = await of('later.json', kinetoOf({ ...made, offsetUs: () => 1e6 }, 1))
    const { problems, late, ranks: summaries } = analyseRanks([...ranks, again, other])
    expect(problems.map(({ code }) => code)).toEqual(['same-rank', 'same-rank'])
    expect(problems[0]?.message).toBe(
      "'copy.json' and 'made-up-rank1.json' are both from rank 1: only the latter is used.",
    )
    expect(summaries).toHaveLength(3)
    expect(late).toMatchObject({ rank: 1, totalUs: expect.closeTo(6 * 500, -1) as number })
  })

  it('are known by their names where they do not say their rank, and not else', async () => {
    const plain = () => new KinetoFile().collective('ncclDevKernel_AllReduce', 1, [10, 20])
    const inputs = [
      await of('/tmp/run/rank_7.pt.trace.json', plain()),
      await of('trace-rank12.json', plain().kernel('gemm', 2, [30, 40])),
      await of('frank1.json', plain()),
    ]
    const { ranks, problems } = analyseRanks(inputs)
    expect(ranks.map(({ rank }) => rank)).toEqual([7, 12])
    expect(problems.map(({ code }) => code)).toEqual(['rank-from-name', 'rank-from-name', 'no-rank'])
  })

  it('alone say that one side is not enough', async () => {
    const [zero] = await madeUpRanks({ ...made, ranks: 1 })
    if (!zero) throw new Error('none')
    const { problems, ranks, joined } = analyseRanks([zero])
    expect(problems.map(({ code }) => code)).toEqual(['too-few-ranks'])
    expect(ranks[0]).toMatchObject({ waitedUs: null, device: 'device 0' })
    expect(joined?.spans.length).toBe(zero.trace.spans.length)
  })
})

describe('files of different runs', () => {
  it('with another number of ranks are left out', async () => {
    const ranks = await madeUpRanks(made)
    const stranger = await of('stranger.json', kinetoOf({ ...made, ranks: 8, worldSize: 8 }, 5))
    const { problems, ranks: summaries } = analyseRanks([...ranks, stranger])
    expect(problems.map(({ message }) => message)).toEqual([
      "'stranger.json' is from a run with 8 ranks, the others are from one with 3: it is left out.",
    ])
    expect(summaries).toHaveLength(3)
  })

  it('with other collectives are not matched', async () => {
    const one = { ...made, ranks: 2 }
    const other = { ...one, collectives: [{ operation: 'allreduce', elements: 77 }] }
    const { problems, ranks, late, joined } = analyseRanks([
      await of('a.json', kinetoOf(one, 0)),
      await of('b.json', kinetoOf(other, 1)),
    ])
    expect(problems.map(({ code }) => code)).toEqual(['mismatch', 'no-collectives'])
    expect(problems[0]?.message).toMatch(
      /^Collective \d of rank 1 is allreduce of 308 bytes in group 0, where rank 0 has allreduce of 4 MiB/,
    )
    expect(ranks.map(({ waitedUs }) => waitedUs)).toEqual([null, null])
    expect(ranks.every(({ workRatio }) => (workRatio ?? 0) > 0.5)).toBe(true)
    expect(late).toBeNull()
    expect(joined?.lanes.filter(({ kind }) => kind === 'device')).toHaveLength(2)
  })

  it('that did the same at other times cannot be aligned, and wait for nobody', async () => {
    const one = { ...made, ranks: 2, transferUs: 50 }
    const other = { ...one, stepsUs: [2000, 6000, 9000, 1000, 7000, 1500] }
    const { problems, ranks, alignment } = analyseRanks([
      await of('a.json', kinetoOf(one, 0)),
      await of('b.json', kinetoOf(other, 1)),
    ])
    expect(problems.map(({ code }) => code)).toEqual(['not-aligned'])
    expect(problems[0]?.message).toContain('The clock of rank 1 cannot be aligned')
    expect(alignment.map(({ use }) => use)).toEqual(['reference', 'none'])
    expect(ranks.map(({ waitedUs }) => waitedUs)).toEqual([null, null])
  })

  it('from hours apart are aligned, and said to be', async () => {
    const day = { ...made, ranks: 2, offsetUs: (rank: number) => rank * 24 * 3.6e9 }
    const { problems, alignment, late } = analyseRanks(await madeUpRanks(day))
    expect(problems.map(({ message }) => message)).toEqual([
      'By the time of day in the files, rank 1 was recorded 24.0 h after rank 0: they may be from different runs.',
    ])
    expect(alignment[1]?.use).toBe('aligned')
    expect(late?.rank).toBe(1)
  })
})

describe('collectives', () => {
  it('that only a root’s data bind do not align clocks', async () => {
    const inputs = await madeUpRanks({
      ...made,
      ranks: 2,
      collectives: [{ operation: 'broadcast', elements: 64 }],
    })
    const { problems, alignment } = analyseRanks(inputs)
    expect(problems.map(({ message }) => message)).toEqual([
      'The clock of rank 1 cannot be aligned: it has no all-reduce, all-gather, reduce-scatter or barrier in common with another rank.',
    ])
    expect(alignment[1]?.boundUs).toBeNull()
  })

  it('that are not there are said to be missing', async () => {
    const silent = new KinetoFile({ distributed: { rank: 1, world_size: 2 } }).kernel('gemm', 1, [0, 9])
    const { problems, ranks } = analyseRanks([
      await of('a.json', kinetoOf({ ...made, ranks: 2 }, 0)),
      await of('b.json', silent),
    ])
    expect(problems.map(({ code }) => code)).toEqual(['no-collectives'])
    expect(problems[0]?.message).toContain('profile of rank 1')
    expect(ranks).toHaveLength(2)
  })

  it('count in the backend’s own numbers where the files have them, gaps and all', async () => {
    const file = (rank: number, numbers: readonly number[]) => {
      const kineto = new KinetoFile({ distributed: { rank, world_size: 2 } })
      for (const Seq of numbers)
        kineto.collective('ncclDevKernel_AllReduce', Seq, [Seq * 100 + rank * 10, Seq * 100 + 50], {
          'Collective name': 'allreduce',
          Seq,
        })
      return kineto
    }
    const { matches } = analyseRanks([
      await of('a.json', file(0, [1, 2, 4, 5, 6])),
      await of('b.json', file(1, [2, 3, 4, 6, 7])),
    ])
    expect(matches.map(({ members }) => members.map(({ collective }) => collective.sequence))).toEqual([
      [2, 2],
      [4, 4],
      [6, 6],
    ])
  })
})

describe('clocks', () => {
  it('that agree within the bound stay as they are; an outlier among the ends is left out', async () => {
    const ends: MadeUp = {
      ...made,
      ranks: 2,
      leavesUs: (rank, index) => (rank === 1 ? (index === 3 ? 250 : (index % 3) * 2) : 0),
    }
    const [, same] = analyseRanks(await madeUpRanks(ends)).alignment
    expect(same).toMatchObject({ use: 'file', offsetUs: 0, driftPpm: 0, used: 5, rejected: 1 })
    expect(same?.boundUs).toBeLessThan(5)
    const [, moved] = analyseRanks(await madeUpRanks({ ...ends, offsetUs: (rank) => 40 * rank })).alignment
    expect(moved).toMatchObject({ use: 'aligned', used: 5, rejected: 1 })
    expect(Math.abs((moved?.offsetUs ?? 0) + 40)).toBeLessThan(5)
  })

  it('that drift apart are put straight', async () => {
    const [, clock] = analyseRanks(
      await madeUpRanks({
        ...made,
        ranks: 2,
        driftPpm: (rank) => rank * 2000,
        leavesUs: (_, index) => index % 2,
      }),
    ).alignment
    expect(clock?.driftPpm).toBeGreaterThan(-2100)
    expect(clock?.driftPpm).toBeLessThan(-1900)
    expect(clock?.boundUs).toBeLessThan(3)
  })
})

describe('the cause of lateness', () => {
  const inSteps = { ...made, ranks: 2, laterUs: () => 0 }
  it('is that its device computed longer', async () => {
    const { late, lateEvidence } = analyseRanks(
      await madeUpRanks({ ...inSteps, laterUs: (rank) => 900 * rank }),
    )
    expect(late).toMatchObject({ rank: 1, cause: 'more-work' })
    expect(late?.medianUs).toBeNull()
    expect(Math.abs((late?.totalUs ?? 0) / made.stepsUs.length - 900)).toBeLessThan(1)
    expect(lateEvidence).toMatch(
      /^Its kernels and copies ran for 9\d\d µs a collective longer than the others’ on average/,
    )
  })

  it('is what its host did while its device was idle', async () => {
    const { late, lateEvidence } = analyseRanks(
      await madeUpRanks({ ...inSteps, launchedLaterUs: (rank) => 900 * rank }),
    )
    expect(late).toMatchObject({ rank: 1, cause: 'host-code' })
    expect(lateEvidence).toMatch(/^Its device was idle for \d+ µs a collective longer/)
  })
})
