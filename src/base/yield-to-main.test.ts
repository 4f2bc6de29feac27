import { expect, it } from 'vitest'
import { createYielder } from './yield-to-main'

it('gives way when a turn is used up, and only then', async () => {
  let [nowMs, pauses] = [0, 0]
  const pause = () => {
    pauses += 1
    return Promise.resolve()
  }
  const some = createYielder(() => nowMs, pause, 8)
  await some.yieldIfDue()
  nowMs = 7
  await some.yieldIfDue()
  expect(pauses).toBe(0)
  nowMs = 9
  await some.yieldIfDue()
  await some.yieldIfDue()
  expect(pauses).toBe(1)
})
