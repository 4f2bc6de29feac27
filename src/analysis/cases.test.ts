// Small profiles written after public bug reports (testing/cases/): each of another kind of wrong verdict.
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { reasonsOf, summariseDevices } from './devices'
import { diagnose } from './diagnosis'
import type { Cause } from './replay/causes'
import { analyseRanks } from './ranks'

const FOLDER = 'src/analysis/testing/cases'
const fileOf = (number: string) => readdirSync(FOLDER).filter((name) => name.startsWith(`${number}-`))

async function analysed(file: string) {
  const { trace, notes } = await opened(readFileSync(`${FOLDER}/${file}`))
  const placed = placeTrace(trace)
  const reasons = reasonsOf(placed)
  const [device, ...more] = summariseDevices(placed, reasons)
  const [diagnosis] = diagnose(placed, device ? [device] : [], reasons)
  if (!device || !diagnosis || more.length > 0) throw new Error('not one device')
  const { findings, minor } = diagnosis
  const of = (cause: Cause) => [...findings, ...minor].find((each) => each.cause === cause)
  const gaps = (cause: Cause) => device.gaps.filter((gap) => gap.cause === cause)
  return { file, trace, notes, device, diagnosis, first: findings[0], of, gaps }
}
const only = (number: string) => analysed(fileOf(number)[0] ?? '')
const us = (gaps: readonly { readonly durationNs: number }[]) =>
  gaps.reduce((sum, { durationNs }) => sum + durationNs / 1e3, 0)

describe('cases from public reports', () => {
  it('08: one record that stands far too early is named, and takes nothing from the others', async () => {
    const { device, gaps, notes } = await only('08')
    expect(notes.join(' ')).toMatch(/\b1 record\b.*\border\b|\bone record\b.*\border\b/i)
    expect(device.spanUs).toBeCloseTo(4504, 0)
    expect(us(gaps('read-back'))).toBeCloseTo(2072, 0)
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
    expect(diagnosis.sentence).toMatch(
      /^With batches that are ready in time, a step would take 200 ms instead of 1 s/,
    )
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
    expect(doing).toContain('Nothing is recorded of its host then')
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
