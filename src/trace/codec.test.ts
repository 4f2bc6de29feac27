import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../base/fault'
import { type Column, SPAN_ROLES, TRACE_VERSION, COLUMN_TYPES } from './schema'
import { TraceBuilder } from './builder'
import { decodeRun, encodeRun, type BadFile, type SavedRun } from './codec'
import { gzipBytes } from './gzip'
import { readFile } from './file-layout'
import { writeFile, deltaEncode, deltaDecode } from './file-writer'
import { arbitraryTrace, newBuilder, testInfo } from './testing/arbitrary-trace'
import { sampleReport } from './testing/sample-report'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { bundleModule } from '../../vite/bundle-module'

function value(result: Result<SavedRun, BadFile>): SavedRun {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
const codeOf = (result: Result<SavedRun, BadFile>) => (result.ok ? 'ok' : result.error.code)

function sample(): Uint8Array<ArrayBuffer> {
  const builder = newBuilder()
  for (let index = 0; index < 20; index += 1) {
    const span = { lane: index % 4, kind: 'compute', name: `pass ${String(index)}` } as const
    builder.addSpan({ ...span, start: index * 10, end: index * 10 + 5, variant: 'never', repeat: 0 })
    builder.addFlow(0, index, 'submit')
    builder.addCounterSample(0, index, index)
    builder.addInstant({ lane: 0, time: index, name: 'mark' })
    builder.addSnapshot({
      clock: 1,
      hostBeforeNs: index,
      beginTick: index,
      endTick: index,
      hostAfterNs: index + 9e5,
    })
  }
  return encodeRun({ trace: builder.freeze(), report: sampleReport })
}

/** Rewrites the header of a saved run. */
function withHeader(bytes: Uint8Array, change: (header: Record<string, unknown>) => void): Uint8Array {
  const read = readFile(bytes)
  if (!read.ok) throw new Error(read.error.message)
  const header = structuredClone(read.value.file.header) as Record<string, unknown>
  change(header)
  return writeFile(read.value.version, { ...read.value.file, header })
}

/** One span of NCCL's, and what `change` makes of the row about it. */
function withCollective(change: (columns: Readonly<Record<string, Column>>) => void): Uint8Array {
  const builder = newBuilder()
  builder.addSpan({ lane: 3, kind: 'compute', name: 'matmul', start: 0, end: 1 })
  const span = builder.addSpan({ lane: 3, kind: 'collective', name: 'ncclDevKernel', start: 1, end: 2 })
  builder.addCollective({ span, operation: 'allreduce', group: '0' })
  const read = readFile(encodeRun({ trace: builder.freeze(), report: null }))
  if (!read.ok) throw new Error(read.error.message)
  change(read.value.file.tables['collectives']?.columns ?? {})
  return writeFile(TRACE_VERSION, read.value.file)
}

describe('codec', () => {
  it('gives back what it was given, but for the origin', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTrace, fc.boolean(), fc.boolean(), async (trace, withReport, zipped) => {
        const report = withReport ? sampleReport : null
        const encoded = encodeRun({ trace, report })
        const bytes = zipped ? await gzipBytes(encoded) : encoded
        const decoded = value(await decodeRun(bytes))
        expect(decoded.trace).toEqual({ ...trace, info: { ...trace.info, origin: 'recorded' } })
        expect(decoded.report).toEqual(report)
        expect(value(await decodeRun(bytes, { origin: 'live' })).trace).toEqual(trace)
        // Last, since it may write into them.
        expect(value(await decodeRun(bytes, { origin: 'live', isGiven: true })).trace).toEqual(trace)
      }),
      { numRuns: 60 },
    )
  })

  it('gives back an error beyond all bounds, which JSON has no number for', async () => {
    const verification = { ...sampleReport.verification, failed: 1, maxRelativeError: Infinity }
    const bytes = encodeRun({ trace: newBuilder().freeze(), report: { ...sampleReport, verification } })
    expect(value(await decodeRun(bytes)).report?.verification).toEqual(verification)
  })

  it('saves a trace that is a view on growing columns, and an empty one', async () => {
    const empty = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 }).freeze()
    expect(value(await decodeRun(encodeRun({ trace: empty, report: null }))).trace.spans.length).toBe(0)
  })

  it('reads from anywhere in a larger buffer, aligned or not', async () => {
    const bytes = sample()
    for (const shift of [0, 1, 4, 8]) {
      const larger = new Uint8Array(bytes.length + 16)
      larger.set(bytes, shift)
      const decoded = value(await decodeRun(larger.subarray(shift, shift + bytes.length)))
      expect(decoded.trace.spans.start[3]).toBe(30)
    }
  })

  it('names what is no run, of another version, or cut short', async () => {
    const bytes = sample()
    expect(codeOf(await decodeRun(new Uint8Array()))).toBe('not-a-run')
    expect(codeOf(await decodeRun(new TextEncoder().encode('{"traceEvents":[]}')))).toBe('not-a-run')
    for (const [version, code] of [
      [0, 'too-old'],
      [TRACE_VERSION - 1, 'too-old'],
      [TRACE_VERSION + 1, 'too-new'],
    ] as const) {
      const other = bytes.slice()
      other[8] = version
      expect(codeOf(await decodeRun(other))).toBe(code)
    }
    expect(codeOf(await decodeRun(bytes.subarray(0, 12)))).toBe('damaged')
    expect(codeOf(await decodeRun(Uint8Array.of(0x1f, 0x8b, 8, 0)))).toBe('damaged')
    const zipped = await gzipBytes(bytes)
    expect(codeOf(await decodeRun(zipped.subarray(0, zipped.length - 9)))).toBe('damaged')
  })

  it('refuses every truncation', async () => {
    const bytes = sample()
    for (let length = 0; length < bytes.length; length += 1) {
      const result = await decodeRun(bytes.subarray(0, length))
      // The last column may be padded by nothing: only a whole file is whole.
      expect(result.ok, `cut to ${String(length)} of ${String(bytes.length)}`).toBe(false)
    }
  })

  it.each<[string, (header: Record<string, unknown>) => void, string]>([
    [
      'a lane of no clock',
      (header) =>
        ((header['lanes'] as { clock: number }[])[0] = {
          ...(header['lanes'] as { clock: number }[])[0],
          clock: 7,
        }),
      'lanes.0.clock',
    ],
    ['lanes out of order', (header) => (header['lanes'] as unknown[]).reverse(), 'lanes'],
    [
      'fewer lanes than spans name',
      (header) => (header['lanes'] = (header['lanes'] as unknown[]).slice(0, 2)),
      'row 2 of its spans',
    ],
    ['fewer strings', (header) => (header['strings'] = []), 'row 0 of its spans'],
    ['no info', (header) => delete header['info'], '‘info’'],
    [
      'a tick that is no number',
      (header) =>
        ((header['clocks'] as { originTick: string }[])[1] = {
          ...(header['clocks'] as { originTick: string }[])[1],
          originTick: '0x5',
        }),
      'originTick',
    ],
    [
      'a report of another schema',
      (header) => (header['report'] = { ...sampleReport, schema: 'other@9' }),
      'report.schema',
    ],
    [
      'metrics without units',
      (header) => (header['report'] = { ...sampleReport, metrics: [{ name: 'x' }] }),
      'report.metrics.0',
    ],
  ])('refuses %s', async (_, change, reason) => {
    const result = await decodeRun(withHeader(sample(), change))
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.error.message).toContain(reason)
  })

  it('refuses a role that there is not', async () => {
    const read = readFile(sample())
    if (!read.ok) throw new Error(read.error.message)
    read.value.file.tables['spans']?.columns['role']?.fill(SPAN_ROLES.length, 3, 4)
    const result = await decodeRun(writeFile(TRACE_VERSION, read.value.file))
    expect(result.ok ? '' : result.error.message).toContain('row 3 of its spans')
  })
})

describe('collectives', () => {
  it.each([
    ['a span that is none', 'span', 0],
    ['a span that is not there', 'span', 7],
    ['an operation without a name', 'operation', 99],
    ['a group without a name', 'group', 99],
    ['a type below none', 'dtype', -2],
  ])('are refused with %s', async (_, column, value) => {
    expect(codeOf(await decodeRun(withCollective(() => undefined)))).toBe('ok')
    const bytes = withCollective((columns) => columns[column]?.fill(value))
    const read = await decodeRun(bytes)
    expect(read.ok ? '' : read.error.message).toContain('row 0 of its collectives points at nothing')
  })

  it('are no table of a file that has none', () => {
    const read = readFile(sample())
    expect(read.ok && Object.keys(read.value.file.tables)).not.toContain('collectives')
  })
})

it('sums of differences are the column', () => {
  const numbers = fc.array(
    fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 52, -(2 ** 52))),
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(COLUMN_TYPES)), numbers, (type, values) => {
      const column = type.from(values)
      const differences = deltaEncode(column)
      if (differences) deltaDecode(differences)
      expect(differences ?? column).toEqual(column)
    }),
  )
})

it('whole times and indices are written so; what a sum would change is not', () => {
  expect(deltaEncode(Float64Array.of(5000, 10_000, 20_000))).toEqual(Float64Array.of(5000, 5000, 10_000))
  expect(deltaEncode(Int32Array.of(7, 8, -1))).toEqual(Int32Array.of(7, 1, -9))
  for (const value of [0.5, Number.NaN, Infinity, -0, 2 ** 52 + 2])
    expect(deltaEncode(Float64Array.of(1, value)), String(value)).toBeNull()
  expect(deltaEncode(Uint8Array.of(1, 2))).toBeNull()
})

const gzippedBytes = async (file: string): Promise<number> =>
  gzipSync(await bundleModule(join(import.meta.dirname, file))).length

it('is small without the decoder, which is several times its size', async () => {
  const writing = await gzippedBytes('encode-run.ts')
  expect(writing).toBeLessThan(3000)
  // Guards against a bundle that holds nothing.
  expect(await gzippedBytes('codec.ts')).toBeGreaterThan(3 * writing)
})
