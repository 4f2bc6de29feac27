import { expect, it } from 'vitest'
import { importArguments, librariesArguments, pagesArguments, timelineArguments } from './arguments'

it('take powers of ten, each size once, in order', () => {
  const { spans, json } = timelineArguments(['--spans=1e4,2e3,1e4', '--json=out.json'])
  expect([spans, json]).toEqual([[2000, 1e4], 'out.json'])
})

it('draw into a texture where asked to, and on software always', () => {
  expect(librariesArguments(['--texture']).query).toBe('?texture')
  expect(librariesArguments(['--adapter', 'software']).query).toBe('?texture')
})

it.each([
  [timelineArguments, '--spans=1e4,x', "--spans must be an integer from 200 to 10000000; got 'x'"],
  [timelineArguments, '--spans=', '--spans'],
  [timelineArguments, '--spans=100', '--spans'],
  [timelineArguments, '--rounds=1.5', '--rounds'],
  [timelineArguments, '--what', '--what'],
  [timelineArguments, '1e4', '1e4'],
  [importArguments, '--events=2e7', '--events'],
  [importArguments, '--rounds=0', '--rounds'],
  [librariesArguments, '--adapter=auto', "--adapter must be one of gpu, software; got 'auto'"],
  [librariesArguments, '--only=three,babylon', "got 'babylon'"],
  [pagesArguments, '--only=nothing', "got 'nothing'"],
])('%o refuse %s', (parse, arg, words) => expect(() => parse([arg])).toThrow(words))
