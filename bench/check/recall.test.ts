/**
 * The lines that made the host wait on an H200 (truth.json, written by truth.py) against those that
 * the check finds in loops.py.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkPython } from '../../src/check/check'

interface Truth {
  readonly loops: readonly {
    readonly loop: string
    readonly lines: readonly { readonly line: number; readonly text: string }[]
  }[]
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const truth = JSON.parse(read('truth.json')) as Truth

/** A model's parameters, and one best value, are moved once before the loop. */
const SETUP = /= (nn\.|small_net\(|Gate\(|torch\.tensor\(1e9)/

it('finds nine of ten lines that wait', () => {
  const found = new Set<number>()
  for (const { line, endLine } of checkPython(read('loops.py')).findings)
    for (let at = line; at <= endLine; at += 1) found.add(at)
  const lines = truth.loops.flatMap((loop) => loop.lines.filter(({ text }) => !SETUP.test(text)))
  const missed = lines.filter(({ line }) => !found.has(line))
  expect(truth.loops.length).toBeGreaterThanOrEqual(10)
  expect(lines.length).toBeGreaterThanOrEqual(35)
  // A mask's backward waits too, a print every fourth step is rare, and an emptied cache is asked
  // for again.
  expect(missed.map(({ text }) => text)).toEqual([
    'loss.backward()',
    'print(f"mixed {loss.item():.3f}")',
    'loss = F.cross_entropy(model(x), y)',
  ])
  expect(missed.length / lines.length).toBeLessThan(0.1)
})
