import { describe, expect, test } from 'vitest'
import { ranWithin, samplesOf } from './script-samples'

const node = (
  id: number,
  children: readonly number[],
  functionName: string,
  url = '',
  lineNumber = 0,
  scriptId = url === '' ? '0' : '4',
) => ({ id, children, callFrame: { functionName, url, lineNumber, scriptId } })
/**
 * root ← draw ← an unnamed function, ← the recorder's submit ← the browser's, and ← WebAssembly.
 */
const NODES = [
  node(1, [2, 6], '(root)'),
  node(2, [3, 4, 7], 'draw', 'https://a.test/app.js', 11),
  node(3, [], '', 'https://a.test/app.js', 12),
  node(4, [5], 'submit', '', 0, '7'),
  node(5, [], 'submit'),
  node(6, [], '(idle)'),
  node(7, [], 'wasm-function[3]', 'https://a.test/a.wasm'),
]
const DRAW = 'draw (https://a.test/app.js:12)'
const WASM = 'WebAssembly (https://a.test/a.wasm:1)'

describe('what ran on a thread', () => {
  const samples = samplesOf({
    nodes: NODES,
    startTime: 1000,
    samples: [6, 2, 3, 5, 7, 6],
    timeDeltas: [0, 100, 100, 100, 100, 100],
  })

  test('is the innermost function with a name, and nothing within a call of WebGPU', () => {
    expect(samples.map(({ ts }) => ts)).toEqual([1000, 1100, 1200, 1300, 1400, 1500])
    expect(samples.map(({ name }) => name)).toEqual(['', DRAW, DRAW, '', WASM, ''])
  })

  test('counts within tasks only, and successive samples of one function are one time', () => {
    expect(ranWithin(samples, 1000, [{ start: 0, end: 0.25 }])).toEqual([[DRAW, [0.1, 0.25]]])
    expect(ranWithin(samples, 1000, [{ start: 0.3, end: 9 }])).toEqual([[WASM, [0.4, 0.5]]])
  })
})
