import { describe, expect, it } from 'vitest'
import type { GapCause } from '../trace/gaps'
import { boundOf } from './bound'

const deviceOf = (busyUs: number, idle: Readonly<Partial<Record<GapCause, number>>>) => ({
  busyUs,
  spanUs: busyUs + Object.values(idle).reduce((sum, us) => sum + us, 0),
  totals: Object.fromEntries(Object.entries(idle).map(([cause, us]) => [cause, { count: 1, us }])),
})

describe('what a page’s time goes to', () => {
  it('device-bound: its device is busy for the largest part, its own pauses among it', () => {
    const { word, evidence } = boundOf([
      deviceOf(400, { 'between-kernels': 150, 'host-code': 250, 'read-back': 200 }),
    ])
    expect(word).toBe('device-bound')
    expect(evidence).toContain('busy for 55 %')
    expect(evidence).toContain(
      'idle for 25 % because the host was late with more work, and for 20 % because the host waited, most of it for a readback.',
    )
  })

  it('host-bound: idle until the host had more work for it', () => {
    expect(boundOf([deviceOf(300, { 'host-code': 200, dispatch: 200, 'between-frames': 300 })]).word).toBe(
      'host-bound',
    )
  })

  it('waiting: for whatever it is, and the longest is named', () => {
    const { word, evidence } = boundOf([
      deviceOf(300, { 'between-frames': 250, 'read-back': 150, 'host-code': 300 }),
    ])
    expect(word).toBe('waiting')
    expect(evidence).toContain('most of it for the next frame')
  })

  it('names no share that nothing has', () => {
    expect(boundOf([deviceOf(300, { 'between-frames': 100 })]).evidence).toBe(
      'The device was busy for 75 % of the time from its first pass to its last. It was idle for 25 % because the host waited, most of it for the next frame.',
    )
    expect(boundOf([deviceOf(300, {})]).evidence).not.toContain('idle')
  })

  it('cannot tell: without timestamps, or where nothing is known of most of it', () => {
    const none = boundOf([])
    expect(none.word).toBe('cannot tell')
    expect(none.evidence).toContain('No pass has timestamps')
    expect(boundOf([deviceOf(0, {})]).word).toBe('cannot tell')
    const untied = boundOf([deviceOf(100, { unknown: 600, 'host-code': 300 })])
    expect(untied.word).toBe('cannot tell')
    expect(untied.evidence).toContain('Of 60 % nothing of that is known.')
  })

  it('is of the busiest device', () => {
    expect(boundOf([deviceOf(10, { 'host-code': 90 }), deviceOf(80, { 'host-code': 20 })]).word).toBe(
      'device-bound',
    )
  })
})
