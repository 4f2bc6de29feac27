/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { gatherPosition } from '../../../gpu/kernels/data/gather'
import { randomWord } from '../../../gpu/kernels/pcg'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramRun } from '../../../exercises/types'
import { rules, SHOWN_WORDS, TENSORS } from './checks'

const NAME = 'tensors'
const WORDS = 1101
const SEEDS = [5, 6, 7, 8]
const KEPT_SEED = 9
const positionOf = (step: number, i: number) => gatherPosition(i, KEPT_SEED + step, WORDS)
const KEPT = SEEDS.flatMap((seed, step) =>
  Array.from({ length: SHOWN_WORDS }, (_, i) => randomWord(positionOf(step, i), seed)),
)
const RIGHT = { used: [0, 1, 2, 3], wrong: 0, firstWrong: -1, got: Number.NaN, kept: KEPT }

interface Made {
  readonly found?: ProgramRun['found']
  readonly sent?: readonly (readonly ['fill' | 'write', number])[]
}
function found(id: string, { found: over = {}, sent = [['write', 16]] }: Made = {}) {
  const trace = new HandMadeTrace(NAME)
  const runs = [0, 1].map((repeat) => {
    for (const [role, bytes] of sent) trace.carry(repeat, role, repeat * 100 + 1, repeat * 100 + 2, bytes)
    const facts = { words: WORDS, seeds: SEEDS, seedKept: KEPT_SEED }
    // The warm-up is not asked; of two runs the second is as bad as any.
    return programRun({ name: NAME, repeat, facts, found: repeat === 1 ? { ...RIGHT, ...over } : RIGHT })
  })
  return said(rules, id, evidenceBeside(programReport(runs, { trace: trace.trace }), NAME))
}

describe('output', () => {
  it('is right with every word', () => {
    expect(found('output')).toEqual(['yes', 'All words are right, in 2 runs with fresh seeds.'])
  })

  it.each(Array.from({ length: TENSORS }, (_, step) => step))(
    'is wrong with one kept word of tensor %i',
    (step) => {
      const kept = [...KEPT]
      const right = KEPT[step * SHOWN_WORDS + 3] ?? Number.NaN
      kept[step * SHOWN_WORDS + 3] = right ^ 1
      expect(found('output', { found: { kept } })).toEqual([
        'no',
        `When tensor ${String(step)} was used, its word ${positionOf(step, 3).toLocaleString('en')} was ${String(right ^ 1)}; it is ${String(right)}.`,
      ])
    },
  )

  it('is wrong with one word of the last tensor, wherever it is', () => {
    expect(found('output', { found: { wrong: 1, firstWrong: 1100, got: 0 } })).toEqual([
      'no',
      `1 of the 1,101 words of the last tensor are wrong. The first is word 1,100: the GPU has 0; it is ${String(randomWord(1100, 8))}.`,
    ])
  })

  it('is wrong where nothing was found', () => {
    expect(found('output', { found: { kept: [] } })[0]).toBe('no')
  })
})

describe('bytes', () => {
  it('are next to none', () => {
    expect(found('bytes')).toEqual(['yes', 'Your program sent 16 bytes to the GPU in a run.'])
    expect(found('bytes', { sent: [] })[0]).toBe('yes')
  })

  it.each(['fill', 'write'] as const)('are added up, however small each %s is', (role) => {
    const sent = Array.from({ length: 129 }, () => [role, 8] as const)
    expect(found('bytes', { sent })).toEqual([
      'no',
      'Your program sent 1,032 bytes to the GPU in a run; at most 1,024 are allowed.',
    ])
  })
})
