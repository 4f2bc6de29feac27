import { describe, expect, test } from 'vitest'
import type { TraceEvent } from './page-targets'
import { ranWithin, samplesOf } from './script-samples'

const frame = (functionName: string, url = '', lineNumber = 0, codeType = 'JS') => ({
  callFrame: { functionName, url, lineNumber, codeType },
})
/** root ← draw ← an unnamed function, and ← the recorder's submit ← the browser's. */
const NODES = [
  { id: 1, ...frame('(root)', '', 0, 'other') },
  { id: 2, parent: 1, ...frame('draw', 'https://a.test/app.js', 11) },
  { id: 3, parent: 2, ...frame('', 'https://a.test/app.js', 12) },
  { id: 4, parent: 2, ...frame('submit') },
  { id: 5, parent: 4, ...frame('submit', '', 0, 'other') },
  { id: 6, parent: 1, ...frame('(idle)', '', 0, 'other') },
  { id: 7, parent: 2, ...frame('wasm-function[3]', 'https://a.test/a.wasm') },
]
const DRAW = 'draw (https://a.test/app.js:12)'
const chunk = (samples: readonly number[], timeDeltas: readonly number[], nodes: unknown = []) =>
  ({
    name: 'ProfileChunk',
    id: '0x1',
    pid: 1,
    tid: 9,
    ts: 0,
    args: { data: { cpuProfile: { nodes, samples }, timeDeltas } },
  }) as unknown as TraceEvent
const begins = (tid: number, id: string) =>
  ({ name: 'Profile', id, pid: 1, tid, ts: 0, args: { data: { startTime: 1000 } } }) as TraceEvent

describe('what ran on a thread', () => {
  const events = [
    begins(7, '0x1'),
    begins(8, '0x2'),
    chunk([6, 2, 3], [0, 100, 100], NODES),
    chunk([5, 7, 6], [100, 100, 100]),
  ]

  test('is the innermost function with a name, and nothing within a call of WebGPU', () => {
    expect(samplesOf(events, 1, 7)).toEqual([
      { ts: 1000, name: '' },
      { ts: 1100, name: DRAW },
      { ts: 1200, name: DRAW },
      { ts: 1300, name: '' },
      { ts: 1400, name: 'WebAssembly (https://a.test/a.wasm:1)' },
      { ts: 1500, name: '' },
    ])
    expect(samplesOf(events, 1, 8)).toEqual([])
  })

  test('counts within tasks only, and successive samples of one function are one time', () => {
    const samples = samplesOf(events, 1, 7)
    expect(ranWithin(samples, 1000, [{ start: 0, end: 0.25 }])).toEqual([[DRAW, [0.1, 0.25]]])
    expect(ranWithin(samples, 1000, [{ start: 0.3, end: 9 }])).toEqual([
      ['WebAssembly (https://a.test/a.wasm:1)', [0.4, 0.5]],
    ])
  })
})
