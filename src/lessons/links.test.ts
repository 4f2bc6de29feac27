/** The rates of links: each is worked out anew from what its row says it is made of, and nobody else says another. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lessons } from './testing/catalog'
import { passageOf } from '../text/card'
import type { Passage, Table } from '../text/passage'
import { allWords } from '../text/testing/all-words'

const inPyTorch = (id: string): Passage =>
  passageOf(lessons.find((lesson) => lesson.id === id)?.inPyTorch ?? [])
const tablesOf = (passage: Passage): readonly Table[] =>
  passage.filter((part): part is Table => typeof part === 'object' && 'rows' in part)
const tableOf = (id: string, caption: string): Table => {
  const found = tablesOf(inPyTorch(id)).find((table) => table.caption.startsWith(caption))
  if (!found) throw new Error(`'${id}' has no table '${caption}'.`)
  return found
}
/** Each row as numbers by column: '128/130' is a quotient, '1,800 GB/s' 1800. */
const numbersOf = ({
  columns,
  rows,
}: Table): readonly (readonly [string, Readonly<Record<string, number>>])[] =>
  rows.map(([name = '', ...cells]) => [
    name,
    Object.fromEntries(
      cells.map((cell, index) => {
        const [over = Number.NaN, under = 1] = (/^[\d,./]+/.exec(cell)?.[0] ?? '')
          .split('/')
          .map((text) => Number.parseFloat(text.replaceAll(',', '')))
        return [columns[index + 1]?.head ?? '', over / under]
      }),
    ),
  ])
/** To three digits, as the tables have them. */
const rounded = (value: number): number => Number(value.toPrecision(3))

describe('PCI Express', () => {
  const LANES = 16
  const BITS = 8

  it('is one table, in both lessons that need it', () => {
    const tables = ['transfer-cost', 'collectives'].map((id) => tableOf(id, 'PCI Express'))
    expect(tables[0]).toEqual(tables[1])
  })

  it.each(numbersOf(tableOf('collectives', 'PCI Express')))('%s', (_, row) => {
    const rawGBs = ((row['A lane'] ?? 0) * LANES) / BITS
    expect(rounded(rawGBs * (row['Coding'] ?? 0))).toBe(row['Each way'])
    expect(2 * rawGBs).toBe(row['As sold'])
  })

  it('says of generation 5 what other lessons and verdicts say', () => {
    const [, { 'Each way': fifth } = {}] =
      numbersOf(tableOf('collectives', 'PCI Express')).find(([name]) => name === 'PCIe 5') ?? []
    const verdict = readFileSync(
      new URL('../experiments/overlapped-uploads/verdict.md', import.meta.url),
      'utf8',
    )
    const figures = readFileSync(
      new URL('../experiments/overlapped-uploads/figures.ts', import.meta.url),
      'utf8',
    )
    expect(Number(/PCIE_5 = gbPerS\(([\d.]+)\)/.exec(figures)?.[1])).toBe(fifth)
    const lesson = readFileSync(new URL('overlapped-uploads/lesson.md', import.meta.url), 'utf8')
    const said = [...`${lesson}\n${verdict}`.matchAll(/PCIe 5 link of 16 lanes[^.]*?(\d+)/g)].map(([, n]) =>
      Number(n),
    )
    expect(said.length).toBeGreaterThan(2)
    for (const gBs of said) expect(gBs).toBe(fifth)
  })
})

describe('memory of the host', () => {
  const BYTES = 8

  it.each(numbersOf(tableOf('transfer-cost', 'Memory of the host')))('%s', (name, row) => {
    const channel = ((row['Transfers'] ?? 0) * BYTES) / 1e3
    expect(name).toContain(String(row['Transfers']))
    expect(channel).toBeCloseTo(row['A channel'] ?? 0, 6)
    for (const [words, count] of [
      ['Two', 2],
      ['Eight', 8],
      ['Twelve', 12],
    ] as const)
      expect(rounded(count * channel)).toBe(row[`${words} channels`])
  })
})

describe('NVLink', () => {
  it.each(numbersOf(tableOf('collectives', 'NVLink')))('%s', (_, row) => {
    expect((row['Links'] ?? 0) * (row['A link, each way'] ?? 0)).toBe(row['Each way'])
    expect(2 * (row['Each way'] ?? 0)).toBe(row['As sold'])
  })
})

describe('networks', () => {
  it.each(numbersOf(tableOf('collectives', 'A port of a network')))('%s', (_, row) => {
    expect((row['As sold'] ?? 0) / 8).toBe(row['Each way'])
  })
})

describe('a ring of NCCL', () => {
  it('has the α that the words work out of its table', () => {
    const rows = new Map(numbersOf(tableOf('collectives', 'What NCCL’s model has')))
    const words = allWords(inPyTorch('collectives')).join(' ')
    // An all-reduce round a ring of n has 2(n − 1) messages in a row; the recording is of two.
    for (const protocol of ['LL', 'Simple']) {
      const { 'The call': call = 0, 'Over NVLink': step = 0 } = rows.get(protocol) ?? {}
      expect(words).toContain(
        `${String(call)} + 2 · ${String(step)} = ${(call + 2 * step).toFixed(1)} µs with ${protocol}`,
      )
    }
  })
})
