import { describe, expect, it } from 'vitest'
import type { Outcome, Prediction, Trial } from '../../state/idle-time'
import type { Metric } from '../../../trace/report'
import { shareText, threeFigures } from './figures'
import { limitText, trialHeading, trialText } from './trial-words'

const metric = (low: number, value: number, high: number): Metric => ({
  name: 'repeat-ms',
  variant: 'v',
  unit: 'ms',
  origin: 'host-clock',
  low,
  value,
  high,
  n: 5,
})
const prediction: Prediction = {
  cause: 'host-waited',
  variant: 'every-step',
  now: metric(90, 97, 102),
  predicted: metric(7.53, 10.36, 19.46),
  lessIdleMs: 10.36,
  limits: { deviceMs: 7.45, hostMs: 2.49 },
  waits: 31,
}
const trial = (outcome: Outcome, why = ''): Trial => ({
  remedy: { variant: 'every-step', cause: 'host-waited', by: 'never', change: 'nothing is read', values: {} },
  tested: { outcome, measured: metric(8.86, 9.45, 9.8), ratio: 0.912, why },
})
const plain = (text: string) => text.replace(/[\u2009\u202f]/g, ' ')

describe('words of a trial', () => {
  it.each(['as-predicted', 'faster', 'slower', 'not-decided', 'no-gain'] as const)(
    '%s: has a heading of its own and gives both figures',
    (outcome) => {
      const text = plain(trialText(trial(outcome, 'the intervals overlap'), prediction))
      expect(text).toContain('10.4 ms (7.53 to 19.5)')
      expect(text).toMatch(/a repeat of never took 9\.\d+ ms/)
      expect(text.includes('the intervals overlap')).toBe(outcome === 'not-decided')
    },
  )

  it('says on whose machine there was nothing to gain', () => {
    expect(trialHeading('no-gain', 'here')).toBe('Not on your machine')
    expect(trialHeading('no-gain', 'recorded')).toBe('Not on the recorded machine')
    const headings = (['as-predicted', 'faster', 'slower', 'not-decided', 'no-gain'] as const).map(
      (outcome) => trialHeading(outcome, 'here'),
    )
    expect(new Set(headings).size).toBe(headings.length)
  })

  it('names what would set the pace', () => {
    expect(limitText(prediction)).toContain('The device would then set the pace')
    expect(limitText({ ...prediction, limits: { deviceMs: 1, hostMs: 9 } })).toContain('The host would')
    expect(limitText({ ...prediction, limits: { deviceMs: 1, hostMs: 2 } })).toContain('Round trips')
  })

  it('keeps the ends of a prediction apart, and small shares from reading as none', () => {
    expect(plain(threeFigures(metric(108.2, 110.55, 146.9)).range)).toBe('108 to 147')
    expect([0.92, 0.034, 0.0021, 0.0001, 0].map((share) => plain(shareText(share)))).toEqual([
      '92 %',
      '3.4 %',
      '0.2 %',
      'under 0.1 %',
      '0 %',
    ])
  })
})
