import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { criticalPath } from '../../analysis/critical-path'
import { summariseDevices } from '../../analysis/devices'
import { findGaps } from '../../analysis/gaps'
import { plainGap } from '../../analysis/testing/scene'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { gapsOfColumns, type Gap } from '../../trace/gaps'
import type { Trace } from '../../trace/schema'
import { placeTrace } from '../../trace/place'
import { arbitraryTrace } from '../../trace/testing/arbitrary-trace'
import { createYielder } from '../../base/give-way'
import { packTrace, unpackTrace, packStrings, stringReader, unpackStrings } from './packed-trace'
import { packEvidences, packGaps } from './read-trace'
import { importAcross } from './testing/import-across'
import { stalledTrace } from './testing/synthetic'
import { forAllAwaited } from '../../testing/for-all'

const turns = () => createYielder()

const ownBytes = (file: string): Promise<Uint8Array<ArrayBuffer>> =>
  // A buffer of its own, as a page has: small files share one in node.
  readFile(`public/recordings/${file}`).then((bytes) => new Uint8Array(bytes))

const read = (bytes: Uint8Array<ArrayBuffer>, gaps: 'of-repeats' | 'of-devices' = 'of-devices') =>
  importAcross(new Blob([bytes]), { origin: 'imported', gaps })

describe('what crosses from the import worker', () => {
  it.each([
    'sync-stalls.hdl.gz',
    'torch-sync-stalls-stalled.json.gz',
    'torch-overlapped-uploads-overlapped.json.gz',
  ])('%s: is what the analysis says of the file itself', async (file) => {
    const opened = await openTraceFile(await ownBytes(file))
    if (!opened.ok) throw new Error(opened.error.message)
    const trace = { ...opened.value.trace, info: { ...opened.value.trace.info, origin: 'imported' } }
    const placed = placeTrace(opened.value.trace)
    const devices = summariseDevices(placed)
    const { reading } = await read(await ownBytes(file))
    expect(reading?.trace).toEqual(trace)
    expect(reading?.placed.startNs).toEqual(placed.startNs)
    expect(reading?.placed.lanes).toEqual(placed.lanes)
    expect(reading?.gaps.map(plainGap)).toEqual(devices.flatMap(({ gaps }) => gaps).map(plainGap))
    expect(reading?.devices.count).toBe(devices.length)
    for (const [index, { gaps, totals, busyRatio }] of devices.entries()) {
      const digest = reading?.devices.shown[index]
      expect(digest?.busyRatio).toBe(busyRatio)
      expect(digest?.gaps).toBe(gaps.length)
      for (const { cause, count, us, longest, longestUs } of digest?.causes ?? []) {
        expect({ count, us }).toEqual(totals[cause])
        const own = gaps.filter((gap) => gap.cause === cause)
        expect(longestUs).toBe(Math.max(...own.map(({ durationNs }) => durationNs / 1e3)))
        expect(gaps[longest]?.cause).toBe(cause)
      }
    }
    const path = criticalPath(placed)
    expect(reading?.path?.length).toBe(path?.segments.length)
    const sum = reading?.path?.ns.reduce((ns, share) => ns + share, 0) ?? 0
    expect(sum).toBeCloseTo((path?.segments.at(-1)?.endNs ?? 0) - (path?.segments[0]?.startNs ?? 0), 0)
  })

  it.each([true, false])('is seen by both threads where they may share: %s', async (isIsolated) => {
    vi.stubGlobal('crossOriginIsolated', isIsolated)
    vi.stubGlobal('addEventListener', () => undefined)
    const file = await ownBytes('sync-stalls.hdl.gz')
    const opened = await openTraceFile(file)
    if (!opened.ok) throw new Error(opened.error.message)
    const { spans, counters } = opened.value.trace
    const { reading } = await read(file)
    if (!reading) throw new Error('nothing was read')
    expect(reading.trace.spans).toEqual(spans)
    expect(reading.trace.counters).toEqual(counters)
    expect(reading.placed.lanes).toEqual(placeTrace(opened.value.trace).lanes)
    const [lane] = reading.placed.lanes
    for (const column of [reading.trace.spans.start, reading.placed.endNs, lane?.span])
      expect(column?.buffer instanceof SharedArrayBuffer).toBe(isIsolated)
  })

  it('draws the gaps that the figures rest on where a run of the lab is wanted as one', async () => {
    const bytes = await ownBytes('sync-stalls.hdl.gz')
    const opened = await openTraceFile(bytes)
    if (!opened.ok) throw new Error(opened.error.message)
    const { reading } = await read(bytes, 'of-repeats')
    expect(reading?.gaps.map(plainGap)).toEqual(findGaps(placeTrace(opened.value.trace)).map(plainGap))
    expect(reading?.hasDeviceGaps).toBe(false)
  })

  it('is progress that never goes back, each phase named, before the end', async () => {
    const { said } = await read(await ownBytes('torch-sync-stalls-stalled.json.gz'))
    const fractions = said.map(({ fraction }) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(Math.max(...fractions)).toBeLessThanOrEqual(1)
    expect(new Set(said.map(({ phase }) => phase)).size).toBe(5)
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['words', new TextEncoder().encode('hello')],
    ['JSON cut short', new TextEncoder().encode('{"traceEvents":[{"ph":"X","name":"a","ts":1,')],
    ['gzip that is none', new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  ])('is a reason in words for %s', async (_, bytes) => {
    const { fault } = await read(bytes)
    expect(fault).toMatchObject({ code: 'file' })
    expect(fault?.message.length).toBeGreaterThan(10)
    expect(fault?.hint?.length).toBeGreaterThan(10)
  })
})

function crossed(gaps: readonly Gap[], { spans }: Trace): readonly Gap[] {
  const sent = packGaps(gaps)
  const said = packEvidences(gaps)
  const columns = structuredClone(sent.columns, { transfer: [...sent.transfer] })
  const evidences = structuredClone(said, { transfer: said.texts.map(({ buffer }) => buffer) })
  return gapsOfColumns(columns, spans, stringReader(evidences))
}

describe('packing', () => {
  it('brings a trace back as it was', async () => {
    await forAllAwaited()(arbitraryTrace, async (trace) => {
      const copy = structuredClone(trace)
      const { packed, transfer } = packTrace(copy)
      const back = await unpackTrace(structuredClone(packed, { transfer: [...transfer] }), turns())
      expect(back).toEqual(trace)
    })
  })

  it('brings strings back, however many and whatever is in them', async () => {
    await forAllAwaited(20)(fc.array(fc.string({ unit: 'binary' })), fc.nat(3), async (strings, times) => {
      const many = Array.from({ length: times * 2000 }, (_, index) => [...strings, String(index)]).flat()
      expect(
        await unpackStrings(
          packStrings(many.length, (index) => many[index] ?? ''),
          turns(),
        ),
      ).toEqual(many)
    })
  })

  it('10^4 gaps come back as they were, each with its evidence', () => {
    const placed = placeTrace(stalledTrace(10_000))
    const gaps = summariseDevices(placed).flatMap((device) => device.gaps)
    expect(gaps).toHaveLength(9999)
    const back = crossed(gaps, placed.trace)
    expect(back).toHaveLength(gaps.length)
    // A sample, in any order: all of them are compared where there are few, above.
    for (let sample = 0; sample < 1000; sample += 1) {
      const at = (sample * 7919) % gaps.length
      const [gap, own] = [back[at], gaps[at]]
      expect(gap && plainGap(gap)).toEqual(own && plainGap(own))
    }
  })

  it('gaps between the last of 10^6 spans keep their places', () => {
    const placed = placeTrace(stalledTrace(4))
    const gaps = summariseDevices(placed).flatMap((device) => device.gaps)
    const far = gaps.map((gap) => ({
      ...plainGap(gap),
      before: gap.before + 1e6,
      after: gap.after + 1e6,
      spans: gap.spans.map((span) => span + 1e6),
    }))
    expect(far).toHaveLength(3)
    const back = crossed(far, placed.trace)
    const placesOf = (all: readonly Gap[]) =>
      all.map(({ before, after, spans }) => ({ before, after, spans: [...spans] }))
    expect(placesOf(back)).toEqual(placesOf(far))
  })
})
