import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Results } from './matmul-results'
import { markdownTable, notesText } from './matmul'

const file = readFileSync('bench/results/h200-2026-11-27.json', 'utf8')
const results = JSON.parse(file) as Results
/** A table's cells, without the padding that a formatter adds. */
const cellsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.includes('---'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

it('the table in the README is that of the kept results', () => {
  const readme = readFileSync('README.md', 'utf8')
  const [said = ''] = /^\| M×N×K[^]*?\n\n/m.exec(readme) ?? []
  expect(cellsOf(said)).toEqual(cellsOf(markdownTable(results)))
  const [made = ''] = markdownTable(results).split('\n')
  expect(readme.replaceAll('\n', ' ')).toContain(made)
})

it('without cuBLAS what failed is a dash with its reason below', () => {
  const [first] = results.rows
  if (!first) throw new Error('no rows')
  const failed = { ...first, library: 'jax', kernel: 'matmul', tflops: null, error: 'no device' }
  const own = { ...results, rows: [first, failed], ratios: [] }
  expect(markdownTable(own)).toContain(`| 512³ | 20.2 | – | – | ${first.kernel} |`)
  expect(notesText(own)).toContain('512³ jax matmul: no device')
})

it('names rows in which the host was timed', () => {
  const [first] = results.rows
  if (!first) throw new Error('no rows')
  expect(notesText({ rows: [{ ...first, library: 'jax', kernel: 'matmul', hostShare: 0.94 }] })).toBe(
    '512³ jax matmul: 94 % of the time the page was submitting',
  )
})
