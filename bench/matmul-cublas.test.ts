import { describe, expect, it } from 'vitest'
import { joinCublas } from './matmul-cublas'
import type { Results, Row } from './matmul-results'
import { markdownTable } from './matmul-tables'

const lab: Row = {
  library: 'lab',
  kernel: 'one',
  shape: [1000, 500, 1000],
  tflops: 1,
  low: 0.9,
  high: 1.1,
  n: 5,
  verified: true,
}
const RESULTS: Results = {
  adapter: 'A GPU',
  userAgent: 'Chrome/156.0',
  date: '2026-11-24T10:00:00.000Z',
  versions: { lab: '0.2.0' },
  scheduling: { lab: 'all at once' },
  method: 'with care',
  fmaPeakTflops: null,
  emptyChainMs: null,
  rows: [lab],
  ratios: [],
  details: [],
}
const ROW = {
  shape: [1000, 500, 1000],
  samplesMs: [0.5, 0.5, 0.4, 0.6, 0.5],
  products: 200,
  checked: 4000,
  maxRelativeError: 1e-7,
  tolerance: 1e-5,
}
const CUBLAS = {
  device: 'A GPU',
  date: '2026-11-24T10:05:00.000000+00:00',
  versions: { torch: '2.9', cuda: '12.8' },
  method: 'in a graph',
  rows: [ROW],
}
const join = (more: object, results = RESULTS): Results =>
  joinCublas(results, JSON.stringify({ ...CUBLAS, ...more }))

describe('cuBLAS beside the lab', () => {
  it('has a row of its median, a ratio of the ends of both, and its method', () => {
    const joined = join({})
    const row = joined.rows.at(-1)
    expect(row).toMatchObject({ library: 'cublas', n: 5, verified: true })
    expect(row?.tflops).toBeCloseTo(2, 9) // 10^9 operations in half a millisecond
    const [ratio] = joined.ratios
    expect(ratio).toMatchObject({ library: 'cublas', isBest: false })
    expect(ratio?.ratio).toBeCloseTo(0.5, 9)
    expect(ratio?.low).toBeCloseTo(0.9 / (row?.high ?? 0), 9)
    expect(ratio?.high).toBeCloseTo(1.1 / (row?.low ?? 0), 9)
    expect(joined.scheduling).toEqual({ lab: 'all at once', cublas: 'in a graph' })
    expect(joined.details.at(-1)).toMatchObject({ library: 'cublas', samplesMs: ROW.samplesMs })
  })

  it('has a column of its rate, and one of the lab’s share of it', () => {
    const [made, , heads, , cells] = markdownTable(join({})).split('\n')
    expect(made).toContain('cuBLAS of CUDA 12.8, PyTorch 2.9')
    expect(heads).toMatch(/ lab \| cuBLAS \| .*lab ÷ cuBLAS/)
    expect(cells).toContain('| 2 |')
    expect(cells).toContain('| 50 % |')
  })

  it('is joined once, however often', () => {
    expect(join({}, join({}))).toEqual(join({}))
  })

  it('has no figure where its result is wrong', () => {
    const joined = join({ rows: [{ ...ROW, maxRelativeError: 1e-3 }] })
    expect(joined.rows.at(-1)).toMatchObject({ tflops: null, verified: false, error: 'its result is wrong' })
    expect(joined.ratios).toEqual([])
  })

  it.each([
    [{ device: 'Another' }, /on Another, the bench on A GPU/],
    [{ date: '2026-11-24T09:59:00Z' }, /within the hour after/],
    [{ date: '2026-11-24T12:00:00Z' }, /within the hour after/],
    [{ rows: [] }, /no time of cuBLAS for 1000×500×1000/],
    [{ rows: [{ ...ROW, samplesMs: [] }] }, /samplesMs/],
  ])('%j is refused', (more, message) => {
    expect(() => join(more)).toThrow(message)
  })
})
