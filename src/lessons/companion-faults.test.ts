/**
 * The faults of the scripts in public/companion/: a line for each, found by its comment, in a
 * function that a profile can name.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const linesOf = (script: string) => readFileSync(`public/companion/${script}`, 'utf8').split('\n')
const MARK = / {2}# fault: ([\w-]+)$/

describe.each([
  ['read_a_profile.py', /^FAULTS = \((.*)\)$/],
  ['ranks.py', /"--fault", choices=\(([^)]*)\)/],
])('%s', (script, list) => {
  const lines = linesOf(script)
  const choices = lines.flatMap((line) => list.exec(line)?.[1]?.match(/[\w-]+/g) ?? [])
  const marked = lines.flatMap((line, index) => {
    const fault = MARK.exec(line)?.[1]
    return fault === undefined ? [] : [{ fault, index }]
  })

  it('marks one line for each fault, and none for a loop without', () => {
    expect(choices).toContain('none')
    expect(marked.map(({ fault }) => fault).sort()).toEqual(choices.filter((name) => name !== 'none').sort())
  })

  it.each(marked)('$fault has a function of its own', ({ index }) => {
    const begin = lines.findLastIndex((line, at) => at < index && line.startsWith('def '))
    const end = lines.findIndex((line, at) => at > index && /^\S/.test(line))
    expect(begin).toBeGreaterThan(0)
    expect(marked.filter((other) => other.index > begin && other.index < end)).toHaveLength(1)
  })
})
