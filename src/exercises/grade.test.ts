/**
 * Some runs are not graded: one that ended for a reason that is not the program's is neither passed
 * nor 'cannot tell'.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CancelledError, FaultError } from '../base/fault'
import { tinyEnvironment } from '../experiments/testing/tiny'
import { yes } from './checks'
import type { ProgramRequest } from './client'
import { grade } from './grade'
import type { Exercise } from './exercise'
import { programReport, programRun } from './testing/evidence'
import type { ProgramReport, Stop } from './types'

const { runs } = vi.hoisted(() => ({ runs: new Map<string, unknown>() }))
const asked: number[] = []
vi.mock('./client', () => ({
  runProgram: ({ source, seed }: ProgramRequest) => {
    asked.push(seed)
    return Promise.resolve(runs.get(source))
  },
}))
const mend: Exercise = {
  lesson: 'sync-stalls',
  rung: 1,
  rungs: 1,
  language: 'javascript',
  start: 'start',
  names: null,
  reference: 'reference',
  worker: '/worker.js',
  modelWorker: '/model-worker.js',
  words: { title: '', task: [], must: [], hints: [], pytorch: { before: [], code: '', after: [] }, why: [] },
  figure: { words: '', unit: 'ms', run: 'clean', of: () => 1 },
  checks: () => [{ id: 'output', ...yes('It is right.') }],
}

const ended: ProgramReport = programReport([programRun({})])
const stopped = (reason: Stop['reason']): ProgramReport => ({
  ...programReport([]),
  stop: { reason, text: 'It did not.', line: null },
})
const graded = (source = 'mine') => grade(mend, source, { environment: tinyEnvironment })
const ids = async (source?: string) => (await graded(source)).checks.map(({ id }) => id)

beforeEach(() => {
  for (const source of ['mine', 'start', 'reference']) runs.set(source, ended)
})

describe.each(['mine', 'start', 'reference'])('%s', (source) => {
  it('cancelled: nothing is graded', async () => {
    runs.set(source, stopped('cancelled'))
    await expect(graded()).rejects.toBeInstanceOf(CancelledError)
  })

  it.each(['hidden', 'lab'] as const)('%s: nothing is graded, and it says what to do', async (reason) => {
    runs.set(source, stopped(reason))
    const thrown = await graded().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(FaultError)
    expect((thrown as FaultError).fault.hint).toContain('Run again')
  })
})

it('needs the lab’s own program to come to its end, and not the unchanged one', async () => {
  runs.set('start', stopped('never-returned'))
  expect(await graded()).toMatchObject({ passed: true, evidence: { start: null } })
  runs.set('reference', stopped('never-returned'))
  await expect(graded()).rejects.toThrow('The lab’s own program did not come to its end here: It did not.')
})

it('says first that nothing was changed', async () => {
  expect(await ids('start')).toEqual(['changed', 'ended', 'fuel', 'output', 'finished', 'clock'])
  runs.set('start', stopped('endless'))
  expect(await ids('start')).toEqual(['changed', 'ended'])
  runs.set('mine', stopped('endless'))
  expect(await ids()).toEqual(['changed', 'ended'])
  expect((await graded()).checks[0]?.outcome).toBe('yes')
})

it('draws a seed for each grading, the same for its three programs', async () => {
  asked.length = 0
  await graded()
  await graded()
  expect(asked).toHaveLength(6)
  expect(new Set(asked.slice(0, 3)).size).toBe(1)
  expect(new Set(asked).size).toBe(2)
})

describe('a no of time', () => {
  const judging = (...outcomes: readonly (readonly [string, 'yes' | 'no'])[][]) => {
    const asked = vi.fn(() =>
      (outcomes[asked.mock.calls.length - 1] ?? []).map(([id, outcome]) => ({ id, outcome, text: '' })),
    )
    return { asked, of: { ...mend, checks: asked } }
  }
  const gradedBy = (of: Exercise) => grade(of, 'mine', { environment: tinyEnvironment })

  it('alone is asked again, and all checks are those of the second run', async () => {
    const { asked, of } = judging(
      [
        ['output', 'yes'],
        ['time', 'no'],
      ],
      [
        ['output', 'no'],
        ['time', 'yes'],
      ],
    )
    expect((await gradedBy(of)).checks.filter(({ outcome }) => outcome === 'no').map(({ id }) => id)).toEqual(
      ['output'],
    )
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('none: a mend that passes without a check of time runs once', async () => {
    const { asked, of } = judging([['output', 'yes']])
    expect(await gradedBy(of)).toMatchObject({ passed: true })
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('twice is a no', async () =>
    expect(await gradedBy(judging([['time', 'no']], [['time', 'no']]).of)).toMatchObject({ passed: false }))

  it('beside another no decides nothing', async () => {
    const { asked, of } = judging(
      [
        ['output', 'no'],
        ['time', 'no'],
      ],
      [],
    )
    expect(await gradedBy(of)).toMatchObject({ passed: false })
    expect(asked).toHaveBeenCalledTimes(1)
  })
})
