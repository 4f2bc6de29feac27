/** FAULTS.md: the tests and the limits that it names are there. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = readFileSync('src/FAULTS.md', 'utf8')
/** What the formatter escapes in Markdown stands in no test's name. */
const cells = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| *(-+|promise) /.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll(/\\(.)/g, '$1')),
  )
const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const parts = (cell = ''): readonly string[] => cell.split('<br>')

describe.each(cells)('%s', (promise, limits, tests) => {
  it('has its tests', () => {
    expect(promise).not.toBe('')
    for (const part of parts(tests)) {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(part) ?? []
      const own = read(file)
      expect(own, `${file} is there`).not.toBe('')
      const isTitle = own.split('\n').some((line) => line.includes(name) && /['`]/.test(line))
      expect(isTitle, `${file} has '${name}'`).toBe(true)
    }
  })

  it('has its limits', () => {
    if (limits === '-') return
    for (const part of parts(limits)) {
      const [, text = '', file = ''] = /^`([^`]+)` in `([^`]+)`$/.exec(part) ?? []
      // Followed by no further digit: 2 ** 5 is not 2 ** 53.
      const at = read(file).indexOf(text)
      expect(text !== '' && at >= 0, `${file} has '${text}'`).toBe(true)
      expect(read(file)[at + text.length]).not.toMatch(/[\d_]/)
    }
  })
})

it('names something of every kind', () => expect(cells.length).toBeGreaterThan(20))
