import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { docstringLines, functionsOf, MODULE, placeAt } from './script'

const SOURCE = `"""What it does,

in two paragraphs."""
import x

class Loader:
    """Words."""

    def __init__(self):
        self.y = 1

    def next(self):
        def inner():
            return 1

        return inner()


async def long_signature(
    a,
) -> int:
    return a

x.run()`.split('\n')

describe('places in a script', () => {
  const functions = functionsOf(SOURCE)
  const at = (text: string) => placeAt(functions, SOURCE.findIndex((line) => line.includes(text)) + 1)

  it('are functions, methods by their class, and what is in none', () => {
    expect(at('import x')).toBe(MODULE)
    expect(at('class Loader')).toBe(MODULE)
    expect(at('"""Words')).toBe(MODULE)
    expect(at('self.y')).toBe('Loader.__init__')
    expect(at('def next')).toBe('Loader.next')
    expect(at('return 1')).toBe('Loader.inner')
    expect(at('return inner')).toBe('Loader.next')
    expect(at('    a,')).toBe('long_signature')
    expect(at('return a')).toBe('long_signature')
    expect(at('x.run')).toBe(MODULE)
  })

  it('end with their last statement', () => {
    expect(placeAt(functions, SOURCE.indexOf('x.run()'))).toBe(MODULE)
  })

  it('know the docstring of a module', () => {
    expect(docstringLines(SOURCE)).toBe(3)
    expect(docstringLines(['"""One line."""', 'x'])).toBe(1)
    expect(docstringLines(['x = """', '"""'])).toBe(0)
    const lines = readFileSync('public/companion/ranks.py', 'utf8').split('\n')
    expect(lines[docstringLines(lines) - 1]).toMatch(/"""$/)
  })
})
