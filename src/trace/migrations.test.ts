/** Files of older versions, as they were written: they open, spans have the roles that their recorder knew, all else is as it was. */
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeRun, encodeRun, type SavedRun } from './codec'
import { COLUMN_TYPES, SPAN_TABLE } from './columns'
import { readFile } from './file-layout'
import { writeFile, type RawFile } from './file-writer'
import { SPAN_KINDS, SPAN_ROLES, TRACE_VERSION } from './schema'
import { roleOfVersion1 } from './migrations'

const FOLDER = 'src/trace/testing/fixtures/version-1'
const files = ['overlapped-uploads', 'worth-it'].map((name) => ({
  name,
  bytes: gunzipSync(readFileSync(`${FOLDER}/${name}.hdl.gz`)),
}))

function rawOf(bytes: Uint8Array): RawFile {
  const read = readFile(bytes)
  if (!read.ok) throw new Error(read.error.message)
  expect(read.value.version).toBe(1)
  return read.value.file
}
async function openedRun(bytes: Uint8Array): Promise<SavedRun> {
  const result = await decodeRun(bytes)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
/** Digits apart: 'kind | name | role', each once, sorted. */
function namesByRole({ trace: { spans, strings } }: SavedRun): readonly string[] {
  const found = new Set<string>()
  for (let row = 0; row < spans.length; row += 1) {
    const name = (strings[spans.name[row] ?? -1] ?? '').replaceAll(/\d+/g, '#')
    const kind = SPAN_KINDS[spans.kind[row] ?? -1] ?? '?'
    const group =
      kind === 'encode' || kind === 'submit' || kind === 'queued' || kind === 'window' ? '' : ` | ${name}`
    found.add(`${kind}${group} | ${SPAN_ROLES[spans.role[row] ?? -1] ?? '?'}`)
  }
  return [...found].sort()
}

const STAGING = ['filled', 'free', 'in-flight', 'mapped', 'mapping'].map(
  (state) => `staging-${state} | ${state.replace('-', ' ')} | none`,
)
const WAITS = [
  'host-wait | await mapAsync(): readback | wait-map',
  'host-wait | await mapAsync(staging #) | wait-staging',
  'host-wait | await onSubmittedWorkDone() | wait-done',
]
const HOST = ['encode | encode', 'submit | submit', 'queued | none', 'window | none']
const WORK = ['host-work | fill staging # | fill', 'host-work | read the mapped range | read']
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'overlapped-uploads': [
    ...STAGING,
    ...WAITS,
    ...HOST,
    ...WORK,
    'host-wait | await staging #: mapAsync() | wait-staging',
    ...[
      'after the copy',
      'before the copy',
      'calibration',
      'clock probe',
      'fill',
      'fill weights',
      'matmul',
    ].map((name) => `compute | ${name} | pass`),
    'transfer | copy batch # | copy',
  ],
  'worth-it': [
    ...STAGING,
    ...WAITS,
    ...HOST,
    ...WORK,
    'host-work | matmul #³ on the processor | compute',
    'host-work | matmul #³ × # on the processor | compute',
    ...['almost nothing', 'calibration', 'clock probe', 'matmul #³', 'matmul #³ × #', 'ramp'].map(
      (name) => `compute | ${name} | pass`,
    ),
  ],
}

describe.each(files)('a file of version 1, $name', ({ name, bytes }) => {
  it('opens with the roles that its recorder knew', async () => {
    const run = await openedRun(bytes)
    expect(namesByRole(run)).toEqual([...(EXPECTED[name] ?? [])].sort())
    expect([...new Set(run.trace.spans.line)]).toEqual([-1])
    expect(run.trace.version).toBe(TRACE_VERSION)
  })

  it('is otherwise the same, to the last bit', async () => {
    const { header, tables } = rawOf(bytes)
    const { trace, report } = await openedRun(bytes)
    const bits = (column: ArrayBufferView | undefined) =>
      column && Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('hex')
    const old = tables['spans']?.columns ?? {}
    const isNew = (column: string) => column === 'role' || column === 'line'
    expect(Object.keys(old).sort()).toEqual(
      Object.keys(SPAN_TABLE)
        .filter((column) => !isNew(column))
        .sort(),
    )
    for (const [column, values] of Object.entries(old))
      expect(bits(Reflect.get(trace.spans, column) as ArrayBufferView), column).toBe(bits(values)) // a column by its name
    for (const table of ['instants', 'flows'] as const)
      for (const [column, values] of Object.entries(tables[table]?.columns ?? {}))
        expect(bits(Reflect.get(trace[table], column) as ArrayBufferView), column).toBe(bits(values)) // as above
    for (const [index, counter] of trace.counters.entries())
      expect([bits(counter.timeNs), bits(counter.value)]).toEqual(
        ['timeNs', 'value'].map((column) => bits(tables[`counter ${String(index)}`]?.columns[column])),
      )
    expect(trace.snapshots.map(({ beginTick }) => beginTick)).toEqual([
      ...(tables['snapshots']?.columns['beginTick'] ?? []),
    ])
    const { info, clocks, lanes, strings, rejected } = header
    expect({
      info: trace.info,
      clocks: trace.clocks,
      lanes: trace.lanes,
      strings: trace.strings,
      rejected: trace.rejected,
      report,
    }).toEqual({ info, clocks, lanes, strings, rejected, report: header['report'] })
  })

  it('gets no role from a name where another tool gave it', async () => {
    const { header, tables } = rawOf(bytes)
    const info = { ...(header['info'] as object), experiment: '' }
    const { trace } = await openedRun(writeFile(1, { header: { ...header, info }, tables }))
    expect([...new Set(trace.spans.role)]).toEqual([0])
  })

  it.each(['shown', 'not-shown', 'inconclusive'])(
    'has no verdict %s where it does not count',
    async (old) => {
      const { header, tables } = rawOf(bytes)
      const { verdict, ...others } = header['report'] as { readonly verdict: object }
      const verdictOf = async (valid: boolean) => {
        const report = {
          ...others,
          verdict: { ...verdict, outcome: old, text: 'As it was.' },
          validity: { valid, reasons: valid ? [] : ['3 of 64 checked values are wrong.'] },
        }
        return (await openedRun(writeFile(1, { header: { ...header, report }, tables }))).report?.verdict
      }
      expect(await verdictOf(true)).toEqual({ ...verdict, outcome: old, text: 'As it was.' })
      const invalid = await verdictOf(false)
      expect(invalid).toMatchObject({ ...verdict, outcome: 'invalid', text: expect.any(String) as string })
      expect(invalid?.text).toContain('does not count')
      expect(invalid?.text).toContain('As it was.')
    },
  )

  it('is refused where its spans are not what version 1 had', async () => {
    const { header, tables } = rawOf(bytes)
    const { spans, ...rest } = tables
    const { kind, ...columns } = spans?.columns ?? {}
    const length = spans?.length ?? 0
    for (const broken of [rest, { ...tables, spans: { length, columns } }])
      expect(await decodeRun(writeFile(1, { header, tables: broken }))).toMatchObject({
        ok: false,
        error: { code: 'damaged' },
      })
    const other = { length, columns: { ...columns, kind: new COLUMN_TYPES.u8(length).fill(255) } }
    expect(kind).toHaveLength(length)
    expect((await decodeRun(writeFile(1, { header, tables: { ...tables, spans: other } }))).ok).toBe(false)
    // Only version 1 goes without the new columns.
    expect((await decodeRun(writeFile(TRACE_VERSION, { header, tables }))).ok).toBe(false)
  })
})

it('a name that the old recorder did not give has no role', () => {
  expect(roleOfVersion1('host-work', 'read the shape [64, 64]')).toBe('none')
  expect(roleOfVersion1('host-wait', 'await something')).toBe('none')
  expect(roleOfVersion1('window', 'fill staging 0')).toBe('none')
  expect(roleOfVersion1(undefined, '')).toBe('none')
})

it('a file of version 2 opens as it was: it had no collectives', async () => {
  const bytes = gunzipSync(
    readFileSync('src/trace/testing/fixtures/version-2/torch-sync-stalls-mended.hdl.gz'),
  )
  const read = readFile(bytes)
  expect(read.ok && read.value.version).toBe(2)
  const { trace } = await openedRun(bytes)
  expect(trace.version).toBe(TRACE_VERSION)
  expect(trace.collectives.length).toBe(0)
  expect(trace.spans.length).toBe(read.ok ? read.value.file.tables['spans']?.length : 0)
  expect(trace.spans.length).toBeGreaterThan(50)
})

it('a file of version 3 opens as it was: its columns are in full', async () => {
  const bytes = gunzipSync(readFileSync('src/trace/testing/fixtures/version-3/torch-nccl-rank0.hdl.gz'))
  const read = readFile(bytes)
  if (!read.ok) throw new Error(read.error.message)
  expect(read.value.version).toBe(3)
  const { trace, report } = await openedRun(bytes)
  expect(trace.version).toBe(TRACE_VERSION)
  const { spans } = read.value.file.tables
  expect(trace.spans.start).toEqual(spans?.columns['start'])
  expect(trace.spans.end).toEqual(spans?.columns['end'])
  expect(trace.collectives.length).toBeGreaterThan(5)
  // Saved again it is of this version, with the same numbers in fewer bytes.
  const again = encodeRun({ trace, report })
  expect((await openedRun(again)).trace).toEqual(trace)
  expect(gzipSync(again).length).toBeLessThan(0.9 * gzipSync(bytes).length)
})
