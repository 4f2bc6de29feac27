/**
 * Several files through the import worker: what crosses is plain, and what can be shown is shown.
 */
import { LIMITS } from '../../trace/budget'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { analyseRanks } from '../../analysis/ranks'
import { fileName, kinetoOf, lateByOne } from '../../analysis/ranks/testing/made-up-ranks'
import { opened } from '../../trace/formats/import/testing/read-back'
import type { NamedFile } from './protocol'
import { importAcross } from './testing/import-across'

const LATE = lateByOne(3)
const given = (name: string, content: string | Uint8Array<ArrayBuffer>): NamedFile => ({
  name,
  blob: new Blob([content]),
})
const rankFile = (rank: number, made = LATE) => given(fileName(rank), kinetoOf(made, rank).text())
const recorded = async (rank: number): Promise<NamedFile> => {
  const name = `torch-nccl-rank${String(rank)}.json.gz`
  return given(name, new Uint8Array(await readFile(`public/recordings/${name}`)))
}

async function read(files: readonly NamedFile[] | Uint8Array) {
  const { said, fault, reading } = await importAcross(
    files instanceof Uint8Array ? new Blob([new Uint8Array(files)]) : { files },
  )
  return { progress: said, fault, facts: reading }
}
const problemsOf = (facts: Awaited<ReturnType<typeof read>>['facts']) => facts?.ranks?.problems.shown ?? []

describe('files of several ranks', () => {
  it('cross as the one trace that the analysis joins, with who is late and why', async () => {
    const files = [2, 0, 1].map((rank) => rankFile(rank))
    const { facts } = await read(files)
    const inputs = await Promise.all(
      files.map(async ({ name, blob }) => ({
        file: name,
        trace: (await opened(new Uint8Array(await blob.arrayBuffer()))).trace,
      })),
    )
    const analysis = analyseRanks(inputs)
    expect(facts?.trace).toEqual({
      ...analysis.joined,
      info: { ...analysis.joined?.info, origin: 'imported' },
    })
    expect(facts?.ranks).toMatchObject({ title: 'Ranks 0 to 2', lateRank: 1 })
    expect(facts?.ranks?.verdict).toEqual(analysis.verdict)
    expect(facts?.ranks?.verdict?.sentence).toBe(
      'Rank 1 is late by 1 ms a step (median), 3 ms in all, in steps 4 to 6, and the others wait for it: its kernels and copies take longer.',
    )
    expect(facts?.ranks?.ranks.shown.map(({ rank, file }) => [rank, file])).toEqual(
      [0, 1, 2].map((rank) => [rank, fileName(rank)]),
    )
    expect(problemsOf(facts)).toEqual([])
    // Each rank's device has its diagnosis, in which each moment counts once.
    expect(facts?.ranks?.ranks.shown.map(({ device }) => device)).toEqual(
      facts?.diagnoses.map(({ device }) => device),
    )
    for (const { parts, spanUs } of facts?.diagnoses ?? [])
      expect(Object.values(parts).reduce((sum: number, part: number) => sum + part, 0)).toBeCloseTo(spanUs, 3)
    const waits = facts?.diagnoses.map(({ parts }) => Math.round(parts.waitUs / 100)) ?? []
    expect(waits).toEqual([30, 0, 30])
    expect(facts?.diagnoses[0]?.findings[0]?.cause).toBe('late-rank')
    expect(facts?.diagnoses.flatMap(({ findings }) => findings.map(({ mend }) => mend)).join()).not.toContain(
      'One rank’s file',
    )
  })

  it('name the collective in which a rank waited longest, on that rank', async () => {
    const { facts } = await read([rankFile(0), rankFile(1), rankFile(2)])
    if (!facts) throw new Error('nothing was shown')
    const { lanes, spans, collectives } = facts.trace
    const span = facts.ranks?.longestWait ?? -1
    // From its own begin to the late rank's and on to the end: all of the wait is in it.
    expect(lanes[spans.lane[span] ?? -1]?.group).not.toBe('rank 1 · device 0')
    const row = collectives.span.indexOf(span)
    const waitNs = collectives.waitNs[row] ?? 0
    expect(waitNs).toBe(Math.max(...collectives.waitNs.subarray(0, collectives.length)))
    expect((spans.end[span] ?? 0) - (spans.start[span] ?? 0)).toBeGreaterThan(waitNs)
  })

  it('as recorded are none late, and say that two are missing', async () => {
    const { facts, progress } = await read([await recorded(0), await recorded(1)])
    expect(facts?.ranks).toMatchObject({ title: 'Ranks 0 and 1', lateRank: null })
    expect(facts?.ranks?.verdict?.kind).toBe('balanced')
    expect(problemsOf(facts).join()).toContain('ranks 2, 3 are missing')
    const fractions = progress.map(({ fraction }) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(progress.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining([
        'Reading torch-nccl-rank0.json.gz (1 of 2)',
        'Reading torch-nccl-rank1.json.gz (2 of 2)',
        'Matching the ranks',
      ]),
    )
  })
})

describe('files that do not belong together', () => {
  it('are held against one budget: what is too large beside the others is said, before it is read', async () => {
    const size = LIMITS.bytes.most
    const blob = Object.defineProperties(new Blob(['{}']), {
      size: { value: size },
      slice: { value: () => expect.unreachable('it was read') as Blob },
    })
    const { facts } = await read([rankFile(0), { name: 'huge.json', blob }, rankFile(1)])
    expect(facts?.ranks?.ranks.count).toBe(2)
    expect(facts?.ranks?.problems.shown[0]).toMatch(
      /^‘huge\.json’ cannot be read\. The file is too large: 2,000,000,000 bytes beside the files before it, where at most [\d,]+ are read\.$/,
    )
  })

  it('one that cannot be read is a sentence, and the others are shown', async () => {
    const { facts } = await read([rankFile(0), given('broken.json', 'hello'), rankFile(1)])
    expect(facts?.ranks?.title).toBe('Ranks 0 and 1')
    expect(problemsOf(facts)[0]).toMatch(/^‘broken\.json’ cannot be read\. ./)
  })

  it('one that the browser does not hand over is a sentence', async () => {
    const gone = new Blob(['{}'])
    const part = Object.assign(new Blob(), {
      arrayBuffer: () => Promise.reject(new Error('it was moved')),
    })
    gone.slice = () => part
    const { facts } = await read([rankFile(0), { name: 'gone.json', blob: gone }, rankFile(1)])
    expect(facts?.ranks?.title).toBe('Ranks 0 and 1')
    expect(problemsOf(facts)[0]).toContain('it was moved')
  })

  it('one that is of no rank is left out; of none at all the first is shown', async () => {
    const plain = (name: string) =>
      given(name, '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}]}')
    const { facts } = await read([plain('a.json'), plain('b.json')])
    expect(facts?.ranks).toMatchObject({ title: 'a.json', verdict: null, longestWait: null })
    expect(problemsOf(facts)).toHaveLength(2)
    expect(facts?.trace.spans.length).toBe(1)
  })

  it('none that can be read is a fault that names each', async () => {
    const { fault } = await read([given('a.json', ''), given('b.json', 'hello')])
    expect(fault).toMatchObject({ code: 'file' })
    expect(fault?.message).toContain('‘a.json’ cannot be read. ')
    expect(fault?.message).toContain('‘b.json’ cannot be read. ')
    expect(fault?.hint?.length).toBeGreaterThan(10)
  })
})
