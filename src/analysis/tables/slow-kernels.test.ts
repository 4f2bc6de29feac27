import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { placeTrace } from '../../trace/place'
import { analyse } from '../diagnosis'
import { slowKernels } from './slow-kernels'

async function placed(name: string) {
  const file = new URL(`testing/${name}.json.gz`, import.meta.url)
  const opened = await openTraceFile(new Uint8Array(readFileSync(file)))
  if (!opened.ok) throw new Error(opened.error.message)
  return placeTrace(opened.value.trace)
}

it('finds kernels that take more than twice their bound, and no good product', async () => {
  const trace = await placed('transformer-shapes')
  const slow = slowKernels(trace)
  const { spans, strings } = trace.trace
  const names = new Set([...slow.keys()].map((span) => strings[spans.name[span] ?? -1] ?? ''))
  expect([...names].some((name) => name.includes('flash_bprop'))).toBe(true)
  expect([...names].some((name) => name.includes('GammaBetaBackward'))).toBe(true)
  expect([...names].filter((name) => name.startsWith('nvjet_sm90_tst_256x128'))).toEqual([])
  for (const [span, leastNs] of slow) {
    const ns = (trace.endNs[span] ?? 0) - (trace.startNs[span] ?? 0)
    expect(ns).toBeGreaterThan(2 * leastNs)
    expect(leastNs).toBeGreaterThanOrEqual(2000)
  }
})

it('makes them a cause, with the operators that lose most', async () => {
  const trace = await placed('resnet-shapes')
  const [diagnosis] = analyse(trace).diagnoses
  const found = diagnosis?.findings.find(({ cause }) => cause === 'slow-kernels')
  expect(found?.what).toMatch(/^aten::convolution_backward and /)
  // The host launches as slowly as these kernels run: either alone gains little.
  expect(found?.together?.cause).toBe('dispatch')
  expect(found?.together?.gain.gain).toBeGreaterThan(1.2)
})
