import { expect, it } from 'vitest'
import type { Unit } from './units'
import { about, say } from './wording'

it('writes a figure in the unit in which it is read, in groups from five digits on', () => {
  const said = (value: number, unit: Unit) => say({ value, unit })
  expect([16_800, 62_720, 900, 0.994].map((value) => said(value, 'GFLOP/s'))).toEqual([
    '16.8 TFLOP/s',
    '62.7 TFLOP/s',
    '900 GFLOP/s',
    '0.994 GFLOP/s',
  ])
  expect([62_474, 1234.5, 4.555, 0.00437].map((value) => said(value, 'count'))).toEqual([
    '62,470',
    '1235',
    '4.55',
    '0.00437',
  ])
  expect([said(3961, 'GB/s'), said(0.191, 'ratio'), said(4000, 'us'), said(79_460, 'us')]).toEqual([
    '3961 GB/s',
    '19.1 %',
    '4000 µs',
    '79.5 ms',
  ])
  expect([118_700, 1234, 384.1].map(about)).toEqual(['120,000', '1200', '380'])
})
