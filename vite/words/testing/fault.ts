/**
 * What a reader of files says of one that is spoilt in one place, and that it names the right line.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { WordsFault } from '../blocks'

/** A file of this folder that is right. */
export const fixture = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

/**
 * @param from what is replaced `to`, where it stands last
 * @param at the text of the line that must be named; '' where the line is gone
 */
export function expectFault(
  parse: (text: string) => unknown,
  good: string,
  [from, to, at, what]: readonly [from: string, to: string, at: string, what: string],
): void {
  expect(good).toContain(from)
  const last = good.lastIndexOf(from)
  const bad = good.slice(0, last) + to + good.slice(last + from.length)
  const fault = (() => {
    try {
      parse(bad)
    } catch (thrown) {
      return thrown
    }
    return null
  })()
  if (!(fault instanceof WordsFault)) throw new Error(`It was taken, or failed otherwise: ${String(fault)}`)
  expect(fault.message).toContain(what)
  expect(fault.message).toMatch(/^some\/\w+\.md:\d+: /)
  const lines = bad.split('\n')
  expect(lines.slice(0, fault.line).join('\n')).toContain(at)
  if (at !== '') expect(lines[fault.line - 1]).toContain(at)
}

/**
 * Rows of a file of this folder: `what is wrong | find⇒replacement | the line at fault | what is
 * said`. `⏎` is an end of line.
 */
export const faultsIn = (name: string) =>
  fixture(name)
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [what, edit = '', at = '', says = ''] = row.split(' | ').map((cell) => cell.replaceAll('⏎', '\n'))
      const [from = '', to = ''] = edit.split('⇒')
      return { what, spoilt: [from, to, at, says] as const }
    })

/** Whatever is cut out of it, a file is taken or refused with one of its lines. */
export function takesOrRefuses(parse: (text: string) => unknown, text: string): void {
  const lines = text.split('\n')
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.nat(8), (from, count) => {
      const left = lines.toSpliced(from, count)
      try {
        parse(left.join('\n'))
      } catch (thrown) {
        if (!(thrown instanceof WordsFault)) throw thrown
        expect(thrown.line).toBeGreaterThanOrEqual(1)
        expect(thrown.line).toBeLessThanOrEqual(left.length)
      }
    }),
  )
}
