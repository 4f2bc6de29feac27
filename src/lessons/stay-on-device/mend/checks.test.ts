/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport } from '../../../exercises/types'
import { rules, expectedNetwork, LAYERS, LOGGED, ROWS } from './checks'

const NAME = 'network'
const N = 64
const FACTS = { n: N, seedX: 5, seedW: 6 } as const
const BYTES = 4 * ROWS * N
const { entries, means } = expectedNetwork(N, FACTS.seedX, FACTS.seedW)
const MEAN = Math.fround(means[LOGGED]?.value ?? Number.NaN)
const RESULT = Array.from({ length: ROWS * N }, () => 0)
for (const { index, value } of entries) RESULT[index] = Math.fround(value)
const [LOOKED_AT] = entries

/** What a program did in a run that begins at `atMs`: layers a millisecond apart, the last submitted at 8 ms. */
type Did = (trace: HandMadeTrace, repeat: number, atMs: number) => void
const atTheEnd: Did = (trace, repeat, atMs) => {
  const submission = trace.submit(repeat, atMs + 9, atMs + 12)
  trace.wait(repeat, 'wait-map', atMs + 9.1, atMs + 12, submission)
  trace.carry(repeat, 'read', atMs + 12, atMs + 13, BYTES + 4)
}

interface Made {
  readonly did?: Did
  readonly output?: unknown
  readonly layers?: number
  readonly report?: Partial<ProgramReport>
}
function found(
  id: string,
  { did = atTheEnd, output = { result: RESULT, mean: MEAN }, layers = LAYERS, report }: Made = {},
) {
  const trace = new HandMadeTrace(NAME)
  const runs = [0, 1].map((repeat) => {
    const atMs = repeat * 1000
    const encodedNs = Array.from({ length: layers }, (_, layer) => (atMs + layer + 0.5) * 1e6)
    for (let layer = 0; layer < layers; layer += 1) trace.submit(repeat, atMs + layer + 1, atMs + layer + 2)
    did(trace, repeat, atMs)
    return programRun({ name: NAME, repeat, facts: FACTS, output, found: { encodedNs } })
  })
  return said(rules, id, evidenceBeside(programReport(runs, { trace: trace.trace, ...report }), NAME))
}

describe('output', () => {
  it('is right with the result and the mean', () => {
    expect(found('output')).toEqual([
      'yes',
      'The result and the mean are right, in 2 runs with fresh numbers.',
    ])
  })

  it.each([null, 7, [], { result: RESULT }, { mean: MEAN }])('is not %j', (output) => {
    expect(found('output', { output })).toEqual(['no', 'Your program must return `{ result, mean }`.'])
  })

  it.each([
    ['too short', RESULT.slice(1), `your program returned ${String(ROWS * N - 1)}.`],
    ['no list', 'all of it', 'your program returned 0.'],
  ])('is not a result that is %s', (_, result, text) => {
    const [outcome, words] = found('output', { output: { result, mean: MEAN } })
    expect(outcome).toBe('no')
    expect(words).toContain(text)
  })

  it.each([1, Number.NaN, '1'])('is wrong where an entry is %j', (wrong) => {
    const result: unknown[] = [...RESULT]
    result[LOOKED_AT?.index ?? 0] = typeof wrong === 'number' ? (LOOKED_AT?.value ?? 0) + wrong : wrong
    const [outcome, text] = found('output', { output: { result, mean: MEAN } })
    expect(outcome).toBe('no')
    expect(text).toMatch(
      /^Entry \(\d+, \d+\) of the result is \S+ \(± \S+\); your program returned (\S+|no number)\.$/,
    )
  })

  it.each([null, Number.NaN, MEAN * 1.01, means[LOGGED + 1]?.value])(
    'is wrong where the mean is %d',
    (mean) => {
      const [outcome, text] = found('output', { output: { result: RESULT, mean } })
      expect(outcome).toBe('no')
      expect(text).toMatch(/^The mean after layer 5 is \S+ \(± \S+\); your program returned/)
    },
  )
})

describe('stays', () => {
  it('brings back one result, and a few numbers', () => {
    expect(found('stays')).toEqual(['yes', 'No result went up again, and only what is asked for came back.'])
  })

  it.each(['fill', 'write'] as const)('sends nothing up by a %s but parameters', (role) => {
    const sending =
      (bytes: number): Did =>
      (trace, repeat, atMs) => {
        atTheEnd(trace, repeat, atMs)
        trace.carry(repeat, role, atMs + 14, atMs + 15, bytes)
      }
    expect(found('stays', { did: sending(16) })[0]).toBe('yes')
    expect(found('stays', { did: sending(BYTES) })).toEqual([
      'no',
      'Your program sent 8.00 KiB up to the GPU, which has all that it needs; a result has 8.00 KiB.',
    ])
  })

  it('does not bring back a second result, and cannot be determined where nothing was recorded', () => {
    const twice: Did = (trace, repeat, atMs) => {
      atTheEnd(trace, repeat, atMs)
      trace.carry(repeat, 'read', atMs + 14, atMs + 15, BYTES)
    }
    expect(found('stays', { did: twice })).toEqual([
      'no',
      'Your program brought 16.0 KiB back to the host; a result has 8.00 KiB, and a mean 4 bytes.',
    ])
    for (const id of ['stays', 'end'])
      expect(found(id, { report: { trace: null } })).toEqual(['cannot-tell', 'Nothing was recorded.'])
  })
})

describe('end', () => {
  it('waits and reads when all layers are submitted', () => {
    expect(found('end')[0]).toBe('yes')
  })

  it.each(['wait-map', 'wait-done', 'wait-staging'] as const)('is not after a %s between layers', (role) => {
    const early: Did = (trace, repeat, atMs) => {
      atTheEnd(trace, repeat, atMs)
      trace.wait(repeat, role, atMs + 3.1, atMs + 3.9, 0)
    }
    expect(found('end', { did: early })).toEqual([
      'no',
      'Your program waited once before its last layer was submitted: meanwhile the GPU ran out of work.',
    ])
  })

  it('is not after a read between layers that nobody awaited', () => {
    const polling: Did = (trace, repeat, atMs) => {
      atTheEnd(trace, repeat, atMs)
      for (const step of [2, 4]) trace.carry(repeat, 'read', atMs + step, atMs + step, 4)
    }
    expect(found('end', { did: polling })).toEqual([
      'no',
      'Your program read values 2 times before its last layer was submitted.',
    ])
  })

  it('cannot be where no layer was submitted', () => {
    expect(found('end', { layers: 0 })[0]).toBe('no')
  })
})
