import { expect, it } from 'vitest'
import { marksOf } from './marks'
import { newBuilder } from './testing/arbitrary-trace'

it('has each mark once, in the order of their setting', () => {
  const builder = newBuilder()
  expect(marksOf(builder.freeze())).toEqual([])
  builder.addInstant({ lane: 0, time: 2, name: 'library: one 1.0, MIT' })
  builder.addInstant({ lane: 0, time: 1, name: 'checked: all' })
  expect(marksOf(builder.freeze())).toEqual(['library: one 1.0, MIT', 'checked: all'])
})
