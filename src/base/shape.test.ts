import { expect, it } from 'vitest'
import {
  dictionary,
  either,
  flag,
  index,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  passes,
  text,
  type TypeOf,
} from './shape'

const point = object({ x: number, label: optional(text), kind: oneOf('a', 'b'), tags: list(text) })

it('gives what passes its type', () => {
  const value: unknown = { x: 1, kind: 'a', tags: ['t'] }
  if (!passes(point, value)) throw new Error('it has the shape')
  const typed: { readonly x: number; readonly label?: string; readonly kind: 'a' | 'b' } = value
  const same: TypeOf<typeof point> = { ...typed, tags: value.tags }
  expect(same).toEqual(value)
  expect(passes(point, { x: 1 })).toBe(false)
})

it('passes what has the shape, with more besides', () => {
  expect(point({ x: 1, kind: 'a', tags: [], more: true }, 'p')).toBeNull()
  expect(nullable(point)(null, 'p')).toBeNull()
  expect(dictionary(either(number, flag))({ a: 1, b: false }, 'd')).toBeNull()
})

it('says what is wrong and where', () => {
  expect(point({ x: Number.NaN, kind: 'a', tags: [] }, 'p')).toBe('p.x is not a number')
  expect(point({ x: 1, kind: 'c', tags: [] }, 'p')).toBe('p.kind is not one of a, b')
  expect(point({ x: 1, kind: 'a', tags: ['t', 5] }, 'p')).toBe('p.tags[1] is not text')
  expect(point([], 'p')).toBe('p is not an object')
  expect(point({ x: 1, label: 3, kind: 'a', tags: [] }, 'p')).toBe('p.label is not text')
  expect(dictionary(number)({ a: '1' }, 'd')).toBe('d.a is not a number')
  expect(either(number, flag)('x', 'e')).toBe('e is not a number, and e is not true or false')
})

it('takes an index only where it points at something', () => {
  expect(index(2)(1, 'i')).toBeNull()
  for (const bad of [2, -1, 0.5, '0', null])
    expect(index(2)(bad, 'i')).toBe('i is not a whole number below 2')
  expect(index(0)(0, 'i')).not.toBeNull()
})
