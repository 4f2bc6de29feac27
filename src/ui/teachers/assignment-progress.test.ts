import { describe, expect, it } from 'vitest'
import { experiments } from '../../experiments/catalog'
import { findLesson } from '../../lessons/testing/catalog'
import { FIRST_RUN } from '../../state/lesson-runs'
import { EMPTY_PROGRESS, type LessonProgress } from '../../state/lesson-store'
import { NO_RUN, type RunState } from '../../state/run-store'
import { readCode, writeCode } from '../../teaching/completion-code'
import type { Assignment } from '../../teaching/assignment'
import type { Report } from '../../trace/report'
import { sampleReport } from '../../trace/testing/sample-report'
import { completionOf, itemsOf, localDay } from './assignment-progress'

const lesson = findLesson('sync-stalls')
const meta = experiments.find(({ id }) => id === 'sync-stalls')
if (lesson?.kind !== 'experiment' || !meta) throw new Error('The lesson of these tests is gone.')
const { name, variant } = lesson.prediction.metric

const ASKED: Assignment = {
  lesson: 'sync-stalls',
  title: 'Week 3',
  steps: ['longer'],
  values: { kernelMs: 1 },
  isLocked: true,
  mend: true,
}
const report = (change: Partial<Report> = {}): Report => ({
  ...sampleReport,
  metrics: [
    { name, variant, value: 0.09, unit: 'ratio', low: 0.085, high: 0.1, n: 5, origin: 'device-clock' },
  ],
  verdict: { outcome: 'shown', text: 'So it is.', reason: 'read-stalls' },
  validity: { valid: true, reasons: [] },
  ...change,
})
const run = (params: RunState['params'], change: Partial<RunState> = {}): RunState => ({
  ...NO_RUN,
  phase: 'done',
  params,
  report: report(),
  ...change,
})
const predicted: LessonProgress = { ...EMPTY_PROGRESS, prediction: { kind: 'made', value: 75, unit: '%' } }
const done = (assignment: Assignment, progress: LessonProgress, runs: Readonly<Record<string, RunState>>) =>
  itemsOf(assignment, lesson, meta, progress, runs).map(({ id, isDone, note }) => [id, isDone, note])

const own = { ...lesson.values, kernelMs: 1 }

describe('what of an assignment is done', () => {
  it('is nothing at first', () => {
    expect(done(ASKED, EMPTY_PROGRESS, {})).toEqual([
      ['predict', false, ''],
      [FIRST_RUN, false, 'Not run yet.'],
      ['longer', false, 'Not run yet.'],
      ['mend', false, 'Not graded yet.'],
    ])
  })

  it('is a run with the teacher’s settings, and none with others', () => {
    const runs = (kernelMs: number) => ({ 'sync-stalls/first': run({ ...lesson.values, kernelMs }) })
    expect(done(ASKED, predicted, runs(1))[1]).toEqual([FIRST_RUN, true, ''])
    expect(done(ASKED, predicted, runs(0.3))[1]).toEqual([
      FIRST_RUN,
      false,
      expect.stringContaining('than your teacher set') as string,
    ])
    expect(done({ ...ASKED, isLocked: false }, predicted, runs(0.3))[1]).toEqual([FIRST_RUN, true, ''])
  })

  it('is a step with its own change on top of them', () => {
    const step = lesson.steps.find(({ id }) => id === 'longer')
    const runs = { 'sync-stalls/longer': run({ ...own, ...step?.action?.values }) }
    expect(done(ASKED, predicted, runs)[2]).toEqual(['longer', true, ''])
    expect(done(ASKED, predicted, { 'sync-stalls/longer': run(own) })[2]?.[1]).toBe(false)
  })

  it('is no run that does not count, and a recording with that note', () => {
    const invalid = run(own, { report: report({ validity: { valid: false, reasons: ['It was hidden.'] } }) })
    expect(done(ASKED, predicted, { 'sync-stalls/first': invalid })[1]).toEqual([
      FIRST_RUN,
      false,
      'The last run does not count: It was hidden.',
    ])
    const recorded = run(lesson.values, { origin: 'recorded' })
    expect(done(ASKED, predicted, { 'sync-stalls/first': recorded })[1]).toEqual([
      FIRST_RUN,
      true,
      expect.stringContaining('recording') as string,
    ])
  })

  it.each([
    [true, true],
    [false, false],
    [null, true],
  ])('is the mend where it passed or could not be told: %s', (passed, isDone) => {
    const progress = { ...predicted, mend: { passed, before: null, after: null, adapter: 'a' } }
    expect(done(ASKED, progress, {})[3]?.[1]).toBe(isDone)
  })

  it('is no prediction that was skipped', () => {
    expect(done(ASKED, { ...EMPTY_PROGRESS, prediction: { kind: 'skipped' } }, {})[0]).toEqual([
      'predict',
      false,
      'You skipped it.',
    ])
  })

  it('of a lesson of profiles is each line that was found', () => {
    const profiles = findLesson('read-a-profile')
    if (profiles?.kind !== 'profiles') throw new Error('The lesson of profiles is gone.')
    const ask: Assignment = { ...ASKED, lesson: profiles.id, steps: [], values: {} }
    const [first] = profiles.profiles
    const progress: LessonProgress = {
      ...predicted,
      outcome: { value: 26, unit: '%', adapter: 'a', recorded: true },
      finds: { [first?.recording ?? '']: { clicks: ['x'], found: true } },
    }
    const items = itemsOf(ask, profiles, null, progress, {})
    expect(items.map(({ id, isDone }) => [id, isDone])).toEqual([
      ['predict', true],
      [FIRST_RUN, true],
      ['find', false],
    ])
    expect(items[2]?.note).toBe(`1 of ${String(profiles.profiles.length)} found.`)
    const completion = completionOf(ask, profiles, items, progress, {}, { day: '2026-11-23', name: '' })
    expect(completion).toMatchObject({
      predicted: 75,
      measured: { value: 26, low: 26, high: 26 },
      adapter: 'recorded',
      done: 2,
      asked: 3,
    })
  })
})

describe('what is handed in', () => {
  const who = { day: '2026-11-23', name: 'Grace' }
  const completion = (progress: LessonProgress, runs: Readonly<Record<string, RunState>>) =>
    completionOf(ASKED, lesson, itemsOf(ASKED, lesson, meta, progress, runs), progress, runs, who)

  it('is what was predicted and measured, in the unit of the question, and survives its code', () => {
    const handed = completion(predicted, { 'sync-stalls/first': run(own) })
    expect(handed).toMatchObject({
      lesson: 'sync-stalls',
      predicted: 75,
      measured: { value: 9, low: 8.5, high: 10 },
      unit: '%',
      outcome: 'shown',
      adapter: 'software',
      mended: 'none',
      done: 2,
      asked: 4,
      ...who,
    })
    expect(readCode(writeCode(handed), ['sync-stalls'])).toEqual({ ok: true, value: handed })
  })

  it('says that a run does not count, and has none where there was none', () => {
    const invalid = run(own, { report: report({ validity: { valid: false, reasons: ['x'] } }) })
    expect(completion(predicted, { 'sync-stalls/first': invalid }).outcome).toBe('invalid')
    expect(completion(EMPTY_PROGRESS, {})).toMatchObject({
      predicted: null,
      measured: null,
      outcome: 'none',
      done: 0,
    })
  })

  it('has no prediction that answered another question', () => {
    const other: LessonProgress = { ...EMPTY_PROGRESS, prediction: { kind: 'made', value: 3, unit: '×' } }
    expect(completion(other, { 'sync-stalls/first': run(own) }).predicted).toBeNull()
  })

  it('has the day where the learner is', () => {
    expect(localDay(new Date(2026, 10, 3, 23, 59))).toBe('2026-11-03')
  })
})
