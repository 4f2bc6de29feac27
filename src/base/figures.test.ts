import { expect, it } from 'vitest'
import { bytesText, durationText, flopRateText, grouped, percentText, sizeIn } from './figures'

it('never rounds a part to all or to none', () => {
  expect([0.2, 0.044, 0.9996, 0.99999, 1, 0.004].map(percentText)).toEqual([
    '20 %',
    '4.4 %',
    '99.96 %',
    '99.99 %',
    '100 %',
    '0.4 %',
  ])
})

it('writes no figure as a power of ten, and no time as 1000 of a unit', () => {
  expect([0, 32, 999.6, 12_345, 999_600, 3.1e6, -2e9].map(durationText)).toEqual([
    '0 ns',
    '32 ns',
    '1 µs',
    '12.3 µs',
    '1 ms',
    '3.1 ms',
    '-2 s',
  ])
  expect([1, 4, 1536, 2 ** 26, 3 * 2 ** 30].map(bytesText)).toEqual([
    '1 byte',
    '4 bytes',
    '1.5 KiB',
    '64 MiB',
    '3 GiB',
  ])
  expect([2 ** 13, 3000 * 2 ** 10].map((size) => sizeIn('KiB', size))).toEqual(['8.00 KiB', '3000 KiB'])
  expect([9, 999.7, 33_700].map(flopRateText)).toEqual(['9.00 GFLOP/s', '1000 GFLOP/s', '33.7 TFLOP/s'])
  expect([grouped(16_384), grouped(1234.5, 3)]).toEqual(['16,384', '1,230'])
})
