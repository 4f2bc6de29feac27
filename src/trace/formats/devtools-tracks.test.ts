import { expect, it } from 'vitest'
import { placeTrace } from '../place'
import { REPEAT_WARM_UP } from '../schema'
import { newAlignedBuilder, newBuilder } from '../testing/arbitrary-trace'
import { devToolsMeasures } from './devtools-tracks'

const HOST = 0
const DEVICE = 3
const MS = 1e6

it('puts counted spans on the page’s own clock, in a track for each lane, with their bounds', () => {
  const builder = newAlignedBuilder()
  const counted = { variant: 'never', repeat: 1, step: 3 } as const
  builder.addSpan({
    lane: HOST,
    kind: 'submit',
    name: 'submit step 3',
    start: 10 * MS,
    end: 11 * MS,
    ...counted,
  })
  builder.addSpan({ lane: DEVICE, kind: 'compute', name: 'matmul', start: 12 * MS, end: 15 * MS, ...counted })
  builder.addSpan({ lane: HOST, kind: 'encode', name: 'warm', start: 1, end: 2, repeat: REPEAT_WARM_UP })
  builder.addSpan({ lane: HOST, kind: 'encode', name: 'sizing', start: 3, end: 4 })
  const trace = builder.freeze()
  const originMs = trace.clocks.find(({ kind }) => kind === 'host')?.originMs ?? Number.NaN

  const measures = [...devToolsMeasures(placeTrace(trace), originMs - 1000)]
  expect(measures.map(({ name }) => name)).toEqual(['submit step 3', 'matmul'])
  expect(measures[0]).toMatchObject({ start: 1010, end: 1011 })
  expect(measures[1]?.start).toBeCloseTo(1012, 3)
  const tracks = measures.map(({ detail }) => detail.devtools)
  expect(tracks.map(({ track }) => track)).toEqual([trace.lanes[HOST]?.name, trace.lanes[DEVICE]?.name])
  expect(tracks[1]?.properties).toEqual([
    ['variant', 'never'],
    ['repeat', '2'],
    ['step', '3'],
    ['edges', expect.stringMatching(/^± 50\d\.\d µs$/)],
  ])
})

it('leaves out what lies before the page was opened, and everything without a host clock fit', () => {
  const builder = newBuilder()
  builder.addSpan({ lane: HOST, kind: 'submit', name: 'early', start: 0, end: 1, repeat: 0 })
  builder.addSpan({ lane: DEVICE, kind: 'compute', name: 'no fit', start: 0, end: 1, repeat: 0 })
  const trace = builder.freeze()
  const originMs = trace.clocks.find(({ kind }) => kind === 'host')?.originMs ?? Number.NaN
  expect([...devToolsMeasures(placeTrace(trace), originMs + 1)]).toEqual([])
  expect([...devToolsMeasures(placeTrace(trace), originMs)].map(({ name }) => name)).toEqual(['early'])
})
