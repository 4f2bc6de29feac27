import { expect, it } from 'vitest'
import { lastRound } from './bands'

it('finds the last counted round', () => {
  const band = (startNs: number, repeat: number) => ({
    span: 0,
    startNs,
    endNs: startNs + 5,
    variant: 'a',
    repeat,
    isWarmUp: repeat < 0,
  })
  expect(lastRound([band(0, -2), band(10, 0), band(20, 0), band(30, 1), band(40, 1)])).toEqual({
    startNs: 30,
    endNs: 45,
  })
  expect(lastRound([band(0, -2)])).toEqual({ startNs: 0, endNs: 5 })
  expect(lastRound([])).toBeNull()
})
