/**
 * Ten thousand damaged files, from a fixed seed: none may throw or hang, each gives a trace that every later reader can rely on, or a
 * reason. What is damaged: small files of each format, by flipped, lost, doubled and moved bytes and by tokens that readers trip over.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { criticalPath } from '../../analysis/critical-path'
import { summariseDevices } from '../../analysis/devices'
import { TraceBuilder } from '../../trace/builder'
import { decodeRun, encodeRun } from '../../trace/codec'
import { placeTrace } from '../../trace/place'
import { newAlignedBuilder, testInfo } from '../../trace/testing/arbitrary-trace'
import { traceEventText } from '../trace-event'
import { openTraceFile } from './open-trace'
import { KinetoFile } from './testing/kineto-file'

const FILES = 10_500
const SEED = 20_261_121

/** mulberry32: the same files every time. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const encode = (text: string) => new TextEncoder().encode(text)

function ownTrace() {
  const builder: TraceBuilder = newAlignedBuilder()
  const tag = { variant: 'never', repeat: 0, submission: 1 }
  const submit = builder.addSpan({ lane: 0, kind: 'submit', name: 'submit', start: 1e6, end: 2e6, ...tag })
  const pass = builder.addSpan({ lane: 3, kind: 'compute', name: 'pass', start: 3e6, end: 4e6, ...tag })
  const wait = builder.addSpan({ lane: 0, kind: 'host-wait', name: 'await', start: 2e6, end: 5e6, ...tag })
  builder.addSpan({ lane: 3, kind: 'compute', name: 'pass', start: 6e6, end: 7e6, ...tag, step: 1 })
  builder.addSpan({ lane: 1, kind: 'queued', name: 'step', start: 1e6, end: 5e6, ...tag })
  builder.addFlow(submit, pass, 'submit')
  builder.addFlow(pass, wait, 'sync')
  builder.addCounterSample(0, 1e6, 3)
  builder.addInstant({ lane: 0, time: 1e6, name: 'mark' })
  return {
    ...builder.freeze(),
    annotations: [
      { startNs: 1e6, endNs: 3e6, lane: 3, text: 'why?', createdAt: '2026-11-21T12:00:00.000Z' },
      { startNs: 2e6, endNs: 2e6, lane: null, text: '<b>here</b>', createdAt: '2026-11-21T12:00:01.000Z' },
    ],
  }
}

function baseFiles(): readonly Uint8Array[] {
  const kineto = new KinetoFile()
    .operator('ProfilerStep#1', [0, 100], 'user_annotation')
    .call('cudaLaunchKernel', 1, [0, 2])
    .kernel('a', 1, [10, 20])
    .call('cudaStreamSynchronize', 2, [3, 21])
    .deviceSync('Stream Sync', 2, [3, 21], { wait_on_stream: 7 })
    .call('cudaMemcpyAsync', 3, [30, 31])
    .copy('HtoD (Pageable -> Device)', 3, [40, 50], 4096, 13)
    .memset(4, [60, 61], 512)
  const event = (ph: string, more: object) => ({ ph, name: ph, cat: 'c', pid: 1, tid: 'x', ts: 5, ...more })
  const phases = [
    event('B', {}),
    event('E', { ts: 9 }),
    event('b', { id: '0x1' }),
    event('e', { id: '0x1', ts: 7 }),
    event('C', { args: { used: 1, free: '2' } }),
    event('i', { s: 't' }),
    event('X', { dur: 3 }),
    event('s', { id: 1, cat: 'submit' }),
    event('f', { id: 1, cat: 'submit', bp: 'e', ts: 6 }),
    event('M', { name: 'thread_name', args: { name: '<b>\u0007\n"quoted"' } }),
  ]
  const own = ownTrace()
  const empty = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 }).freeze()
  return [
    kineto.bytes(),
    encode(JSON.stringify(phases)),
    encode(traceEventText(own)),
    encode(traceEventText(empty)),
    encodeRun({ trace: own, report: null }),
    gzipSync(kineto.bytes()),
    gzipSync(encodeRun({ trace: own, report: null })),
  ]
}

const TOKENS = [
  '1e999',
  '-1e999',
  'NaN',
  'Infinity',
  '-',
  '-1',
  '1e22',
  '9223372036854775808',
  '1700000000000000.123',
  '"',
  '\\',
  '\\u',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  '{"a":'.repeat(50),
  '['.repeat(500),
  '"</script><img src=x onerror=alert(1)>"',
  '"__proto__":1,',
  '\u0000',
  '',
].map(encode)

function mutate(original: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes = Array.from(original)
  for (let count = 1 + random(4); count > 0; count -= 1) {
    const at = random(bytes.length + 1)
    const length = 1 + random(random(4) === 0 ? 400 : 8)
    switch (random(6)) {
      case 0:
        bytes[at] = random(256)
        break
      case 1:
        bytes.splice(at, length)
        break
      case 2:
        bytes.splice(at, 0, ...bytes.slice(at, at + length))
        break
      case 3:
        bytes = bytes.slice(0, at)
        break
      case 4:
        bytes.splice(random(bytes.length + 1), 0, ...bytes.splice(at, length))
        break
      default:
        bytes.splice(at, random(2) * length, ...(TOKENS[random(TOKENS.length)] ?? []))
    }
  }
  return Uint8Array.from(bytes)
}

describe('damaged files', () => {
  it(`${String(FILES)} of them: a trace to rely on, or a reason`, async () => {
    const random = randomFrom(SEED)
    const bases = baseFiles()
    let [read, refused, skipped] = [0, 0, 0]
    for (let file = 0; file < FILES; file += 1) {
      const base = bases[file % bases.length] ?? new Uint8Array()
      const bytes = mutate(base, random)
      const result = await openTraceFile(bytes)
      if (!result.ok) {
        refused += 1
        expect(result.error.message).toMatch(/\S.*\.$/s)
        continue
      }
      read += 1
      if (result.value.skipped.length > 0) skipped += 1
      const { trace, report } = result.value
      // The codec checks every index, time and shape of what it reads.
      const saved = await decodeRun(encodeRun({ trace, report }))
      if (!saved.ok) throw new Error(`file ${String(file)}: ${saved.error.message}`)
      const placed = placeTrace(trace)
      for (const { busyUs, spanUs, gaps } of summariseDevices(placed)) {
        expect(busyUs).toBeLessThanOrEqual(spanUs * (1 + 1e-9))
        for (const { beginUs, endUs } of gaps) expect(endUs - beginUs).toBeGreaterThanOrEqual(0)
      }
      criticalPath(placed)
    }
    // The mutations reach all three outcomes, often.
    expect(Math.min(read, refused, skipped)).toBeGreaterThan(FILES / 20)
  })
})
