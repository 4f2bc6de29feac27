/**
 * The tables beside what PyTorch's own `prof.key_averages()` said of the same runs, recorded with
 * bench/tables/record.py: calls equal, host and device times within 1 %.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { placeTrace } from '../../trace/place'
import { shapeText } from './table-text'
import type { Row } from './table'
import { Tables } from './tables'

const FOLDER = new URL('testing/', import.meta.url).pathname

interface Average {
  readonly key: string
  readonly count: number
  readonly device: string
  readonly self_cpu_us: number
  readonly cpu_us: number
  readonly self_device_us: number
  readonly device_us: number
  readonly annotation: boolean
  readonly shapes: readonly unknown[] | null
}

/** A microsecond, or one part in a hundred. */
const isNear = (ours: number, theirs: number) => Math.abs(ours - theirs) <= Math.max(1, 0.01 * theirs)

async function read(name: string) {
  const opened = await openTraceFile(new Uint8Array(readFileSync(`${FOLDER}${name}.json.gz`)))
  if (!opened.ok) throw new Error(opened.error.message)
  const placed = placeTrace(opened.value.trace)
  const averages = JSON.parse(gunzipSync(readFileSync(`${FOLDER}${name}.averages.json.gz`)).toString()) as {
    readonly by_name: readonly Average[]
    readonly by_shape: readonly Average[]
  }
  return { placed, averages }
}

const us = (row: Row, id: string) => Number(row.cells[id] ?? 0) / 1e3

type Column = 'host' | 'selfHost' | 'device' | 'selfDevice'
const VALUES: Readonly<Record<Column, (said: Average) => number>> = {
  host: (said) => said.cpu_us,
  selfHost: (said) => said.self_cpu_us,
  device: (said) => said.device_us,
  selfDevice: (said) => said.self_device_us,
}

/** @param columns that are compared of a row */
function differences(
  rows: ReadonlyMap<string, Row>,
  theirs: readonly Average[],
  columnsOf: (said: Average) => readonly Column[],
): readonly string[] {
  return theirs.flatMap((said) => {
    const { key } = said
    const row = rows.get(key)
    if (!row) return [`${key}: no row, ${String(said.count)} calls`]
    const calls = row.cells['calls']
    return [
      ...(calls === said.count ? [] : [`${key}: ${String(calls)} calls for ${String(said.count)}`]),
      ...columnsOf(said).flatMap((id) => {
        const [ours, value] = [us(row, id), VALUES[id](said)]
        return isNear(ours, value) ? [] : [`${key}: ${id} ${ours.toFixed(2)} for ${value.toFixed(2)}`]
      }),
    ]
  })
}

/**
 * Python functions and modules have tables of their own; marks of steps and CUPTI's own time are no
 * row.
 */
const isOperator = ({ key, device }: Average) =>
  device === 'CPU' && !/^ProfilerStep|\(\d+\): |^nn\.Module: |^Activity Buffer Request$/.test(key)
/** Above the call in which CUPTI asks for a buffer: by way of that record its work counts again. */
const COUNTED_TWICE = /^aten::(?:to|_to_copy|copy_)\b/
/**
 * PyTorch takes the Python functions in a range off its own time; a range is no Python function's
 * row here.
 */
const ofOperator =
  (profile: string) =>
  ({ key, annotation }: Average): readonly Column[] => [
    ...(annotation ? (['host'] as const) : (['host', 'selfHost', 'selfDevice'] as const)),
    ...(profile === 'mlp-cold' && COUNTED_TWICE.test(key) ? [] : (['device'] as const)),
  ]

function summedBySize(theirs: readonly Average[]): readonly Average[] {
  const sums = new Map<string, Average>()
  for (const said of theirs) {
    const key = `${said.key} ${shapeText(JSON.stringify(said.shapes))}`
    const sum = sums.get(key)
    sums.set(key, {
      ...said,
      key,
      count: (sum?.count ?? 0) + said.count,
      cpu_us: (sum?.cpu_us ?? 0) + said.cpu_us,
      self_cpu_us: (sum?.self_cpu_us ?? 0) + said.self_cpu_us,
      device_us: (sum?.device_us ?? 0) + said.device_us,
      self_device_us: (sum?.self_device_us ?? 0) + said.self_device_us,
    })
  }
  return [...sums.values()]
}

const rowsBy = (rows: readonly Row[], keyOf: (row: Row) => string) =>
  new Map(rows.map((row) => [keyOf(row), row]))
const nameOf = ({ cells }: Row) => String(cells['name'])

const NAMES = readdirSync(FOLDER).flatMap((file) => /^(.*)\.averages\.json\.gz$/.exec(file)?.[1] ?? [])

describe.each(NAMES)('%s', (name) => {
  it('has the operators of key_averages()', async () => {
    const { placed, averages } = await read(name)
    const rows = rowsBy(new Tables(placed).table('operators').rows, nameOf)
    const theirs = averages.by_name.filter(isOperator)
    expect(theirs.length).toBeGreaterThan(10)
    expect(differences(rows, theirs, ofOperator(name))).toEqual([])
  })

  it('has them by the sizes of their inputs', async () => {
    const { placed, averages } = await read(name)
    const { rows } = new Tables(placed, { byShape: true }).table('operators')
    const keyed = rowsBy(rows, (row) => `${nameOf(row)} ${String(row.cells['shape'])}`)
    // PyTorch tells rows apart by inputs that are no tensors too, and leaves out the sizes of
    // tensors in lists.
    const theirs = summedBySize(averages.by_shape.filter(isOperator)).filter(({ key }) => !key.endsWith(' '))
    expect(theirs.length).toBeGreaterThan(10)
    expect(differences(keyed, theirs, ofOperator(name))).toEqual([])
  })

  // A CPU-only profile has no kernels.
  it.skipIf(name.startsWith('cpu-'))('has its kernels', async () => {
    const { placed, averages } = await read(name)
    const rows = rowsBy(new Tables(placed).table('kernels').rows, nameOf)
    const theirs = averages.by_name.filter(({ device, annotation }) => device === 'CUDA' && !annotation)
    expect(theirs.length).toBeGreaterThan(5)
    const found = theirs.map((said) => ({ ...said, device_us: said.self_device_us }))
    expect(differences(rows, found, () => ['device'])).toEqual([])
    expect(rows.size).toBe(theirs.length)
  })
})

// Since 2.13 PyTorch counts Python functions too.
it('has the modules of key_averages()', async () => {
  const { placed, averages } = await read('cpu-mlp-stack')
  const rows = rowsBy(new Tables(placed).table('modules').rows, (row) => `nn.Module: ${nameOf(row)}`)
  const theirs = averages.by_name.filter(({ key }) => key.startsWith('nn.Module: '))
  expect(theirs).toHaveLength(6)
  expect(differences(rows, theirs, () => ['host', 'device'])).toEqual([])
})
