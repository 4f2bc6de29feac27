/** A check that finds no fault anywhere checks nothing. */
import { describe, expect, it } from 'vitest'
import { bannedWord, proseFault } from './check-prose'

describe('the checks themselves', () => {
  it.each([
    ['`open', 'unbalanced `'],
    ['*open', 'unbalanced *'],
    ['an _emphasis_', 'written with _'],
    ['[text](#A term)', 'bracket'],
    ['**half*', 'unbalanced *'],
    ['[[gpu:x]]', 'unknown colour key'],
    ['[text](http://insecure.example)', 'bracket'],
    ['[alone]', 'bracket'],
    [' blank', 'blanks'],
    ['', 'empty'],
  ])('find fault with %s', (text, fault) => expect(proseFault(text)).toContain(fault))

  it('accept what the page can render', () => {
    for (const text of ['`a * b[0]` and *this*', '**x** [[host:y]]', '[z](https://example.org/a#b)'])
      expect(proseFault(text)).toBeNull()
    expect(bannedWord('You simply run it.')).toBe('simply')
    expect(bannedWord('Run `a!`.')).toBeNull()
  })
})
