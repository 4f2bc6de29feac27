import { describe, expect, it } from 'vitest'
import type { Results } from './matmul-results'
import { markdownTable, notesText, readResults, shapeTable } from './matmul-tables'

const row = {
  library: 'lab',
  kernel: 'vectorised 128×128×16',
  shape: [4096, 4096, 4096],
  n: 9,
  verified: true,
} as const
const RESULTS: Results = {
  adapter: 'Some GPU',
  userAgent: 'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36',
  date: '2026-11-21T10:00:00.000Z',
  versions: { lab: '0.1.0', tfjs: '4.22.0' },
  scheduling: { lab: 'all at once' },
  method: 'with care',
  fmaPeakTflops: { value: 60, low: 59, high: 61 },
  emptyChainMs: 0.123,
  rows: [
    { ...row, tflops: 45.04, low: 44.9, high: 45.1 },
    { ...row, library: 'tfjs', kernel: 'matMul', tflops: 22.5, low: 22, high: 23 },
    {
      ...row,
      library: 'jax',
      kernel: 'matmul',
      tflops: null,
      low: null,
      high: null,
      n: 0,
      verified: false,
      error: 'no | device',
    },
    { ...row, shape: [1, 64, 64], tflops: 0.00123, low: 0.001, high: 0.002 },
  ],
  ratios: [
    { shape: [4096, 4096, 4096], library: 'tfjs', ratio: 2.0018, low: 1.95, high: 2.05, isBest: true },
  ],
  details: [
    {
      library: 'lab',
      kernel: 'vectorised 128×128×16',
      shape: [4096, 4096, 4096],
      checked: 256,
      failed: 0,
      maxRelativeError: 1e-7,
      tolerance: 1e-5,
      products: [33, 99],
      dispatchesPerProduct: 1,
      productsPerSubmit: 15.2,
      hostShare: 0.014,
      fixedMs: 3.04,
      samplesMs: [3.05],
    },
  ],
}

describe('the table of a shape', () => {
  it('has a line a library, its figure or why it has none', () => {
    const lines = shapeTable(RESULTS, [4096, 4096, 4096]).split('\n')
    expect(lines[0]).toBe('4096³')
    expect(lines[1]).toContain('TFLOP/s')
    expect(lines[2]).toMatch(/^lab +vectorised 128×128×16 +45\.04 +44\.9 … 45\.1 +75 % +1 % +9$/)
    expect(lines[3]).toMatch(/^tfjs +matMul +22\.5 +22 … 23 +2 \(1\.95 … 2\.05\) best +38 % +9$/)
    expect(lines[4]).toMatch(/^jax +matmul +–$/)
    expect(lines[5]).toBe('jax matmul: no | device')
    expect(lines).toHaveLength(6)
  })

  it('is in GFLOP/s where all are small', () => {
    const text = shapeTable(RESULTS, [1, 64, 64])
    expect(text).toContain('GFLOP/s')
    expect(text).toContain('1.23')
  })
})

describe('notes', () => {
  it('say what the figures leave out, and where the peak comes from', () => {
    const notes = notesText(RESULTS)
    expect(notes).toContain('60 TFLOP/s (59 … 61)')
    expect(notes).toContain('lab 3.0 ms')
    expect(notes).toContain('0.12 ms')
    expect(notes).toContain('lab: all at once')
    const without = notesText({
      ...RESULTS,
      fmaPeakTflops: null,
      fmaPeakNote: 'no such kernel',
      emptyChainMs: null,
      details: [],
    })
    expect(without).toContain('peak: not measured (no such kernel)')
    expect(without).toContain('not measured; a chain of no products: not measured')
  })
})

describe('the table in Markdown', () => {
  it('has a line a shape and a column a library', () => {
    expect(markdownTable(RESULTS).split('\n')).toEqual([
      'f32 matrix product, TFLOP/s, on Some GPU, Chromium 156, 2026-11-21, lab 0.1.0, tfjs-backend-webgpu 4.22.0, measured peak 60 TFLOP/s.',
      '',
      '| M×N×K | lab | tfjs-backend-webgpu | jax-js | lab ÷ best other | of peak | lab’s kernel |',
      '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
      '| 4096³ | 45 | 22.5 | no \\| device | 2 (1.95 to 2.05) | 75 % | vectorised 128×128×16 |',
      '| 1×64×64 | 0.00123 | – | – | – | 0 % | vectorised 128×128×16 |',
    ])
  })

  it('is in GFLOP/s where all are small', () => {
    const small = markdownTable({
      ...RESULTS,
      rows: RESULTS.rows.slice(3),
      fmaPeakTflops: { value: 0.03, low: 0.02, high: 0.04 },
    })
    expect(small).toContain('GFLOP/s, on Some GPU')
    expect(small).toContain('measured peak 30 GFLOP/s.')
    expect(small).toContain('| 1×64×64 | 1.23 |')
  })

  it('is made from a results file, and from nothing else', () => {
    expect(readResults(JSON.stringify(RESULTS))).toEqual(RESULTS)
    expect(() => readResults('{}')).toThrow('results.adapter is not there')
    expect(() => readResults(JSON.stringify({ ...RESULTS, rows: [{ ...row, tflops: 'fast' }] }))).toThrow(
      /rows\[0\]\.tflops/,
    )
    expect(() => readResults('no JSON')).toThrow()
  })
})
