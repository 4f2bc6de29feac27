import { expect, it } from 'vitest'
import { loadOnce } from './load-once'

it('loads each key once, has it at hand from then on, and tries again what failed', async () => {
  const asked: string[] = []
  let isBroken = true
  const { load, loaded } = loadOnce((key) => {
    asked.push(key)
    return isBroken && key === 'b' ? Promise.reject(new Error('offline')) : Promise.resolve(key.toUpperCase())
  })
  expect(loaded('a')).toBeUndefined()
  expect(await Promise.all([load('a'), load('a')])).toEqual(['A', 'A'])
  expect(loaded('a')).toBe('A')
  await expect(load('b')).rejects.toThrow('offline')
  isBroken = false
  expect(await load('b')).toBe('B')
  expect(asked).toEqual(['a', 'b', 'b'])
})
