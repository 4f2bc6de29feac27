/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { GATHER_WORDS, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { evidenceBeside, programReport, programRun } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { Check, ProgramReport, ProgramRun } from '../../../exercises/types'
import { operandValue } from '../../../gpu/kernels/data/operand'
import { expectedEntries } from './batches'
import { rules } from './checks'

const [STEPS, ROWS, S, TIMES] = [6, 8, 16, 2] as const
const BATCH_BYTES = ROWS * S * 4
const FACTS = {
  batchBytes: BATCH_BYTES,
  rows: ROWS,
  s: S,
  times: TIMES,
  steps: STEPS,
  seedBatches: 77,
  seedWeights: 78,
} as const
const NAME = 'uploads'

const wordsOf = (batch: number): number[] => {
  const words = Float32Array.from({ length: GATHER_WORDS }, (_, index) =>
    operandValue(batch, gatherPosition(index, gatherSeed(batch), BATCH_BYTES / 4), FACTS.seedBatches),
  )
  return [...new Uint32Array(words.buffer)]
}
const ENTRIES = expectedEntries(FACTS).map(({ value }) => Math.fround(value))
const ARRIVED = Array.from({ length: STEPS }, (_, batch) => wordsOf(batch)).flat()

/** Ten ms a batch. What the program did between the fills of a run. */
interface Batch {
  readonly step: number
  readonly repeat: number
  readonly atMs: number
  readonly trace: HandMadeTrace
  readonly submissions: number[]
}
/** A ring of two: waits for the batch before the last; each is reported two steps later. */
const ring = ({ step, repeat, atMs, trace, submissions }: Batch): void => {
  if (step >= 2) trace.wait(repeat, 'wait-staging', atMs, atMs + 1, submissions[step - 2] ?? -1)
  trace.carry(repeat, 'fill', atMs + 2, atMs + 4, BATCH_BYTES)
  submissions.push(trace.submit(repeat, atMs + 6, atMs + 21))
}
const writing = ({ repeat, atMs, trace, submissions }: Batch): void => {
  trace.carry(repeat, 'write', atMs + 2, atMs + 4, BATCH_BYTES)
  submissions.push(trace.submit(repeat, atMs + 6, atMs + 30))
}

interface Made {
  readonly batch?: (batch: Batch) => void
  readonly found?: ProgramRun['found']
}
function reportOf({ batch = ring, found = {} }: Made): ProgramReport {
  const trace = new HandMadeTrace(NAME)
  const runs = [0, 1].map((repeat) => {
    const submissions: number[] = []
    const encodedNs: number[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const atMs = repeat * 1000 + step * 10
      batch({ step, repeat, atMs, trace, submissions })
      encodedNs.push((atMs + 5) * 1e6)
    }
    return programRun({
      name: NAME,
      repeat,
      facts: FACTS,
      found: {
        arrived: ARRIVED,
        entries: ENTRIES,
        encodedNs,
        encodedTimes: encodedNs.map(() => TIMES),
        stagingUsed: 2,
        ...found,
      },
    })
  })
  return programReport(runs, { trace: trace.trace })
}
const graded = (made: Made): ReadonlyMap<string, Check> => {
  const checks = rules.checks(evidenceBeside(reportOf(made), NAME))
  expect(checks.map(({ id }) => id)).toEqual(['output', 'work', 'overlap', 'buffers', 'time'])
  return new Map(checks.map((each) => [each.id, each]))
}
const found = (id: string, made: Made = {}) => {
  const check = graded(made).get(id)
  return [check?.outcome, check?.text]
}

describe('output', () => {
  it('is right where every batch arrived and was computed', () => {
    expect(found('output')).toEqual([
      'yes',
      'All 6 batches arrived and the result is right, in 2 runs with fresh numbers.',
    ])
  })

  it('names the first batch that is missing or another', () => {
    const swapped = [...ARRIVED.slice(0, 3 * GATHER_WORDS), ...wordsOf(2), ...ARRIVED.slice(4 * GATHER_WORDS)]
    expect(found('output', { found: { arrived: swapped } })).toEqual([
      'no',
      'Batch 3 did not arrive: 256 of the 256 words of it that were kept on the device are not its own.',
    ])
    expect(found('output', { found: { arrived: [] } })[0]).toBe('no')
  })

  it.each([
    ['twice as much', 2],
    ['not a number', Number.NaN],
  ])('is wrong where the result is %s', (_, factor) => {
    const entries = ENTRIES.map((value) => value * factor)
    const [outcome, text] = found('output', { found: { entries } })
    expect(outcome).toBe('no')
    expect(text).toMatch(/^The batches arrived, but the result is wrong: entry \(0, 0\) is .*; the GPU has/)
  })
})

describe('work', () => {
  it('is what was asked for', () => {
    expect(found('work')).toEqual([
      'yes',
      'Your program encoded 12 products, as asked. Each run wrote 3 KiB for the GPU, as asked.',
    ])
  })

  it('is neither twice as much nor less, computed or uploaded', () => {
    expect(found('work', { found: { encodedTimes: Array<number>(STEPS).fill(2 * TIMES) } })).toEqual([
      'no',
      'Your program encoded 24 products; 12 are asked for.',
    ])
    expect(found('work', { found: { encodedTimes: [TIMES] } })[0]).toBe('no')
    const twice = (each: Batch) => {
      ring(each)
      each.trace.carry(each.repeat, 'fill', each.atMs + 7, each.atMs + 8, BATCH_BYTES)
    }
    expect(found('work', { batch: twice })).toEqual([
      'no',
      'Your program wrote 6 KiB for the GPU; 3 KiB are asked for.',
    ])
    const half = (each: Batch) => {
      if (each.step % 2 === 0) ring(each)
    }
    expect(found('work', { batch: half })[0]).toBe('no')
  })
})

describe('overlap', () => {
  it('is there in a ring, also where completions are reported two at a time', () => {
    expect(found('overlap')).toEqual([
      'yes',
      '10 of 10 times the host began to write a batch while the GPU still had the one before it.',
    ])
    // A browser that looks rarely: every second fill begins with both batches reported.
    const rarely = ({ step, repeat, atMs, trace, submissions }: Batch) => {
      if (step % 2 === 0 && step > 0)
        trace.wait(repeat, 'wait-staging', atMs, atMs + 1, submissions[step - 2] ?? -1)
      trace.carry(repeat, 'fill', atMs + 2, atMs + 4, BATCH_BYTES)
      submissions.push(trace.submit(repeat, atMs + 6, atMs + (step % 2 === 0 ? 21 : 11)))
    }
    expect(found('overlap', { batch: rarely })).toEqual([
      'yes',
      '6 of 10 times the host began to write a batch while the GPU still had the one before it.',
    ])
  })

  it('needs a second batch, and looks past small writes', () => {
    const once = (each: Batch) => {
      if (each.step === 0) ring(each)
      else each.trace.carry(each.repeat, 'write', each.atMs, each.atMs, 4)
    }
    expect(found('overlap', { batch: once })).toEqual([
      'no',
      'The host wrote no second batch: there was nothing that could overlap.',
    ])
  })
})

describe('buffers', () => {
  it('are three at most', () => {
    expect(found('buffers')).toEqual(['yes', 'Your program wrote into at most 3 staging buffers.'])
    expect(found('buffers', { found: { stagingUsed: 4 } })).toEqual([
      'no',
      'Your program wrote into 4 staging buffers; 3 are allowed.',
    ])
  })

  it('count what writeBuffer() stages', () => {
    expect(found('buffers', { batch: writing, found: { stagingUsed: 0 } })).toEqual([
      'no',
      '6 calls of writeBuffer() uploaded 6 batches: the browser stages each of them anew, in memory of its own. With 0 buffers of yours that is more than 3.',
    ])
    const parameter = (each: Batch) => {
      ring(each)
      each.trace.carry(each.repeat, 'write', each.atMs, each.atMs, 4)
    }
    expect(found('buffers', { batch: parameter })[0]).toBe('yes')
  })
})
