/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { chainWord } from '../../../gpu/kernels/data/chain'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport } from '../../../exercises/types'
import { rules, DIFFERENT, expectedWords, KERNELS, startWords, stepsOf, WORDS } from './checks'

const SEED = 7
const RIGHT = expectedWords(SEED)

interface Made {
  readonly words?: Uint32Array
  readonly submits?: number
}

function reportOf({ words = RIGHT, submits = 1 }: Made): ProgramReport {
  const trace = new HandMadeTrace('clean')
  for (let submit = 0; submit < submits; submit += 1) trace.submit(0, submit, submit + 3)
  // Of another run: these count for that one.
  trace.submit(1, 50, 53)
  const run = programRun({ facts: { seed: SEED }, found: { words, kernelsRun: KERNELS } })
  return programReport([run], { trace: trace.trace })
}
function found(id: string, made: Made = {}) {
  return said(rules, id, evidenceBeside(reportOf(made), 'clean'))
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

it('submits are counted in each run, the empty ones too', () => {
  expect(found('submits')).toEqual(['yes', 'Your program called submit() once in a run.'])
  expect(found('submits', { submits: 2 })[0]).toBe('yes')
  expect(found('submits', { submits: 3 })).toEqual([
    'no',
    'Your program called submit() 3 times in a run; at most 2 are allowed.',
  ])
})
