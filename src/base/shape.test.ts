import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { count, dictionary, index, number, problemIn } from './shape'

const point = v.object({ x: number, label: v.exactOptional(v.string()), tags: v.array(v.string()) })

it('passes what has the shape, with more besides', () => {
  expect(problemIn(point, { x: 1, tags: [], more: true })).toBeNull()
  expect(problemIn(dictionary(v.union([number, v.boolean()])), { a: 1, b: false })).toBeNull()
})

it.each<[string, v.GenericSchema, unknown]>([
  ['x', point, { x: Number.NaN, tags: [] }],
  ['x', point, { x: Infinity, tags: [] }],
  ['x', point, { tags: [] }],
  ['x', point, []],
  ['', point, null],
  ['tags', point, { x: 1, tags: {} }],
  ['tags.1', point, { x: 1, tags: ['t', 5] }],
  ['', dictionary(point), { a: { x: 1, tags: 2 } }],
  ['', count, 2 ** 53],
  ['', count, -1],
])('says where a value differs: %j', (place, schema, value) => {
  expect(problemIn(schema, value)).toBe(place)
  expect(v.is(schema, value)).toBe(false)
})

it('takes an index only where it points at something', () => {
  expect(v.is(index(2), 1)).toBe(true)
  for (const bad of [2, -1, 0.5, '0', null]) expect(v.is(index(2), bad)).toBe(false)
  expect(v.is(index(0), 0)).toBe(false)
})

describe('a dictionary', () => {
  it.each(['constructor', 'prototype', '__proto__'])('checks what is named %s, as anything', (name) => {
    const said: unknown = JSON.parse(`{ "a": 1, "${name}": "one" }`)
    expect(v.is(dictionary(number), said)).toBe(false)
    expect(v.is(dictionary(v.unknown()), said)).toBe(true)
  })

  it('is no list', () => expect(v.is(dictionary(number), [1])).toBe(false))
})
