/** Quotations become words while the site is built; beside a run's own figures they stay, as numbers with their unit. */
import { describe, expect, it } from 'vitest'
import { parseCondition } from '../../vite/words/condition'
import { fakeMetrics } from '../experiments/testing/fake-evidence'
import { holds } from './condition'
import type { Quantity } from './expression'
import { NO_FACTS } from './facts'
import { bindCondition, bindText, holdsOfRecordings, quoteOf, type Recorded } from './recorded'
import { readingOf } from './passage'
import { render } from './template'

const FIGURES: Readonly<Record<string, Quantity>> = {
  'some-ms a': { value: 4, low: 3, high: 5, unit: 'ms' },
  'some-ms b': { value: 2, low: 1, high: 3, unit: 'ms' },
  plain: { value: 3, low: 3, high: 3, unit: 'count' },
  size: { value: 2 ** 21, low: 2 ** 21, high: 2 ** 21, unit: 'bytes' },
  share: { value: 0.25, low: 0.25, high: 0.25, unit: 'ratio' },
}
const recorded: Recorded = (file, figure, variant) => {
  const found = file === 'f/s' ? FIGURES[`${figure} ${variant}`.trim()] : undefined
  if (!found) throw new Error(`no ${figure}`)
  return found
}
const NOTHING_NAMED = { bound: () => undefined, condition: () => undefined }
const run = (metrics: Parameters<typeof fakeMetrics>[0]) =>
  readingOf({ ...NO_FACTS, metrics: fakeMetrics(metrics) })

describe('a quotation', () => {
  it.each([
    ['It took {f/s:some-ms a}.', 'It took 4 ms.'],
    ['{f/s:some-ms a / f/s:some-ms b | times} as long.', '2 times as long.'],
    ['{f/s:share} of it, {f/s:size}, at {f/s:size / f/s:some-ms a}.', '25 % of it, 2 MiB, at 0.524 GB/s.'],
    ['{f/s:some-ms a | us} and {own-ms ?? f/s:share}.', '4000 µs and {(own-ms ?? 0.25ratio)}.'],
    ['{f/s:plain | ms} and {f/s:plain * f/s:some-ms a}.', '3 ms and 12 ms.'],
    ['{own-ms a} and {$name}.', '{own-ms a} and {$name}.'],
  ])('%j reads %j', (text, words) => {
    expect(bindText(text, recorded)).toBe(words)
  })

  it('is a fault where the figure is not there, or is in another unit than is asked for', () => {
    expect(() => bindText('{f/s:none}.', recorded)).toThrow('no none')
    expect(() => bindText('{f/s:some-ms a | GB/s}.', recorded)).toThrow('is in ms, not in GB/s')
    expect(() => quoteOf('own-ms a', recorded)).toThrow('is no figure of recordings')
  })

  it('beside a figure of the run stays a number, and is worked out with it', () => {
    const text = bindText('{own-ms a / f/s:some-ms b | times} and {own-ms a}.', recorded)
    expect(JSON.stringify(text)).not.toContain('f/s')
    expect(render(text, run({ 'own-ms a': 8 }))).toBe('4 times and 8 ms.')
    expect(render(text, run({}))).toBeNull()
  })

  it('is compared with the run', () => {
    const condition = bindCondition(
      parseCondition('own-ms a below f/s:some-ms a and not own-ms a at least 100ms', NOTHING_NAMED),
      recorded,
    )
    const holdsOf = (metrics: Parameters<typeof fakeMetrics>[0]) => holds(condition, run(metrics).facts, {})
    expect(holdsOf({ 'own-ms a': [1, 2, 2.9] })).toBe(true)
    expect(holdsOf({ 'own-ms a': [1, 2, 3.5] }), 'its interval reaches into that of the recording').toBe(
      false,
    )
  })

  it.each([
    ['f/s:some-ms b below f/s:some-ms a', false],
    ['f/s:some-ms b overlaps f/s:some-ms a', true],
    ['f/s:some-ms b / 4 below f/s:some-ms a', true],
    ['f/s:some-ms a surely at least 3000us', true],
  ])('is compared by one rule, with a recording or with a run of the same figures: %s', (text, expected) => {
    const parsed = parseCondition(text, NOTHING_NAMED)
    expect(holdsOfRecordings(parsed, recorded)).toBe(expected)
    const ofRun = parseCondition(text.replace('f/s:', ''), NOTHING_NAMED)
    const { facts } = run({ 'some-ms a': [3, 4, 5], 'some-ms b': [1, 2, 3] })
    expect(holds(bindCondition(ofRun, recorded), facts, {})).toBe(expected)
  })

  it('keeps the order of its operations', () => {
    const text = bindText('{min(own-ms a, f/s:some-ms a - own-ms b) / (own-ms a + 2ms)}.', recorded)
    expect(render(text, run({ 'own-ms a': 6, 'own-ms b': 1 }))).toBe('37.5 %.')
  })
})
