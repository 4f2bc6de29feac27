import { describe, expect, it } from 'vitest'
import {
  formatBound,
  formatByteRate,
  formatBytes,
  formatDuration,
  formatFlopRate,
  formatShare,
  formatTime,
  THIN,
} from './format'

describe('format', () => {
  it.each([
    [0, '0 ms'],
    [32, '32 ns'],
    [280_000, '0.280 ms'],
    [12_300, '12.3 µs'],
    [3_100_000, '3.10 ms'],
    [393e6, '393 ms'],
    [12.5e9, '12.5 s'],
    [-280_000, '\u22120.280 ms'],
    [NaN, 'not known'],
  ])('writes %d ns as %s', (valueNs, text) =>
    expect(formatDuration(valueNs).replaceAll(THIN, ' ')).toBe(text),
  )

  it('writes times, sizes and rates with their units', () => {
    const plain = (text: string) => text.replaceAll(THIN, ' ')
    expect(plain(formatTime(12_345_678_901))).toBe('12 345.679 ms')
    expect(plain(formatBytes(64 * 1024 ** 2))).toBe('64 MiB')
    expect(plain(formatBytes(4))).toBe('4 bytes')
    expect(plain(formatByteRate(8.7))).toBe('8.70 GB/s')
    expect(plain(formatByteRate(0.25))).toBe('250 MB/s')
    expect(plain(formatFlopRate(33_700))).toBe('33.7 TFLOP/s')
    expect(plain(formatShare(0.091))).toBe('9.1 %')
    expect(plain(formatShare(0.96))).toBe('96 %')
  })

  it('joins equal bounds and keeps unequal ones apart', () => {
    expect(formatBound(100, 100)).toContain('±')
    expect(formatBound(100, 900)).toContain('to +')
  })
})
