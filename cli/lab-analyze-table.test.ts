import { expect, it } from 'vitest'
import { readOne } from './lab-analyze'
import { tableOutput, type TableWanted } from './lab-analyze-table'
import { parseAnalyze } from './analyze-arguments'

const FILE = 'src/analysis/tables/testing/cpu-mlp-stack.json.gz'
const wanted: TableWanted = { kind: 'operators', top: 3, byShape: false, isPerStep: false, peak: {} }

it('writes the rows that took most time, and how many more there are', async () => {
  const lines = tableOutput(await readOne(FILE), null, wanted, 'text').split('\n')
  expect(lines[0]).toMatch(/^2 steps of .* on average\.$/)
  expect(lines[1]).toMatch(/^Operator +Calls +Host, own +Host, all$/)
  expect(lines).toHaveLength(6)
  expect(lines[5]).toMatch(/^… and \d+ more rows/)
})

it('writes JSON with times in µs, and Markdown', async () => {
  const read = await readOne(FILE)
  const { schema, rows } = JSON.parse(tableOutput(read, null, { ...wanted, byShape: true }, 'json')) as {
    schema: string
    rows: Record<string, unknown>[]
  }
  expect(schema).toBe('host-device-lab/table@1')
  expect(rows).toHaveLength(3)
  expect(Object.keys(rows[0] ?? {})).toEqual(['name', 'shape', 'calls', 'selfHost us', 'host us', 'line'])
  expect(tableOutput(read, null, wanted, 'markdown')).toMatch(/^\| Operator \| Calls \|/)
})

it('has the calls of a step', async () => {
  const read = await readOne(FILE)
  const callsOf = (isPerStep: boolean) => {
    const { rows } = JSON.parse(tableOutput(read, null, { ...wanted, isPerStep }, 'json')) as {
      rows: readonly { readonly calls: number }[]
    }
    return rows[0]?.calls ?? 0
  }
  expect(callsOf(true)).toBe(callsOf(false) / 2)
})

it('compares a file with itself: nothing changed', async () => {
  const read = await readOne(FILE)
  const { rows } = JSON.parse(tableOutput(read, read, wanted, 'json')) as { rows: Record<string, unknown>[] }
  expect(rows[0]).toMatchObject({ 'change us': 0 })
})

it('says what a file lacks', async () => {
  const read = await readOne(FILE)
  expect(() => tableOutput(read, null, { ...wanted, kind: 'kernels' }, 'text')).toThrow('records no kernels')
})

it('names what is wrong with its arguments', () => {
  const refusal =
    (...args: readonly string[]) =>
    () =>
      parseAnalyze(['a.json', ...args])
  expect(refusal('--table', 'rows')).toThrow('there are operators, kernels, modules, lines')
  expect(refusal('--top', '3')).toThrow('belong to --table')
  expect(refusal('--table', 'kernels', '--fail-if', 'busyRatio < 2')).toThrow('belong to neither')
  expect(refusal('--table', 'kernels', '--without', 'dispatch')).toThrow('Either --table or --without')
  expect(refusal('--table', 'lines', '--top', '0')).toThrow('a number of rows')
  expect(refusal('--table', 'lines', '--peak', 'fp4=1')).toThrow('NAME=NUMBER')
  expect(parseAnalyze(['a.json', '--table', 'kernels', '--peak', 'bf16=800'])).toMatchObject({
    table: { kind: 'kernels', top: null, byShape: false, isPerStep: false, peak: { bf16: 800 } },
  })
})
