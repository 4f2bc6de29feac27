/** Checks when batches are asked for: ahead, not too early, and none waits for another. */
import { describe, expect, it } from 'vitest'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport } from '../../../exercises/types'
import { firstRung as first, rules as last } from './checks'

const NAME = 'batches'
const MS = 1e6
const STEPS = 5

/** An act of a program, or what it is told: a millisecond each. */
type Event = `ask ${number}` | 'come' | `come ${number}` | `submit ${number}` | 'ended'
const asks = (...steps: readonly number[]): readonly Event[] =>
  steps.filter((step) => step < STEPS).map((step) => `ask ${step}` as const)
const loop = (step: (step: number) => readonly Event[]): readonly Event[] =>
  Array.from({ length: STEPS }, (_, index) => step(index)).flat()

const ASKS_WHEN_TAKEN: readonly Event[] = [
  ...asks(0, 1),
  ...loop((step) => ['come', ...asks(step + 2), `submit ${step}`, 'ended']),
]

function reportOf(events: readonly Event[]): ProgramReport {
  const trace = new HandMadeTrace(NAME)
  const never = Array<number>(STEPS).fill(Infinity)
  const [askedNs, cameNs, usedNs] = [[...never], [...never], [...never]]
  let come = 0
  let submission = -1
  for (const [at, event] of events.entries()) {
    const step = Number(event.split(' ')[1])
    if (event.startsWith('come')) {
      cameNs[event === 'come' ? come : step] = at * MS
      come += 1
    } else if (event === 'ended') trace.wait(0, 'wait-done', at - 0.5, at, submission)
    else if (event.startsWith('ask')) askedNs[step] = at * MS
    else {
      usedNs[step] = (at - 0.1) * MS
      submission = trace.submit(0, at, at + 0.5)
    }
  }
  const made = Array<number>(STEPS).fill(1)
  const found = { steps: STEPS, made, askedNs, cameNs, usedNs, products: STEPS, arrived: [], entries: [] }
  return programReport([programRun({ name: NAME, found })], { trace: trace.trace })
}
const checkOf = (id: string, yours: ProgramReport, rules = last) => said(rules, id, evidenceWith({ yours }))

/** Programs, and whether `ahead` and `waiting` hold for them on the last rung and on the first. */
const PROGRAMS: Readonly<
  Record<string, readonly [events: readonly Event[], last: string, first: string, waiting: string]>
> = {
  'two at first, the next when one is taken': [ASKS_WHEN_TAKEN, 'yes', 'yes', 'yes'],
  'two at first, the next right after it submits': [
    [...asks(0, 1), ...loop((step) => ['come', `submit ${step}`, ...asks(step + 2), 'ended'])],
    'yes',
    'yes',
    'yes',
  ],
  'three at first, the next right after it submits': [
    [...asks(0, 1, 2), ...loop((step) => ['come', `submit ${step}`, ...asks(step + 3), 'ended'])],
    'yes',
    'yes',
    'yes',
  ],
  'three at first, the next when a step has ended': [
    [...asks(0, 1, 2), ...loop((step) => ['come', `submit ${step}`, 'ended', ...asks(step + 3)])],
    'yes',
    'yes',
    'yes',
  ],
  'three at first, the next when one is taken': [
    [...asks(0, 1, 2), ...loop((step) => ['come', ...asks(step + 3), `submit ${step}`, 'ended'])],
    'yes',
    'yes',
    'no',
  ],
  'two at first, the next when a step has ended': [
    [...asks(0, 1), ...loop((step) => ['come', `submit ${step}`, 'ended', ...asks(step + 2)])],
    'no',
    'yes',
    'yes',
  ],
  'one at first, the next right after it submits': [
    [...asks(0), ...loop((step) => ['come', `submit ${step}`, ...asks(step + 1), 'ended'])],
    'no',
    'yes',
    'yes',
  ],
  'each when it is needed': [
    loop((step) => [...asks(step), 'come', `submit ${step}`, 'ended']),
    'no',
    'no',
    'yes',
  ],
  'all at once': [
    [...asks(0, 1, 2, 3, 4), ...loop((step) => ['come', `submit ${step}`, 'ended'])],
    'yes',
    'yes',
    'no',
  ],
}
describe.each(Object.entries(PROGRAMS))('%s', (_, [events, ahead, rungOne, waiting]) => {
  it('is judged by what was asked for when the loop waited', () => {
    expect(checkOf('ahead', reportOf(events))[0]).toBe(ahead)
    expect(checkOf('ahead', reportOf(events), first)[0]).toBe(rungOne)
    expect(checkOf('waiting', reportOf(events))[0]).toBe(waiting)
    expect(checkOf('waiting', reportOf(events), first)[0]).toBe(waiting)
  })
})

describe('ahead and waiting', () => {
  it('name the step and the batch', () => {
    const late = [...asks(0, 1), ...loop((step) => ['come', `submit ${step}`, 'ended', ...asks(step + 2)])]
    expect(checkOf('ahead', reportOf(late))[1]).toBe(
      'When the loop waited after step 0 was submitted, batch 2 had not been requested from a worker.',
    )
    expect(
      checkOf('waiting', reportOf([...asks(0, 1, 2, 3), ...loop((step) => [`submit ${step}`])]))[1],
    ).toBe('Batch 3 was asked for before step 0 was submitted: that is more than 2 waiting.')
  })
  it('a batch that was never asked for was not asked for in time', () => {
    const own = loop((step) => [`submit ${step}`, 'ended'])
    expect(checkOf('ahead', reportOf(own))[0]).toBe('no')
    expect(checkOf('ahead', reportOf([...own].filter((event) => event !== 'ended')))[0]).toBe('no')
  })
})

describe('own', () => {
  /** Batches 0 and 1 are there; then what happens between the submissions of steps 0 and 1. */
  const between = (...events: readonly Event[]): readonly Event[] => [
    ...asks(0, 1),
    ...(['come 1', 'come 0', ...asks(2), 'submit 0', ...events, 'submit 1'] as const),
  ]
  it.each<readonly [string, readonly Event[], string]>([
    ['another comes first', between('ended'), 'yes'],
    ['another comes while the device is at work', between('come 2', 'ended'), 'yes'],
    [
      'the step before it has no batch yet',
      [...asks(0, 1), 'come 1', 'come 0', 'submit 0', 'submit 1'],
      'yes',
    ],
    ['the next is awaited too', between('ended', 'come 2'), 'no'],
    ['the first step awaits both', [...asks(0, 1), 'come 0', 'come 1', 'submit 0'], 'no'],
  ])('%s', (_, events, outcome) => {
    expect(checkOf('own', reportOf(events))[0]).toBe(outcome)
    expect(checkOf('own', reportOf(events), first)[0]).toBe(outcome)
  })
  it('names step and batch', () => {
    expect(checkOf('own', reportOf(between('ended', 'come 2')))[1]).toBe(
      'Step 1 had its batch and was submitted only when batch 2 had come too.',
    )
  })
})
