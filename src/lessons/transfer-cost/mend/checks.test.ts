/** Checks which waits count, on both rungs. */
import { expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import { firstRung, PART_BYTES, rules } from './checks'

/**
 * Start and end of each span, ms. Three parts go up at 0, 0.25 and 0.5 ms, and are submitted at 2.
 */
type Waits = readonly (readonly [number, number])[]

function waitsOf(rung: typeof rules, waits: Waits) {
  const trace = new HandMadeTrace('uploads')
  for (const at of [0, 0.25, 0.5]) trace.carry(0, 'write', at, at + 0.1, PART_BYTES)
  const submission = trace.submit(0, 2, 5)
  for (const [from, to] of waits) trace.wait(0, 'wait-done', from, to, submission)
  // These waits count for another run.
  trace.wait(1, 'wait-done', 50, 53, submission)
  trace.carry(1, 'write', 50, 51, PART_BYTES)
  const run = programRun({ name: 'uploads', found: { parts: 3, arrived: [] } })
  return said(rung, 'waits', evidenceBeside(programReport([run], { trace: trace.trace }), 'uploads'))
}

it.each<readonly [string, Waits, string]>([
  ['one at the end', [[3, 5]], 'yes'],
  ['none', [], 'yes'],
  ['over each other, as of a Promise.all', [[1, 5], [1.1, 5.1], [1.2, 5.2]], 'yes'], // oxfmt-ignore
  ['promises in order, when all has been handed over', [[2.1, 3], [3.1, 5]], 'yes'], // oxfmt-ignore
  ['a reader, while parts go up', [[0.05, 2.05], [0.3, 2.3], [0.55, 2.55]], 'yes'], // oxfmt-ignore
  ['one after the other', [[1, 2], [2.5, 5]], 'no'], // oxfmt-ignore
])('%s', (_, waits, outcome) => expect(waitsOf(rules, waits)[0]).toBe(outcome))

it('rung 1 lets each part be awaited, but no piece of one', () => {
  const each = [[0.11, 0.2], [0.36, 0.45], [3, 5]] as const // oxfmt-ignore
  expect(waitsOf(firstRung, each)).toEqual(['yes', 'Your program waited at most once for each part.'])
  expect(waitsOf(firstRung, [])[0]).toBe('yes')
  expect(waitsOf(firstRung, [...each, [0.7, 1.9]])).toEqual([
    'no',
    'Your program waited 1.333 times for each part; at most 1 is allowed.',
  ])
})
