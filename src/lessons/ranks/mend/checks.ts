/** An exchange that goes on, with each block over the wire once in each round. */
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { blocksOf, RANKS, ROUNDS, WORDS } from './exchange'

const RUN = 'exchange'

const listOf = ({ found }: ProgramRun, name: string): readonly number[] =>
  Array.from((found[name] ?? []) as ArrayLike<number>) // as prepare.ts wrote it

function goesOn(yours: ProgramReport): Check {
  for (const run of gradedRuns(yours, RUN)) {
    const waits = listOf(run, 'waits')
    if (waits.length === 0) continue
    const calls = Array.from({ length: waits.length / 3 }, (_, at) => {
      const [from = 0, isSend = 0, to = 0] = waits.slice(3 * at)
      return `rank ${String(from)} waited in ${isSend === 1 ? 'send() to' : 'recv() from'} rank ${String(to)}`
    })
    return check('goes-on', 'no', `The ranks hang: ${calls.join(', and ')}.`)
  }
  return check('goes-on', 'yes', 'Both ranks ended in every run.')
}

const firstWrong = (got: readonly number[], expected: readonly number[]): number =>
  expected.findIndex((value, index) => !(got[index] === value))

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours, RUN)
  for (const run of runs) {
    const results = blocksOf(Number(run.facts['seed'])).at(-1) ?? []
    const [got, expected] = [listOf(run, 'got'), results.flatMap((block) => [...block])]
    const wrong = firstWrong(got, expected)
    if (wrong >= 0)
      return check(
        'output',
        'no',
        `Number ${String(wrong % WORDS)} of rank ${String(Math.floor(wrong / WORDS))} is ${String(got[wrong])}; it should be ${String(expected[wrong])}.`,
      )
  }
  return check(
    'output',
    'yes',
    `Both ranks returned the right block, in ${String(runs.length)} runs with fresh numbers.`,
  )
}

function messages(yours: ProgramReport): Check {
  for (const run of gradedRuns(yours, RUN)) {
    const rounds = blocksOf(Number(run.facts['seed'])).slice(0, ROUNDS)
    for (const rank of RANKS) {
      const sent = listOf(run, `sent${String(rank)}`)
      const expected = rounds.flatMap((blocks) => [...(blocks[rank] ?? [])])
      const who = `Rank ${String(rank)}`
      if (sent.length !== expected.length || listOf(run, 'received')[rank] !== ROUNDS)
        return check(
          'messages',
          'no',
          `${who} sent ${(sent.length / WORDS).toFixed(0)} blocks and received ${String(listOf(run, 'received')[rank])}; it should be ${String(ROUNDS)} each.`,
        )
      const wrong = firstWrong(sent, expected)
      if (wrong >= 0)
        return check(
          'messages',
          'no',
          `${who} sent another block than its own in round ${String(Math.floor(wrong / WORDS))}.`,
        )
    }
  }
  return check(
    'messages',
    'yes',
    'Each rank sent its block and received the other one’s, once in each round.',
  )
}

export const rules: MendRules = {
  experiment: 'ranks',
  language: 'javascript',
  figure: {
    words: 'until both ranks had ended, or were found to hang',
    unit: 'ms',
    run: RUN,
    of: (report) => runTimesOf(report, RUN)?.medianMs ?? null,
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [goesOn(yours), output(yours), messages(yours), timeCheck(evidence, RUN)]
  },
}
