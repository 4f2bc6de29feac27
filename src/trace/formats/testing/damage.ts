/**
 * Files of every format that is read, damaged from a seed, and what must hold of each whatever was
 * done to it: it is opened or refused with a sentence, and what was opened can be saved, opened
 * again, placed, analysed and written. Test code only.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { criticalPath } from '../../../analysis/critical-path'
import { summariseDevices } from '../../../analysis/devices'
import { isOnAxis } from '../../budget'
import { TraceBuilder } from '../../builder'
import { decodeRun, encodeRun } from '../../codec'
import { placeTrace } from '../../place'
import { makeTraceLod } from '../../../timeline/lod/trace-lod'
import type { Trace } from '../../schema'
import { newAlignedBuilder, testInfo } from '../../testing/arbitrary-trace'
import { sampleReport } from '../../testing/sample-report'
import { openTraceFile } from '../import/open-trace'
import { KinetoFile } from '../import/testing/kineto-file'
import { seeded } from '../../../testing/seeded'
import { traceEventText } from './validate-trace-event'

type Random = (below: number) => number

/** The same files every time. */
function randomFrom(seed: number): Random {
  const random = seeded(seed)
  return (below) => Math.floor(random() * below)
}

const encode = (text: string) => new TextEncoder().encode(text)

function ownTrace(): Trace {
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
  return builder.freeze()
}

function collectives(): Trace {
  const builder = newAlignedBuilder()
  for (let at = 0; at < 4; at += 1) {
    const times = { start: at * 1e5 + 0.25, end: at * 1e5 + 5e4 }
    const span = builder.addSpan({ lane: 3, kind: 'collective', name: 'nccl', ...times, bytes: 4096 })
    builder.addCollective({
      span,
      operation: 'allreduce',
      group: '0',
      ranks: '[0, 1]',
      sequence: at,
      match: at,
    })
    builder.addSpan({ lane: 3, kind: 'collective-wait', name: 'wait', ...times })
  }
  return builder.freeze()
}

function kinetoFile(): Uint8Array {
  return new KinetoFile()
    .operator('ProfilerStep#1', [0, 100], 'user_annotation')
    .call('cudaLaunchKernel', 1, [0, 2])
    .kernel('a', 1, [10, 20])
    .call('cudaStreamSynchronize', 2, [3, 21])
    .deviceSync('Stream Sync', 2, [3, 21], { stream: 7 })
    .call('cudaMemcpyAsync', 3, [30, 31])
    .copy('HtoD (Pageable -> Device)', 3, [40, 50], 4096, 13)
    .memset(4, [60, 61], 512)
    .bytes()
}

function phases(): string {
  const event = (ph: string, more: object) => ({ ph, name: ph, cat: 'c', pid: 1, tid: 'x', ts: 5, ...more })
  return JSON.stringify([
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
  ])
}

/**
 * A sound file. `wrap` puts damaged content into what carries it, whose own checks would hide the
 * damage.
 */
export interface Base {
  readonly name: string
  readonly content: Uint8Array
  readonly wrap: (content: Uint8Array) => Uint8Array
}

const asIs = (content: Uint8Array): Uint8Array => content

export function baseFiles(): readonly Base[] {
  const own = ownTrace()
  const empty = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 }).freeze()
  const run = encodeRun({ trace: own, report: null })
  const reported = encodeRun({ trace: own, report: sampleReport })
  const ranked = encodeRun({ trace: collectives(), report: null })
  const file = (name: string, content: Uint8Array, wrap = asIs): Base => ({
    name,
    content,
    wrap,
  })
  return [
    file('torch.profiler', kinetoFile()),
    file('Trace Event', encode(phases())),
    file('Trace Event of the lab', encode(traceEventText(own))),
    file('Trace Event of the lab, with collectives', encode(traceEventText(collectives()))),
    file('Trace Event of the lab, empty', encode(traceEventText(empty))),
    file('own', run),
    file('own, with a report', reported),
    file('own, with collectives', ranked),
    file('torch.profiler, gzip damaged', gzipSync(kinetoFile())),
    file('own, gzipped once damaged', new Uint8Array(gunzipSync(gzipSync(run))), (content) =>
      gzipSync(content),
    ),
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
  '1e15',
  '-9007199254740993',
  '9223372036854775808',
  '1700000000000000.123',
  '4294967295',
  '65536',
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
  '{}',
  '[]',
  '{"a":'.repeat(50),
  '['.repeat(500),
  '"</script><img src=x onerror=alert(1)>"',
  '"__proto__":1,',
  '"length":',
  '"offset":',
  '\u0000',
  '',
].map(encode)

/** Numbers where a format's own fields may lie. */
const DOUBLES = [1e21, -1e21, Number.NaN, Infinity, -0, 2 ** 53, 2 ** 53 + 2, 5e-324]

function damage(original: Uint8Array, random: Random): Uint8Array {
  let bytes = Array.from(original)
  for (let count = 1 + random(4); count > 0; count -= 1) {
    const at = random(bytes.length + 1)
    const length = 1 + random(random(4) === 0 ? 400 : 8)
    switch (random(8)) {
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
      case 5:
        // In place, so that what comes after stays where it was.
        bytes.splice(
          at & ~7,
          8,
          ...new Uint8Array(Float64Array.of(DOUBLES[random(DOUBLES.length)] ?? 0).buffer),
        )
        break
      case 6:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
        break
      default:
        bytes.splice(at, random(2) * length, ...(TOKENS[random(TOKENS.length)] ?? []))
    }
  }
  return Uint8Array.from(bytes)
}

export type Fate = 'read' | 'skipped' | 'refused' | 'too-large'

/** @throws Error where something does not hold */
export async function checkDamaged(bytes: Uint8Array): Promise<Fate> {
  const result = await openTraceFile(bytes)
  if (!result.ok) {
    must(/^\S.*[.:?]$/su.test(result.error.message), `a sentence: ${result.error.message}`)
    return result.error.code === 'too-large' ? 'too-large' : 'refused'
  }
  const { trace, report, skipped } = result.value
  // The codec checks every index, time and shape of what it reads.
  const saved = await decodeRun(encodeRun({ trace, report }))
  must(saved.ok, `what was opened can be saved and opened: ${saved.ok ? '' : saved.error.message}`)
  const placed = placeTrace(trace)
  for (const { busyUs, spanUs, gaps } of summariseDevices(placed)) {
    must(busyUs <= spanUs * (1 + 1e-9), `a device is busy ${String(busyUs)} of ${String(spanUs)} µs`)
    for (const { durationNs } of gaps) must(durationNs >= 0, 'a gap ends before it begins')
  }
  criticalPath(placed)
  makeTraceLod(placed)
  // Ticks and brackets are on the axis, and a fit may be off it by a little: of what cannot be
  // true, by as much again.
  must(isOnAxis(placed.startOfAllNs / 4) && isOnAxis(placed.endOfAllNs / 4), 'it has a place on the axis')
  const again = await openTraceFile(encode(traceEventText(trace)))
  must(again.ok, `what was opened can be written as Trace Event: ${again.ok ? '' : again.error.message}`)
  return skipped.length > 0 ? 'skipped' : 'read'
}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`This must hold, and does not: ${what}`)
}

/** The content of one case of a seed: the same whatever was tried before it. */
export function damagedCase(
  bases: readonly Base[],
  seed: number,
  at: number,
): { base: Base; content: Uint8Array } {
  const base = bases[at % bases.length]
  if (!base) throw new Error('there are no bases')
  return { base, content: damage(base.content, randomFrom(seed + Math.imul(at + 1, 0x9e3779b1))) }
}
