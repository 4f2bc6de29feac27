/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { GATHER_WORDS, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramRun } from '../../../exercises/types'
import { createOperands } from '../../../lab/operands'
import { bitsAt, rules } from './checks'

const NAME = 'uploads'
const [SEED, STEPS, BYTES] = [7, 3, 4096]
const FACTS = { seed: SEED, batchBytes: BYTES, steps: STEPS }
const KEPT = Array.from({ length: STEPS * GATHER_WORDS }, (_, at) => {
  const batch = Math.floor(at / GATHER_WORDS)
  return bitsAt(batch, gatherPosition(at % GATHER_WORDS, gatherSeed(batch), BYTES / 4), SEED)
})

interface Made {
  readonly found?: ProgramRun['found']
  readonly warmUp?: ProgramRun['found']
  readonly writes?: readonly number[]
}
function found(id: string, { found: over = {}, warmUp = {}, writes = [] }: Made = {}) {
  const trace = new HandMadeTrace(NAME)
  for (let step = 0; step < STEPS; step += 1) trace.carry(0, 'fill', 1, 2, BYTES)
  for (const bytes of writes) trace.carry(0, 'write', 3, 4, bytes)
  const right = { kept: KEPT, stagingUsed: 2, stagingBytes: 2 * BYTES }
  const runs = [
    programRun({ name: NAME, repeat: -2, facts: FACTS, found: { ...right, ...warmUp } }),
    programRun({ name: NAME, facts: FACTS, found: { ...right, ...over } }),
  ]
  return said(rules, id, evidenceBeside(programReport(runs, { trace: trace.trace }), NAME))
}

it('what is sent is what is expected, to the last bit', () => {
  const batches = createOperands(BYTES / 4, STEPS, SEED)
  for (const step of [0, 2])
    for (const at of [0, 1023]) {
      const words = batches.of(step)
      expect(new Uint32Array(words.slice(at, at + 1).buffer)[0]).toBe(bitsAt(step, at, SEED))
    }
})

describe('output', () => {
  it('is right where each batch stood there when it was used', () => {
    expect(found('output')).toEqual(['yes', 'All 3 batches arrived, in 1 runs with fresh numbers.'])
  })

  it('is wrong where one did not, or nothing can be read', () => {
    const late = KEPT.map((word, at) => (Math.floor(at / GATHER_WORDS) === 1 ? 0 : word))
    const [outcome, text] = found('output', { found: { kept: late } })
    expect(outcome).toBe('no')
    expect(text).toMatch(/^Batch 1 was not there when it was used: 25\d of the 256 words/)
    expect(found('output', { found: { kept: KEPT.slice(1) } })).toEqual([
      'no',
      'What arrived could not be read.',
    ])
  })
})

describe('buffers', () => {
  it('are at most three, of a batch each', () => {
    expect(found('buffers')).toEqual(['yes', 'Your program wrote into at most 3 staging buffers.'])
    expect(found('buffers', { found: { stagingUsed: 3, stagingBytes: 3 * BYTES } })[0]).toBe('yes')
    expect(found('buffers', { found: { stagingUsed: 4 } })).toEqual([
      'no',
      'Your program wrote into 4 staging buffers in a run; 3 are allowed.',
    ])
  })

  it('count in the warm-up too, and so does what writeBuffer() sends, parameters excepted', () => {
    expect(found('buffers', { warmUp: { stagingUsed: 4 } })[0]).toBe('no')
    expect(found('buffers', { writes: [BYTES, BYTES] })).toEqual([
      'no',
      'Your program wrote into 2 staging buffers in a run, and writeBuffer() sent 2 batches; 3 are allowed.',
    ])
    expect(found('buffers', { writes: [BYTES, 64] })[0]).toBe('yes')
  })

  it('may not be one that holds all', () => {
    const [outcome, text] = found('buffers', { found: { stagingUsed: 1, stagingBytes: 4 * BYTES } })
    expect(outcome).toBe('no')
    expect(text).toContain('3 of a batch each have')
  })
})
