// Small profiles written after public bug reports (testing/cases/): each of another kind of wrong
// verdict.
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { analyse } from './diagnosis'
import type { Cause } from './replay/causes'
import { analyseRanks } from './ranks'

const FOLDER = 'src/analysis/testing/cases'
const fileOf = (number: string) => readdirSync(FOLDER).filter((name) => name.startsWith(`${number}-`))

async function analysed(file: string) {
  const { trace, notes, skipped } = await opened(readFileSync(`${FOLDER}/${file}`))
  const { reasons, devices, diagnoses } = analyse(placeTrace(trace))
  const [[device, ...more], [diagnosis]] = [devices, diagnoses]
  if (!device || !diagnosis || more.length > 0) throw new Error('not one device')
  const { findings, minor } = diagnosis
  const of = (cause: Cause) => [...findings, ...minor].find((each) => each.cause === cause)
  const gaps = (cause: Cause) => device.gaps.filter((gap) => gap.cause === cause)
  const coverage = reasons?.records.coverage
  return { file, trace, notes, skipped, coverage, device, diagnosis, first: findings[0], of, gaps }
}
const only = (number: string) => analysed(fileOf(number)[0] ?? '')
const us = (gaps: readonly { readonly durationNs: number }[]) =>
  gaps.reduce((sum, { durationNs }) => sum + durationNs / 1e3, 0)

describe('cases from public reports', () => {
  it('01: copies of which only their arguments say which way they go', async () => {
    const { device, first } = await only('01')
    const [copies] = device.copies
    expect(copies).toMatchObject({ kind: 'HtoD pageable', count: 3, bytes: 25_165_824 })
    expect(copies?.gbPerS).toBeCloseTo(11.98, 2)
    expect(device.workUs).toBeCloseTo(900, 0)
    expect(device.workRatio).toBeCloseTo(0.279, 3)
    expect(first?.cause).toBe('pageable-copies')
    // The host spends two thirds of a step in them. Less is saved: pinned copies take time too.
    expect(first?.evidence).toContain('for 724 µs of each 1.09 ms step')
  })

  it('03: Intel’s names for what CUDA calls otherwise', async () => {
    const { device, first, gaps, coverage } = await only('03')
    expect(coverage).toMatchObject({ launches: 8, withoutRecord: 0 })
    expect(device.busyRatio).toBeCloseTo(0.8445, 3)
    expect(first?.cause).toBe('read-back')
    expect(us(gaps('read-back'))).toBeCloseTo(288, 0)
  })

  it('04: a launch brings one kernel, whatever correlation ROCm writes on it', async () => {
    const { device, coverage, first } = await only('04')
    expect(device.gaps.map(({ durationNs }) => Math.round(durationNs / 1e3))).toEqual([315, 15, 315])
    expect(device.gaps.every(({ cause }) => cause === 'host-code' || cause === 'dispatch')).toBe(true)
    expect(first?.what).toBe('aten::unique_dim')
    expect(coverage).toMatchObject({ launches: 4, withoutRecord: 0 })
  })

  it('06: a kernel at time 0, days before the rest, is no work', async () => {
    const { device, skipped, notes } = await only('06')
    expect(device.spanUs).toBeCloseTo(950, 0)
    expect(device.busyRatio).toBeCloseTo(0.842, 3)
    expect(skipped).toMatchObject([{ count: 1, reason: expect.stringContaining('time 0') as string }])
    expect(notes).toEqual([])
  })

  it('07: three names with quotes that are not escaped cost three events', async () => {
    const { device, skipped, gaps } = await only('07')
    expect(skipped).toMatchObject([{ count: 3, reason: expect.stringContaining('not JSON') as string }])
    expect(device.spanUs).toBeCloseTo(1054, 0)
    expect(device.busyRatio).toBeCloseTo(0.7173, 3)
    expect(us(gaps('read-back'))).toBeCloseTo(292, 0)
  })

  it('08: one record that stands far too early is named, and takes nothing from the others', async () => {
    const { device, gaps, notes } = await only('08')
    expect(notes.join(' ')).toMatch(/\b1 device record\b.*\border\b/i)
    expect(device.spanUs).toBeCloseTo(4504, 0)
    expect(us(gaps('read-back'))).toBeCloseTo(2072, 0)
  })

  it('09: two ranks in one file count correlations from the same number', async () => {
    const { trace } = await opened(readFileSync(`${FOLDER}/${fileOf('09')[0] ?? ''}`))
    const { reasons, devices } = analyse(placeTrace(trace))
    expect(devices).toHaveLength(2)
    for (const { busyRatio, gaps } of devices) {
      expect(busyRatio).toBeCloseTo(0.7173, 3)
      expect(us(gaps.filter(({ cause }) => cause === 'read-back'))).toBeCloseTo(292, 0)
    }
    expect(reasons?.records.coverage).toMatchObject({ launches: 12, withoutRecord: 0 })
  })

  it('10: a gzip that was cut is read as far as it goes', async () => {
    const { device, skipped, notes } = await only('10')
    expect(device.spans).toBeGreaterThanOrEqual(25)
    expect([...skipped.map(({ reason }) => reason), ...notes]).toEqual([
      'the file ends here: what came after is lost',
    ])
  })

  it('11: JAX names a device’s process, and nothing else', async () => {
    const { device, gaps, skipped } = await only('11')
    expect(device.busyRatio).toBeCloseTo(0.571, 3)
    expect(device.spanUs).toBeCloseTo(2484.875, 2)
    expect(device.collectives).toMatchObject([{ operation: 'allgather', count: 3, us: 450 }])
    expect(device.gaps.filter(({ durationNs }) => durationNs === 515_125)).toHaveLength(2)
    expect(gaps('unknown').length).toBe(device.gaps.length)
    expect(device.copies.map(({ kind }) => kind)).toEqual(['HtoD pageable', 'DtoH pageable'])
    expect(skipped).toEqual([])
  })

  it('17: a callback of the host in a CUDA graph is no pause of the GPU’s own', async () => {
    const { of, gaps, device } = await only('17')
    expect(us(gaps('host-callback'))).toBeCloseTo(12_030, 0)
    expect(us(gaps('host-callback')) / device.spanUs).toBeCloseTo(0.523, 2)
    expect(of('host-callback')?.what).toBe('offload_callback')
  })

  it('18: a read before long host work gains next to nothing', async () => {
    const { first, of, diagnosis } = await only('18')
    expect(first).toMatchObject({ cause: 'host-code', what: 'aten::index' })
    expect(first?.share).toBeGreaterThanOrEqual(0.95)
    expect(of('read-back')?.share ?? 0).toBeLessThanOrEqual(0.03)
    expect(of('read-back')?.without?.gain ?? 1).toBeLessThan(1.02)
    expect(diagnosis.findings.map(({ cause }) => cause)).not.toContain('read-back')
  })

  it('20: what comes before the first kernel of a step belongs to it', async () => {
    const { first, diagnosis } = await only('20')
    expect(first?.cause).toBe('data-loading')
    expect(diagnosis.steps).toMatchObject({ count: 1, medianUs: 1e6 })
    expect(first?.evidence).toMatch(/DataLoader for 800 ms of each 1 s step/)
    expect(diagnosis.sentence).toMatch(/^With batches ready in time, a step would take 200 ms instead of 1 s/)
  })

  it('21: empty_cache() in each step is allocation, with both calls', async () => {
    const { first, gaps, device } = await only('21')
    expect(first).toMatchObject({ cause: 'allocation', what: 'cudaFree and cudaMalloc' })
    expect(first?.mend).toContain('empty_cache()')
    expect(gaps('allocation').map(({ durationNs }) => Math.round(durationNs / 1e3))).toEqual([
      5700, 5700, 5700,
    ])
    expect(us(gaps('allocation')) / device.spanUs).toBeCloseTo(0.299, 2)
  })

  it('24: a rank that pauses once is late, and nothing says why', async () => {
    const analysis = analyseRanks(await Promise.all(fileOf('24').map(analysed)))
    expect(analysis.late).toMatchObject({ rank: 1, steps: [2] })
    expect(analysis.late?.totalUs).toBeCloseTo(250_000, -2)
    expect(analysis.ranks[0]?.waitedUs).toBeCloseTo(250_000, -2)
    const { sentence, doing } = analysis.verdict
    expect(sentence).toContain('Rank 1 is late by 250 ms in step 2')
    expect(doing).toContain('No host activity is recorded then')
    expect(doing).toContain('garbage collector')
  })

  it('25: collectives on the kernels’ stream can’t overlap there', async () => {
    const { first, diagnosis } = await only('25')
    expect(first?.cause).toBe('collectives')
    expect(first?.share).toBeCloseTo(0.4, 1)
    expect(diagnosis.parts.collectiveUs).toBeCloseTo(16_000, 0)
    expect(first?.evidence).toContain('stream 7')
    expect(diagnosis.findings.map(({ cause }) => cause)).not.toContain('synchronize')
  })
})
