import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TraceAssembler, TraceBuilder } from './builder'
import { SPAN_KINDS, spanKindIndex } from './schema'
import { arbitrarySteps, newBuilder, testInfo } from './testing/arbitrary-trace'

const anySpan = { lane: 0, kind: 'host-work', start: 1, end: 2, name: 'work' } as const

describe('TraceBuilder', () => {
  it('writes what it was given, and marks what does not apply', () => {
    const builder = newBuilder()
    expect(builder.addSpan({ ...anySpan, kind: 'compute', variant: 'never', repeat: 0, flops: 8 })).toBe(0)
    expect(builder.addSpan({ ...anySpan, end: 1 })).toBe(1)
    const { spans, strings } = builder.freeze()
    expect(spans.length).toBe(2)
    expect(SPAN_KINDS[spans.kind[0] ?? -1]).toBe('compute')
    expect(spanKindIndex('compute')).toBe(spans.kind[0])
    expect(strings[spans.name[0] ?? -1]).toBe('work')
    expect(strings[spans.variant[0] ?? -1]).toBe('never')
    expect([spans.repeat[1], spans.step[1], spans.submission[1], spans.variant[1]]).toEqual([-1, -1, -1, -1])
    expect(spans.bytes[0]).toBeNaN()
    expect(spans.flops[0]).toBe(8)
  })

  it('stores each string once', () => {
    const builder = newBuilder()
    for (let index = 0; index < 10; index += 1) builder.addSpan({ ...anySpan, variant: 'work' })
    expect(builder.freeze().strings).toEqual(['work'])
  })

  it('refuses what only a bug can produce', () => {
    const builder = newBuilder()
    expect(() => builder.addSpan({ ...anySpan, end: 0 })).toThrow('impossible edges')
    expect(() => builder.addSpan({ ...anySpan, start: Number.NaN })).toThrow('impossible edges')
    expect(() => builder.addSpan({ ...anySpan, start: -Infinity })).toThrow('impossible edges')
    expect(() => builder.addSpan({ ...anySpan, lane: 9 })).toThrow('lane 9')
    expect(() => builder.addLane({ kind: 'host', name: 'x', clock: 7, group: 'x' })).toThrow('clock 7')
    expect(() => builder.addFlow(0, 1, 'sync')).toThrow('flow')
    expect(() => builder.addCounterSample(5, 0, 0)).toThrow('counter 5')
    const snapshot = { clock: 0, hostBeforeNs: 0, beginTick: 0, endTick: 0, hostAfterNs: 0 }
    expect(() => builder.addSnapshot(snapshot)).toThrow('device clock')
  })

  it('freezes a trace that later spans do not change', () => {
    const builder = newBuilder()
    builder.addSpan(anySpan)
    const before = builder.freeze()
    builder.addSpan({ ...anySpan, name: 'later' })
    expect(before.spans.length).toBe(1)
    expect(before.spans.start).toHaveLength(1)
    expect(before.strings).toEqual(['work'])
  })

  it('takes nothing when nothing is new, and an empty trace is a trace', () => {
    const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
    expect(builder.freeze().spans.length).toBe(0)
    expect(builder.takeChunk()?.clocks).toHaveLength(1)
    expect(builder.takeChunk()).toBeNull()
    builder.reject('zero timestamp', 3)
    expect(builder.takeChunk()?.rejected).toEqual({ 'zero timestamp': 3 })
    expect(builder.takeChunk()).toBeNull()
  })

  it('gives chunks arrays of their own, so that they can be transferred', () => {
    const builder = newBuilder()
    builder.addSpan(anySpan)
    const chunk = builder.takeChunk()
    if (chunk) structuredClone(chunk.spans.start, { transfer: [chunk.spans.start.buffer as ArrayBuffer] })
    expect(chunk?.spans.start).toHaveLength(0)
    expect(builder.freeze().spans.start[0]).toBe(1)
  })
})

describe('TraceAssembler', () => {
  it('puts chunks together to what freeze gives, wherever they were cut', () => {
    fc.assert(
      fc.property(arbitrarySteps, fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (steps, cuts) => {
        const builder = newBuilder()
        const assembler = new TraceAssembler(testInfo)
        const pass = () => {
          const chunk = builder.takeChunk()
          if (chunk) assembler.append(chunk)
        }
        for (const [index, step] of steps.entries()) {
          step(builder)
          if (cuts[index]) pass()
        }
        pass()
        expect(assembler.trace()).toEqual(builder.freeze())
      }),
    )
  })

  it('leaves a trace handed out alone when it grows', () => {
    const builder = newBuilder()
    const assembler = new TraceAssembler(testInfo)
    const send = (count: number) => {
      for (let index = 0; index < count; index += 1) builder.addSpan({ ...anySpan, start: index, end: index })
      const chunk = builder.takeChunk()
      if (chunk) assembler.append(chunk)
      return assembler.trace()
    }
    const first = send(3)
    const second = send(5000)
    expect(first.spans.length).toBe(3)
    expect([...first.spans.start]).toEqual([0, 1, 2])
    expect(second.spans.length).toBe(5003)
    expect(second.spans.start[5002]).toBe(4999)
  })

  it('refuses a chunk that does not follow', () => {
    const builder = newBuilder()
    const assembler = new TraceAssembler(testInfo)
    builder.addSpan(anySpan)
    const chunk = builder.takeChunk()
    if (!chunk) throw new Error('there was a span')
    assembler.append(chunk)
    expect(() => assembler.append(chunk)).toThrow('came twice')
  })

  it('takes a later RunInfo', () => {
    const assembler = new TraceAssembler(testInfo)
    assembler.setInfo({ ...testInfo, derived: { matrixSize: 512 } })
    expect(assembler.trace().info.derived).toEqual({ matrixSize: 512 })
  })
})
