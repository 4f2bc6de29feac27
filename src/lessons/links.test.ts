/**
 * The rates of links: each is worked out anew from what its row says it is made of, and nobody else
 * says another.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Table } from '../text/template'
import { sections as reference } from './reference.md'

const tableOf = (caption: string): Table => {
  const found = reference
    .flatMap(({ text }) => text)
    .find((part): part is Table => typeof part === 'object' && part.caption.startsWith(caption))
  if (!found) throw new Error(`The reference has no table '${caption}'.`)
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
/** Rounds to three digits, as the tables have them. */
const rounded = (value: number): number => Number(value.toPrecision(3))

describe('PCI Express', () => {
  const LANES = 16
  const BITS = 8

  it.each(numbersOf(tableOf('PCI Express')))('%s', (_, row) => {
    const rawGBs = ((row['A lane'] ?? 0) * LANES) / BITS
    expect(rounded(rawGBs * (row['Coding'] ?? 0))).toBe(row['Each way'])
    expect(2 * rawGBs).toBe(row['As sold'])
  })

  it('says of generation 5 what lessons say', () => {
    const [, { 'Each way': fifth } = {}] =
      numbersOf(tableOf('PCI Express')).find(([name]) => name === 'PCIe 5') ?? []
    const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
    const lesson = read('overlapped-uploads/lesson.md')
    expect(Number(/PCIe 5 link of 16 lanes carries (\d+)/.exec(lesson)?.[1])).toBe(fifth)
    expect(Number(/gbPerS\((\d+)\)/.exec(read('transfer-cost/figures.ts'))?.[1])).toBe(fifth)
  })
})

describe('memory of the host', () => {
  const BYTES = 8

  it.each(numbersOf(tableOf('Host memory')))('%s', (name, row) => {
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
  it.each(numbersOf(tableOf('NVLink')))('%s', (_, row) => {
    expect((row['Links'] ?? 0) * (row['A link, each way'] ?? 0)).toBe(row['Each way'])
    expect(2 * (row['Each way'] ?? 0)).toBe(row['As sold'])
  })
})

describe('networks', () => {
  it.each(numbersOf(tableOf('A network port')))('%s', (_, row) =>
    expect((row['As sold'] ?? 0) / 8).toBe(row['Each way']),
  )
})
