/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport } from '../../../exercises/types'
import {
  firstRung,
  rules,
  bitsAt,
  contentOf,
  KEPT_WORDS,
  PART_BYTES,
  PART_WORDS,
  positionsOf,
} from './checks'

const SEED = 7
const PARTS = 3
const RIGHT = Array.from({ length: PARTS }, (_, part) =>
  positionsOf(part).map((position) => bitsAt(position, SEED)),
).flat()

interface Made {
  readonly arrived?: readonly number[]
  readonly writes?: readonly number[]
  /** From when to when, ms. */
  readonly waits?: readonly (readonly [number, number])[]
}

function reportOf({
  arrived = RIGHT,
  writes = [PART_BYTES, PART_BYTES, PART_BYTES],
  waits = [[3, 5]],
}: Made): ProgramReport {
  const trace = new HandMadeTrace('uploads')
  writes.forEach((bytes, at) => {
    trace.carry(0, 'write', at / 4, at / 4 + 0.1, bytes)
  })
  const submission = trace.submit(0, 2, 5)
  for (const [from, to] of waits) trace.wait(0, 'wait-done', from, to, submission)
  // Of another run: these count for that one.
  trace.wait(1, 'wait-done', 50, 53, submission)
  trace.carry(1, 'write', 50, 51, PART_BYTES)
  const run = programRun({
    name: 'uploads',
    facts: { seed: SEED, parts: PARTS },
    found: { arrived },
  })
  return programReport([run], { trace: trace.trace })
}
function found(id: string, made: Made = {}) {
  return said(rules, id, evidenceBeside(reportOf(made), 'uploads'))
}

it('what is kept of a part are words of that part, to the last bit', () => {
  const content = new Uint32Array(contentOf(SEED, PARTS).buffer)
  for (let part = 0; part < PARTS; part += 1)
    for (const position of positionsOf(part)) {
      expect(Math.floor(position / PART_WORDS)).toBe(part)
      expect(bitsAt(position, SEED)).toBe(content[position])
    }
})

describe('output', () => {
  it('is right where every part is in its place', () => {
    expect(found('output')).toEqual(['yes', 'All 3 parts arrived, in 1 runs with fresh numbers.'])
  })

  it('is wrong where a part is missing, in another place, or not to be read', () => {
    const [outcome, text] = found('output', {
      arrived: RIGHT.map((word, at) => (Math.floor(at / KEPT_WORDS) === 1 ? 0 : word)),
    })
    expect(outcome).toBe('no')
    expect(text).toMatch(/^Part 1 did not arrive in its place: 1\d of the 16 words/)
    expect(found('output', { arrived: RIGHT.toReversed() })[0]).toBe('no')
    expect(found('output', { arrived: RIGHT.slice(1) })).toEqual(['no', 'What arrived could not be read.'])
  })
})

describe('waits', () => {
  it('may be one, or none', () => {
    expect(found('waits')).toEqual(['yes', 'Your program waited once in a run.'])
    expect(found('waits', { waits: [] })[0]).toBe('yes')
  })

  it('are one where they lie over each other, as those of a Promise.all', () => {
    expect(
      found('waits', {
        waits: [
          [1, 5],
          [1.1, 5.1],
          [1.2, 5.2],
        ],
      })[0],
    ).toBe('yes')
  })

  it('are one where each promise is awaited in order, when all has been handed over', () => {
    expect(
      found('waits', {
        waits: [
          [2.1, 3],
          [3.1, 5],
        ],
      })[0],
    ).toBe('yes')
  })

  it('do not count where parts go up meanwhile', () => {
    const reader = [0.05, 0.3, 0.55].map((at) => [at, at + 2] as const)
    expect(found('waits', { waits: reader })[1]).toBe('Your program waited once in a run.')
  })

  it('are too many where one begins when another has ended', () => {
    expect(
      found('waits', {
        waits: [
          [1, 2],
          [2.5, 5],
        ],
      }),
    ).toEqual(['no', 'Your program waited 2 times in a run; at most 1 is allowed.'])
  })
})

it('rung 1 lets each part be awaited, but no piece of one', () => {
  const waits = (lengths: readonly (readonly [number, number])[]) => {
    const checks = firstRung.checks(evidenceBeside(reportOf({ waits: lengths }), 'uploads'))
    expect(checks.map(({ id }) => id)).toEqual(['output', 'work', 'waits', 'time'])
    const check = checks.find(({ id }) => id === 'waits')
    return [check?.outcome, check?.text]
  }
  const each = [[0.11, 0.2], [0.36, 0.45], [3, 5]] as const // prettier-ignore
  expect(waits(each)).toEqual(['yes', 'Your program waited at most once for each part.'])
  expect(waits([])[0]).toBe('yes')
  expect(waits([...each, [0.7, 1.9]])).toEqual([
    'no',
    'Your program waited 1.333 times for each part; at most 1 is allowed.',
  ])
})
