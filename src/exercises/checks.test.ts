import { describe, expect, it } from 'vitest'
import {
  changedCheck,
  clockCheck,
  finishedCheck,
  fuelCheck,
  gradeOf,
  no,
  stopCheck,
  timeCheck,
  runTimesOf,
  untold,
} from './checks'
import { NO_SLOT, type Trace } from '../trace/schema'
import { evidenceWith, programReport, programRun } from './testing/evidence'
import { HandMadeTrace } from './testing/hand-made-trace'

const timed = (ms: readonly number[]) =>
  programReport(ms.map((each, repeat) => programRun({ repeat, ms: each })))

describe('a grade', () => {
  it.each([
    [['yes', 'yes'], true],
    [['yes', 'cannot-tell'], null],
    [['cannot-tell', 'no'], false],
    [[], true],
  ] as const)('of %j is %j', (outcomes, passed) =>
    expect(gradeOf(outcomes.map((outcome) => ({ id: 'x', outcome, text: '' }))).passed).toBe(passed),
  )
})

describe('time', () => {
  it('leaves the warm-up out', () => {
    const report = programReport([
      programRun({ repeat: -2, ms: 900 }),
      programRun({ repeat: 0, ms: 10 }),
      programRun({ repeat: 1, ms: 30 }),
    ])
    expect(runTimesOf(report, 'clean')).toEqual({ bestMs: 10, medianMs: 20, worstMs: 30 })
    expect(runTimesOf(report, 'other')).toBeNull()
    expect(runTimesOf(null, 'clean')).toBeNull()
  })

  it.each([
    ['beyond half the way', [100, 100], [50, 50], [70, 71], 'yes', 'yours took 70.0 ms'],
    ['at half the way', [100, 100], [50, 50], [75, 90], 'yes', '75.0 ms'],
    ['not half the way', [100, 100], [50, 50], [80, 80], 'no', 'Halfway is 75.0 ms'],
    ['faster than the lab’s own', [100, 100], [50, 50], [20, 20], 'yes', '20.0 ms'],
    ['too near', [100, 100], [95, 95], [95, 95], 'cannot-tell', 'cannot be distinguished'],
    [
      'less too long than the reference’s runs differ',
      [47, 57],
      [13, 35, 13],
      [33, 34],
      'cannot-tell',
      'may just miss a look',
    ],
    ['longer than that, too', [47, 57], [13, 14, 13], [33, 34], 'no', 'Halfway is 30.0 ms'],
    ['overlapping', [100, 140], [60, 180, 180], [60, 60], 'cannot-tell', 'cannot be distinguished'],
  ] as const)('%s', (_, start, reference, yours, outcome, words) => {
    const found = timeCheck(
      evidenceWith({ yours: timed(yours), start: timed(start), reference: timed(reference) }),
      'clean',
    )
    expect(found).toMatchObject({ outcome })
    expect(found.text).toContain(words)
  })

  it('holds no time against a program on a software adapter', () => {
    const yours = { ...timed([90, 90]), isSoftware: true }
    const found = timeCheck(evidenceWith({ yours, start: timed([100]), reference: timed([50]) }), 'clean')
    expect(found).toMatchObject({ outcome: 'cannot-tell' })
    expect(found.text).toContain('plays the GPU too')
  })

  it('cannot tell without the programs beside it', () => {
    const found = timeCheck(evidenceWith({ yours: timed([1]), start: null, reference: null }), 'clean')
    expect(found.outcome).toBe('cannot-tell')
  })
})

describe('what every mend is checked for', () => {
  it('that it is another program than the one that it began as', () => {
    const start = 'let row = id.x; // across\nlet column = id.y;\n'
    expect(changedCheck('let row=id.x;\n\n/* mine */ let column = id.y;', start).outcome).toBe('no')
    expect(changedCheck('let row = id.y; let column = id.x;', start).outcome).toBe('yes')
  })

  it('that its loops ended by themselves, in every run', () => {
    const runs = [[], [9, 4], [4]].map((ranOut) => ({ ...programRun({}), ranOut }))
    const of = (some: typeof runs) => fuelCheck(evidenceWith({ yours: programReport(some) }))
    expect(of(runs.slice(0, 1)).outcome).toBe('yes')
    expect(of(runs).outcome).toBe('no')
    expect(of(runs).text).toContain('lines 4, 9 of')
    expect(of(runs.slice(2)).text).toContain('The loop in line 4 of your WGSL')
  })

  it('that all had ended when it returned', () => {
    const early = programReport([programRun({}), programRun({ repeat: 1, unfinished: 1 })])
    expect(finishedCheck(evidenceWith({ yours: early })).outcome).toBe('no')
    expect(finishedCheck(evidenceWith({ yours: programReport([programRun({})]) })).outcome).toBe('yes')
  })

  it('that the lab had a time for all that it encoded', () => {
    const { trace } = new HandMadeTrace('clean')
    const clockOf = (rejected: Trace['rejected']) =>
      clockCheck(evidenceWith({ yours: programReport([programRun({})], { trace: { ...trace, rejected } }) }))
    expect(clockOf({ [NO_SLOT]: 1200 })).toMatchObject({
      outcome: 'no',
      text: 'Your program encoded more passes and copies than the lab can time: 1,200 have no time.',
    })
    expect(clockOf({}).outcome).toBe('yes')
  })

  it('that it came to its end', () => {
    const stop = { reason: 'endless', text: 'It did not.', line: 7 } as const
    expect(stopCheck({ ...programReport([]), stop })).toEqual(no('It did not. (line 7)'))
    expect(stopCheck(programReport([])).outcome).toBe('yes')
  })
})

describe('on the model', () => {
  const checks = ['output', 'bytes', 'time'].map((id) => ({ id, ...no('It is not.') }))
  const ofYours = (unknown: 'kernels' | 'results') => evidenceWith({ yours: programReport([], { unknown }) })
  const told = (evidence: ReturnType<typeof ofYours>, language: 'javascript' | 'wgsl') =>
    untold(checks, language, evidence).flatMap(({ id, outcome }) => (outcome === 'no' ? [id] : []))

  it('what asks for results or times of unknown kernels cannot be determined', () => {
    expect(told(ofYours('kernels'), 'javascript')).toEqual(['bytes'])
    expect(told(ofYours('kernels'), 'wgsl')).toEqual([])
    expect(told(ofYours('results'), 'javascript')).toEqual(['bytes', 'time'])
  })

  it('what is held against a reference that is not known cannot be determined', () => {
    const reference = programReport([], { unknown: 'kernels' })
    expect(told(evidenceWith({ yours: programReport([]), reference }), 'javascript')).toEqual(['bytes'])
  })
})
