/** The step that draws the curve runs the experiment's preset, and says only what a run can show. */
import { describe, expect, it } from 'vitest'
import { syncStalls } from '../../experiments/sync-stalls/meta'
import type { Metric } from '../../trace/report'
import { NO_FACTS, type Facts } from '../../text/facts'
import { readingOf, wordsFor } from '../../text/passage'
import { lessonOf } from '../testing/explained'

const metric = (name: Metric['name'], variant: string, unit: Metric['unit'], value: number): Metric => ({
  name,
  variant,
  unit,
  value,
  low: 0.99 * value,
  high: 1.01 * value,
  n: 5,
  origin: 'device-clock',
})
/** A run of the curve: at each length of the kernel how long the host waits, in ms. */
const curveOf = (waits: readonly (readonly [kernelMs: number, waitMs: number])[]): readonly Metric[] =>
  waits.flatMap(([kernelMs, waitMs]) => {
    const variant = `every-step@${String(kernelMs)}`
    return [
      metric('kernel-ms', variant, 'ms', kernelMs),
      metric('stall-ms', variant, 'ms', waitMs),
      metric('idle-per-stall-ms', variant, 'ms', waitMs - kernelMs),
      metric('device-busy-ratio', variant, 'ratio', kernelMs / waitMs),
    ]
  })

describe('the step with the curve', () => {
  const step = lessonOf('sync-stalls').steps.find(({ id }) => id === 'curve')
  const preset = syncStalls.presets.find(({ id }) => id === 'curve')
  const words = (facts: Partial<Facts>, isSoftware = false) => {
    const all = {
      ...NO_FACTS,
      environment: { isSoftware, deviceClockStepNs: null, hostClockStepUs: 0, completionLatencyMs: null },
      ...facts,
    }
    return wordsFor(step?.lookFor ?? [], readingOf(all, syncStalls.names(all))).join('\n')
  }
  const run = { outcome: 'shown', reason: 'stall-dominates', origin: 'live' } as const
  const saw = curveOf([
    [0.05, 2.6],
    [1.9, 2.6],
    [2.6, 3.7],
    [8.6, 9.4],
  ])

  it('runs the preset', () => {
    expect(preset).toBeDefined()
    expect(step?.action?.values).toEqual(preset?.values)
  })

  it('asks for a chart only where there are timestamps', () => {
    expect(words({ timestamps: true })).toContain('Is it level anywhere')
    expect(words({ timestamps: false })).toContain('there is no chart')
    expect(words({ timestamps: false })).not.toContain('Is it level anywhere')
  })

  it('speaks of one look only after a run that shows a level stretch, on a device that is no CPU', () => {
    expect(words({ timestamps: true })).not.toContain('one look')
    expect(words({ timestamps: true, run, metrics: saw })).toContain('one look')
    expect(words({ timestamps: true, run, metrics: saw }, true)).not.toContain('one look')
    const steep = curveOf([
      [0.05, 1],
      [1.9, 3],
      [8.6, 10],
    ])
    expect(words({ timestamps: true, run, metrics: steep })).toContain('level nowhere')
  })

  it('names the length from which on the device computes for half of the time, and for nine tenths', () => {
    expect(words({ timestamps: true, run, metrics: saw })).toMatch(
      /half of the time from kernels of 1\.9 ms on, and for nine tenths from 8\.6 ms on/,
    )
    const long = curveOf([
      [0.05, 2.6],
      [8.6, 20],
    ])
    expect(words({ timestamps: true, run, metrics: long })).toContain('less than half of the time')
  })
})
