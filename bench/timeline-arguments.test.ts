import { describe, expect, it } from 'vitest'
import { parseTimelineArguments } from './timeline-arguments'

describe('parseTimelineArguments', () => {
  it('has defaults, reads powers of ten, and puts sizes in order', () => {
    expect(parseTimelineArguments([])).toEqual({
      spans: [1e4, 1e5, 1e6],
      speedscopeSpans: 1e5,
      rounds: 3,
      json: null,
    })
    expect(
      parseTimelineArguments([
        '--spans=1e4,2e3,1e4',
        '--speedscope-spans=0',
        '--rounds=1',
        '--json=out.json',
      ]),
    ).toEqual({ spans: [2000, 1e4], speedscopeSpans: 0, rounds: 1, json: 'out.json' })
  })
  it.each([
    ['--spans', '1e4,x'],
    ['--spans', '1e9'],
    ['--spans', '100'],
    ['--spans', ''],
    ['--speedscope-spans', 'no'],
    ['--speedscope-spans', ''],
    ['--speedscope-spans', '-1'],
    ['--rounds', '0'],
    ['--rounds', '1.5'],
    ['--what'],
    ['1e4'],
  ])('says what it does not take: %s %s', (...argv) => {
    expect(() => parseTimelineArguments(argv)).toThrow(/--|1e4/)
  })
})
