/**
 * What the visitor sees is the very source that runs: every program and shader has its highlighted
 * file, and no letter differs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiments } from '../../../experiments/testing/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { textOf } from './lines'
import { lineOfSpan, lineShares, loadSource } from './Sources'
import { TraceBuilder, type NewSpan } from '../../../trace/builder'
import { placeTrace, type PlacedTrace } from '../../../trace/place'
import { testInfo } from '../../../trace/testing/arbitrary-trace'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

async function expectSame(path: string): Promise<void> {
  const lines = await loadSource(path)
  if (!lines) throw new Error(`${path} is missing`)
  expect(textOf(lines)).toBe(read(path).replace(/\n$/, ''))
  expect(lines.flat().some((token) => typeof token !== 'string')).toBe(true)
}

it.each(experimentLessons)('$id shows its PyTorch side', ({ id }) =>
  expectSame(`src/lessons/${id}/code/pytorch.py`),
)

describe.each(experiments)('$id', ({ id }) => {
  const programs = readdirSync(new URL(`../../../experiments/${id}/programs`, import.meta.url))
  it.each(programs)('shows %s as it runs', (file) => expectSame(`src/experiments/${id}/programs/${file}`))
})

it.each(['sync-stalls/mend/reference.js', 'kernel-ladder/mend/reference.wgsl'])(
  '%s is shown as the reference of its exercise',
  (file) => expectSame(`src/lessons/${file}`),
)

const sources = [...new Set(experiments.flatMap((experiment) => experiment.sources))]
it.each(sources)('%s is shown as it runs', expectSame)

function traceOf(spans: readonly Omit<NewSpan, 'lane' | 'name'>[]): PlacedTrace {
  const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
  const host = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  for (const span of spans)
    builder.addSpan({ lane: host, name: span.kind, variant: 'never', repeat: 0, ...span })
  return placeTrace(builder.freeze())
}

describe('lineShares', () => {
  const placed = traceOf([
    { kind: 'window', start: 0, end: 100 },
    { kind: 'encode', role: 'encode', start: 0, end: 10, line: 6 },
    { kind: 'submit', role: 'submit', start: 10, end: 15, line: 8 },
    { kind: 'host-wait', role: 'wait-map', start: 15, end: 90, line: 11 },
    { kind: 'host-work', role: 'read', start: 90, end: 95, line: 11 },
    { kind: 'host-wait', role: 'wait-map', start: 0, end: 50, line: 11, repeat: -2 },
  ])
  it('sums each line over the windows that count, and names its longest role', () =>
    expect([...lineShares(placed, 'never')]).toEqual([
      [6, { role: 'encode', share: 0.1 }],
      [8, { role: 'submit', share: 0.05 }],
      [11, { role: 'wait-map', share: 0.8 }],
    ]))
  it('counts calls of one line that go on at the same time once, and takes the mean over ranks', () => {
    const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
    const own = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
    const lanes = [0, 1].map((rank) =>
      builder.addLane({
        kind: 'host',
        name: `rank ${String(rank)} · host`,
        clock: 0,
        group: `rank ${String(rank)}`,
      }),
    )
    const add = (lane: number, kind: NewSpan['kind'], role: NewSpan['role'], start: number, end: number) =>
      builder.addSpan({
        lane,
        kind,
        role,
        name: kind,
        variant: 'ring',
        repeat: 0,
        start,
        end,
        line: kind === 'window' ? -1 : 12,
      })
    add(own, 'window', 'none', 0, 100)
    // Recorded when they end.
    add(lanes[0] ?? 0, 'collective', 'send', 20, 50)
    add(lanes[0] ?? 0, 'collective', 'recv', 10, 60)
    add(lanes[1] ?? 0, 'collective', 'recv', 0, 90)
    const [[line, { role, share }] = [0, { role: 'none', share: 0 }]] = lineShares(
      placeTrace(builder.freeze()),
      'ring',
    )
    expect([line, role]).toEqual([12, 'recv'])
    expect(share).toBeCloseTo((50 + 90) / 200, 9)
  })
  it('has none of a variant that did not run', () => expect(lineShares(placed, 'every-4').size).toBe(0))
})

it('a span without a line, or without a variant, belongs to no program', () => {
  const { trace } = traceOf([{ kind: 'submit', start: 0, end: 1 }])
  expect(lineOfSpan(trace, 0)).toBeNull()
})
