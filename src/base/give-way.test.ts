import { expect, it } from 'vitest'
import { inTurns } from './give-way'

it('gives way when a turn is used up, and only then', async () => {
  let [nowMs, pauses] = [0, 0]
  const pause = () => {
    pauses += 1
    return Promise.resolve()
  }
  const some = inTurns(() => nowMs, pause, 8)
  await some.next()
  nowMs = 7
  await some.next()
  expect(pauses).toBe(0)
  nowMs = 9
  await some.next()
  await some.next()
  expect(pauses).toBe(1)
})
