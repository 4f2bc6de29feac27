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

it('hands out a promise that has its value on it, for whoever waits for it: React’s `use` then does not wait', async () => {
  const { load } = loadOnce((key) => Promise.resolve(key.toUpperCase()))
  expect(load('a')).not.toHaveProperty('status')
  await load('a').then(() => expect(load('a')).toMatchObject({ status: 'fulfilled', value: 'A' }))
})
