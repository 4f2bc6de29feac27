import { describe, expect, it } from 'vitest'
import { parseFuzzArguments } from './fuzz-arguments'

describe('npm run fuzz', () => {
  it('takes how long, and a seed', () => {
    expect(parseFuzzArguments(['--minutes', '0.5', '--seed', '7'])).toEqual({ minutes: 0.5, seed: 7 })
    expect(parseFuzzArguments(['--minutes', '1']).seed).toBeGreaterThanOrEqual(0)
  })

  it.each([
    [[]],
    [['--minutes', '0']],
    [['--minutes', 'x']],
    [['--minutes', '1', '--seed', '-1']],
    [['--hours', '1']],
  ])('refuses %j', (argv) => {
    expect(() => parseFuzzArguments(argv)).toThrow()
  })
})
