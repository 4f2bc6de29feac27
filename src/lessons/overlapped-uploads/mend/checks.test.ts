/**
 * Checks whether the host writes a batch while the GPU has the one before it, and into how many
 * buffers.
 */
import { describe, expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import { rules } from './checks'

const STEPS = 6
const BATCH_BYTES = 512
const NAME = 'uploads'

/** A batch takes ten ms. It holds what the program did between the fills of a run. */
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
function found(id: string, batch: (batch: Batch) => void = ring) {
  const trace = new HandMadeTrace(NAME)
  const runs = [0, 1].map((repeat) => {
    const submissions: number[] = []
    const encodedNs: number[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const atMs = repeat * 1000 + step * 10
      batch({ step, repeat, atMs, trace, submissions })
      encodedNs.push((atMs + 5) * 1e6)
    }
    const work = { batchBytes: BATCH_BYTES, steps: STEPS, times: 2, dispatches: 2 * STEPS }
    return programRun({ name: NAME, repeat, found: { ...work, encodedNs, arrived: [], entries: [] } })
  })
  return said(rules, id, evidenceBeside(programReport(runs, { trace: trace.trace }), NAME))
}

it('work: neither twice as much nor less is uploaded', () => {
  const also = (role: 'fill' | 'write') => (each: Batch) => {
    ring(each)
    each.trace.carry(each.repeat, role, each.atMs + 7, each.atMs + 8, BATCH_BYTES)
  }
  expect(found('work')).toEqual([
    'yes',
    'Your program encoded 12 matmuls, as asked. Each run wrote 3 KiB for the GPU, as asked.',
  ])
  for (const role of ['fill', 'write'] as const)
    expect(found('work', also(role))[1]).toBe('Your program wrote 6 KiB for the GPU; 3 KiB are asked for.')
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
    expect(found('overlap', rarely)).toEqual([
      'yes',
      '6 of 10 times the host began to write a batch while the GPU still had the one before it.',
    ])
  })

  it('needs a second batch, and looks past small writes', () => {
    const once = (each: Batch) => {
      if (each.step === 0) ring(each)
      else each.trace.carry(each.repeat, 'write', each.atMs, each.atMs, 4)
    }
    expect(found('overlap', once)).toEqual([
      'no',
      'The host wrote no second batch: there was nothing that could overlap.',
    ])
  })
})

describe('buffers', () => {
  const also = (role: 'create' | 'write', bytes: number) => (each: Batch) => {
    ring(each)
    each.trace.carry(each.repeat, role, each.atMs, each.atMs, bytes)
  }
  it('are those that were given, and parameters beside them', () => {
    expect(found('buffers')).toEqual(['yes', 'Your program used the staging buffers that it was given.'])
    expect(found('buffers', also('write', 4))[0]).toBe('yes')
  })
  it.each(['create', 'write'] as const)('are too many with a %s for each batch', (role) => {
    expect(found('buffers', also(role, BATCH_BYTES))).toEqual([
      'no',
      'Your program made staging buffers for 6 batches more; at most 3 are allowed.',
    ])
  })
})
