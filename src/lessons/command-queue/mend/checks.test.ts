/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { chainWord } from '../../../gpu/kernels/data/chain'
import { evidenceBeside, evidenceWith, programReport, programRun } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { Check, ProgramReport } from '../../../exercises/types'
import { rules } from './checks'
import { DIFFERENT, expectedWords, KERNELS, startWords, stepsOf, WORDS } from './kernels'

const SEED = 7
const RIGHT = expectedWords(SEED)

interface Made {
  readonly words?: Uint32Array
  readonly kernelsRun?: number
  readonly submits?: number
  readonly report?: Partial<ProgramReport>
}

function reportOf({ words = RIGHT, kernelsRun = KERNELS, submits = 1, report = {} }: Made): ProgramReport {
  const trace = new HandMadeTrace('clean')
  for (let submit = 0; submit < submits; submit += 1) trace.submit(0, submit, submit + 3)
  // Of another run: these count for that one.
  trace.submit(1, 50, 53)
  const run = programRun({ facts: { seed: SEED }, found: { words, kernelsRun } })
  return programReport([run], { trace: trace.trace, ...report })
}
function found(id: string, made: Made = {}): readonly [Check['outcome'] | undefined, string | undefined] {
  const checks = rules.checks(evidenceBeside(reportOf(made), 'clean'))
  expect(checks.map((each) => each.id)).toEqual(['output', 'work', 'submits', 'time'])
  const check = checks.find((each) => each.id === id)
  return [check?.outcome, check?.text]
}

describe('the result', () => {
  it('is that of all kernels in turn, worked out here once more', () => {
    let words = [...startWords(SEED)]
    const steps = stepsOf(SEED)
    expect(steps).toHaveLength(DIFFERENT)
    for (let kernel = 0; kernel < KERNELS; kernel += 1)
      words = words.map((word) => chainWord(word, steps[kernel % DIFFERENT] ?? { mask: 0, factor: 1 }))
    expect([...RIGHT]).toEqual(words)
    expect(new Set(words).size).toBe(WORDS)
  })

  it('differs with the seed, and no kernel loses bits', () => {
    expect(expectedWords(SEED + 1)).not.toEqual(RIGHT)
    for (const { factor } of stepsOf(SEED)) expect(factor % 2).toBe(1)
  })
})

describe('output', () => {
  it('is right to the last bit', () => {
    expect(found('output')[0]).toBe('yes')
    const [outcome, text] = found('output', { words: RIGHT.map((word, at) => (at === 3 ? word ^ 1 : word)) })
    expect(outcome).toBe('no')
    expect(text).toBe(
      `Word 3 of the result is ${String(((RIGHT[3] ?? 0) ^ 1) >>> 0)}; after all kernels in their order it is ${String(RIGHT[3])}.`,
    )
  })

  it('is wrong where nothing ran, and where nothing was read', () => {
    expect(found('output', { words: startWords(SEED) })[0]).toBe('no')
    expect(found('output', { words: new Uint32Array(3) })).toEqual(['no', 'The result could not be read.'])
  })
})

it('each kernel runs once, or a tenth more', () => {
  expect(found('work')).toEqual(['yes', 'The GPU ran 1,024 kernels, as asked.'])
  expect(found('work', { kernelsRun: KERNELS + 100 })[0]).toBe('yes')
  expect(found('work', { kernelsRun: 2 * KERNELS })).toEqual([
    'no',
    'The GPU ran 2,048 kernels; 1,024 are asked for.',
  ])
  expect(found('work', { kernelsRun: KERNELS - 1 })[0]).toBe('no')
})

it('submits are counted in each run, the empty ones too', () => {
  expect(found('submits')).toEqual(['yes', 'Your program called submit() once in a run.'])
  expect(found('submits', { submits: 2 })[0]).toBe('yes')
  expect(found('submits', { submits: 3 })).toEqual([
    'no',
    'Your program called submit() 3 times in a run; at most 2 are allowed.',
  ])
  expect(found('submits', { report: { trace: null } })).toEqual(['cannot-tell', 'Nothing was recorded.'])
})

it('times its runs, and shows the median', () => {
  expect(found('time')).toEqual([
    'yes',
    'The unchanged program took 200 ms, the lab’s own mend 100 ms; yours took 100 ms.',
  ])
  const slow = programReport([
    programRun({ facts: { seed: SEED }, found: { words: RIGHT, kernelsRun: KERNELS }, ms: 190 }),
  ])
  const checks = rules.checks(evidenceBeside(slow, 'clean'))
  expect(checks.find(({ id }) => id === 'time')?.outcome).toBe('no')
  expect(rules.figure.of(slow)).toBe(190)
  expect(rules.figure.of(programReport([]))).toBeNull()
  const alone = rules.checks(evidenceWith({ yours: reportOf({}) }))
  expect(alone.find(({ id }) => id === 'time')?.outcome).toBe('cannot-tell')
})
