/** A sentence that holds a time against a rate, or writes one as the other, stops the build with its line. */
import { describe, expect, it } from 'vitest'
import { experiments } from '../../cli/catalog'
import type { MetricDeclaration } from '../../src/experiments/declare/metric'
import { isPlain, unitOfName } from '../../src/text/units'
import { failIn } from './blocks'
import { namingNothing, TextReader } from './text'

const figures = { 'step-ms': [4, 'ms'], rate: [3, 'GB/s'] } as const
const reader = new TextReader(
  namingNothing((_file, name) => {
    const [value, unit] = figures[name as keyof typeof figures]
    return { value, low: value, high: value, unit }
  }),
  failIn('some.md'),
)
const read = (text: string) => reader.text([{ text, line: 7 }])

describe('units', () => {
  it.each([
    'launch-us a below kernel-ms b',
    'one:step-ms overlaps launch-us a',
    'copy-gb-per-s at least 63GB/s',
    'kernel-us a less than 0.5ms',
    'write-ms a ?? 0 below 2ms',
    'derived.roundTripMs / kernel-us a at least 2',
    'tensor-bytes / step-ms a below one:rate',
    'slowdown a below 1 / busy-ratio b',
    'step-ms a at least 0',
  ])('are compared: %s', (condition) => {
    expect(() => read(`{when ${condition}} So it is.`)).not.toThrow()
  })

  it.each([
    ['step-ms a below busy-ratio a', 'ms', 'a plain number'],
    ['kernel-us a at least 0.001', 'ms', 'a plain number'],
    ['one:rate below one:step-ms', 'GB/s', 'ms'],
    ['copy-gb-per-s a less than 63', 'GB/s', 'a plain number'],
    ['slowdown a at least 2ms', 'a plain number', 'ms'],
    ['( write-ms a + 3 ) / step-ms a at least 2', 'ms + count', 'no figure'],
    ['step-ms a / tensor-bytes below 2', 'ms / bytes', 'no figure'],
    ['measured step-ms a - rate-ratio a', 'ms - ratio', 'no figure'],
    ['not ( always and step-ms a below peak-gflops )', 'ms', 'GFLOP/s'],
  ])('are refused: %s', (condition, left, right) => {
    const refused = () => read(`{when ${condition}} So it is.`)
    expect(refused).toThrow('some.md:7')
    expect(refused).toThrow(left)
    expect(refused).toThrow(right)
  })

  it('fit what a figure is written as', () => {
    for (const good of ['a-ms x | us', 'a-ms x / b-us x | times', 'derived.n | ms', 'busy-ratio | idle'])
      expect(() => read(`It took {${good}}.`)).not.toThrow()
    for (const bad of ['a-ms x | times', 'a-ms x | GB/s', 'rate-gb-per-s | bytes', 'one:rate | about'])
      expect(() => read(`It took {${bad}}.`), bad).toThrow('cannot be written as')
  })

  it('of a metric is what its name says, which is all that is known while the site is built', () => {
    for (const { id, metrics } of experiments)
      for (const metric of metrics) {
        const { name, unit } = metric as MetricDeclaration<unknown> // what is erased of it is only not known here
        expect(unitOfName(name) ?? 'a plain number', `${id}: ${name}`).toBe(
          isPlain(unit) ? 'a plain number' : unit,
        )
      }
  })
})
