import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { count, dictionary, index, number, problemIn } from './shape'

const point = v.object({
  x: number,
  label: v.exactOptional(v.string()),
  kind: v.picklist(['a', 'b']),
  tags: v.array(v.string()),
})
const figure = v.variant('kind', [
  v.object({ kind: v.exactOptional(v.literal('points')), points: v.array(number) }),
  v.object({ kind: v.literal('bars'), bars: v.array(number) }),
])

it('passes what has the shape, with more besides', () => {
  expect(problemIn(point, { x: 1, kind: 'a', tags: [], more: true })).toBeNull()
  expect(problemIn(v.nullable(point), null)).toBeNull()
  expect(problemIn(dictionary(v.union([number, v.boolean()])), { a: 1, b: false })).toBeNull()
  for (const each of [{ points: [] }, { kind: 'points', points: [1] }, { kind: 'bars', bars: [] }])
    expect(problemIn(figure, each)).toBeNull()
})

it.each<[string, v.GenericSchema, unknown]>([
  ['p.x is not a number', point, { x: Number.NaN, kind: 'a', tags: [] }],
  ['p.x is not a number', point, { x: Infinity, kind: 'a', tags: [] }],
  ['p.x is not there', point, { kind: 'a', tags: [] }],
  ['p.x is not there', point, []],
  ['p is not an object', point, null],
  ['p.kind is not one of a, b', point, { x: 1, kind: 'c', tags: [] }],
  ['p.tags is not a list', point, { x: 1, kind: 'a', tags: {} }],
  ['p.tags[1] is not text', point, { x: 1, kind: 'a', tags: ['t', 5] }],
  ['p.label is not text', point, { x: 1, label: 3, kind: 'a', tags: [] }],
  ['p.kind is not one of points, bars', figure, { kind: 'pie' }],
  ['p.bars is not there', figure, { kind: 'bars', points: [] }],
  ['p.points[1] is not a number', figure, { points: [1, '1'] }],
  ['p.a is not a number', dictionary(number), { a: '1' }],
  ['p.a.kind is not one of a, b', dictionary(point), { a: { x: 1, kind: 2, tags: [] } }],
  ['p is not a count', count, 2 ** 53],
  ['p is not a count', count, -1],
])('says what is wrong and where: %s', (sentence, schema, value) => {
  expect(problemIn(schema, value, 'p')).toBe(sentence)
  expect(v.is(schema, value)).toBe(false)
})

it('says where within what has no name', () =>
  expect(problemIn(point, { x: 1, kind: 'a', tags: [0] })).toBe('tags[0] is not text'))

it('takes an index only where it points at something', () => {
  expect(problemIn(index(2), 1, 'i')).toBeNull()
  for (const bad of [2, -1, 0.5, '0', null])
    expect(problemIn(index(2), bad, 'i')).toBe('i is not a whole number below 2')
  expect(problemIn(index(0), 0, 'i')).not.toBeNull()
})

describe('a dictionary', () => {
  it.each(['constructor', 'prototype', '__proto__'])('checks what is named %s, as anything', (name) => {
    const said: unknown = JSON.parse(`{ "a": 1, "${name}": "one" }`)
    expect(problemIn(dictionary(number), said, 'd')).toBe(`d.${name} is not a number`)
    expect(problemIn(dictionary(v.unknown()), said, 'd')).toBeNull()
  })

  it('is no list', () => expect(problemIn(dictionary(number), [1], 'd')).toBe('d is not an object'))
})
