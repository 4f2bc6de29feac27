/** What counts as a failure of a first run in Firefox, and where its time went. */
import { describe, expect, it } from 'vitest'
import type { Environment, Metric, Report } from '../../src/trace/report'
import {
  environmentText,
  failuresOf,
  FIRST_RUN_LIMIT_MS,
  runsText,
  timesByGroup,
  type FirefoxRun,
} from './firefox-report'

const environment: Environment = {
  adapter: { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: true },
  adapterName: 'unnamed adapter',
  isSoftware: true,
  features: [],
  limits: {},
  userAgent: '',
  crossOriginIsolated: true,
  hardwareConcurrency: 2,
  hostClockStepUs: 20,
  deviceClockStepNs: null,
  emptySubmitLatencyMs: 100,
  completionLatencyMs: 98.7,
  completionLatencyBusyMs: null,
  uploadGbPerS: null,
  readbackGbPerS: null,
  matmulGflops: null,
}
const metric: Metric = {
  name: 'step-ms',
  variant: 'never',
  value: 0.125,
  unit: 'ms',
  low: null,
  high: null,
  n: 5,
  origin: 'host-clock',
}
const report: Report = {
  schema: 'host-device-lab/report@1',
  experiment: 'some-experiment',
  params: {},
  derived: {},
  environment,
  metrics: [metric],
  verdict: { outcome: 'shown', text: 'Shown.', reason: 'some-reason' },
  verification: { checked: 4, failed: 0, maxRelativeError: 0, tolerance: 0, what: 'sampled entries' },
  clock: { offsetBoundUs: 110, driftPpm: null, rejected: 0, snapshots: 2, state: 'fitted' },
  validity: { valid: true, reasons: [] },
  warmUps: 1,
  startedAt: '',
  durationMs: 1,
}
const passed: FirefoxRun = {
  experiment: report.experiment,
  outcome: { status: 'done', report },
  tookMs: FIRST_RUN_LIMIT_MS,
  phases: [],
}

describe('a first run in Firefox', () => {
  it('passes where it is valid, checked and right, and is marked where it took long', () => {
    expect(failuresOf(passed)).toEqual([])
    expect(runsText([passed])).not.toContain('over')
    const long = { ...passed, tookMs: FIRST_RUN_LIMIT_MS + 1 }
    expect(failuresOf(long)).toEqual([])
    expect(runsText([long])).toContain('(over 10.0 s)')
  })

  it.each<readonly [string, Partial<FirefoxRun>]>([
    [
      'the tab',
      {
        outcome: { status: 'done', report: { ...report, validity: { valid: false, reasons: ['the tab'] } } },
      },
    ],
    [
      '2 of 4 checked results are wrong',
      {
        outcome: {
          status: 'done',
          report: { ...report, verification: { ...report.verification, checked: 4, failed: 2 } },
        },
      },
    ],
    [
      'Nothing of its results was checked',
      {
        outcome: {
          status: 'done',
          report: { ...report, verification: { ...report.verification, checked: 0, failed: 0 } },
        },
      },
    ],
    [
      'failed: no adapter',
      { outcome: { status: 'failed', fault: { code: 'no-adapter', message: 'no adapter' } } },
    ],
    ['skipped: busy', { outcome: { status: 'skipped', reason: 'busy' } }],
  ])('fails: %s', (message, change) => {
    const run = { ...passed, ...change }
    expect(failuresOf(run).join('; ')).toContain(message)
    expect(runsText([run])).toContain('failed')
  })

  it('adds up the phases of a variant, longest first', () => {
    const at = (name: string, startMs: number, endMs: number) => ({ name, startMs, endMs })
    expect(
      timesByGroup([
        at('sizing', 0, 5),
        at('never, warm-up', 5, 8),
        at('never, repeat 1 of 2', 8, 11),
        at('never, repeat 2 of 2', 11, 13),
      ]),
    ).toEqual([
      ['never', 8],
      ['sizing', 5],
    ])
  })

  it('prints each measured headline metric, and none that was not measured', () => {
    const text = (value: number | null) =>
      runsText([
        { ...passed, outcome: { status: 'done', report: { ...report, metrics: [{ ...metric, value }] } } },
      ])
    expect(text(0.125)).toContain('0.125')
    expect(text(null)).not.toContain('step-ms')
  })

  it('says what of the device was not measured', () => {
    const text = environmentText(environment)
    expect(text).toMatch(/device clock step\s+not measured/)
    expect(text).toMatch(/completion latency\s+98\.7 ms/)
  })
})
