/**
 * Figures on a page, read as a visitor reads them, and held against the metric they are of. Nothing
 * of the page's own formatting is used.
 */
import { expect } from '@playwright/test'
import type { Metric } from '../src/trace/report'

/** One of the metric's own unit is so many of these. */
const SCALES: Readonly<Partial<Record<Metric['unit'], Readonly<Record<string, number>>>>> = {
  ratio: { '%': 100, '×': 1, times: 1 },
  ms: { s: 1e-3, ms: 1, µs: 1e3, ns: 1e6 },
  us: { s: 1e-6, ms: 1e-3, µs: 1, ns: 1e3 },
  ns: { s: 1e-9, ms: 1e-6, µs: 1e-3, ns: 1 },
  'GB/s': { 'GB/s': 1, 'MB/s': 1e3 },
  'GFLOP/s': { 'GFLOP/s': 1, 'TFLOP/s': 1e-3 },
  bytes: { bytes: 1, KiB: 2 ** -10, MiB: 2 ** -20, GiB: 2 ** -30 },
}

const FIGURE = /([−-]?\d[\d,]*(?:\.\d+)?)\s*(%|×|[a-zA-Zµ]+(?:\/[a-z]+)?)?/gu

/** Every space is one to a reader. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** All that the text says in a unit that this metric can be given in, in the metric's own. */
export function figuresIn(text: string, { unit }: Pick<Metric, 'unit'>): readonly number[] {
  const scales = SCALES[unit]
  return [...text.matchAll(FIGURE)].flatMap(([, digits = '', label = '']) => {
    const scale = scales ? scales[label] : 1
    return scale === undefined ? [] : [Number(digits.replace('−', '-').replaceAll(',', '')) / scale]
  })
}

/**
 * How far a figure may lie from what it gives: the digits that its interval leaves standing, two at
 * least.
 */
const roundingOf = ({ value, low, high }: Metric): number =>
  Math.max(low === null || high === null ? 0 : high - low, 0.05 * Math.abs(value ?? 0))

const isFigureOf = (metric: Metric) => (figure: number) =>
  Math.abs(figure - (metric.value ?? Number.NaN)) <= roundingOf(metric)

/** The text begins with this figure; or with words where there is none. */
export function expectFigure(text: string, metric: Metric | undefined): void {
  const told = `‘${flat(text)}’ for ${JSON.stringify(metric)}`
  if (metric?.value == null) {
    expect(text.trim(), told).toMatch(/^\D+/)
    return
  }
  const [first] = figuresIn(text, metric)
  expect(first !== undefined && isFigureOf(metric)(first), told).toBe(true)
}

/** The text has this figure somewhere. */
export function expectFigureIn(text: string, metric: Metric): void {
  expect(
    figuresIn(text, metric).some(isFigureOf(metric)),
    `${JSON.stringify(metric)} in ‘${flat(text)}’`,
  ).toBe(true)
}
