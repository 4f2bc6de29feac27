/** A reduce-scatter that goes on, is right, and has no rank carry more than its share, each block as the sum of where it has been. */
import { check, gradedRuns } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { BLOCK, RANKS, resultsOf, sentOf, SIZE, WORDS } from './shards'

const RUN = 'reduce-scatter'
const MOST = WORDS - BLOCK

const listOf = ({ found }: ProgramRun, name: string): readonly number[] =>
  Array.from((found[name] ?? []) as ArrayLike<number>) // as prepare.ts wrote it
const runsOf = (yours: ProgramReport) => gradedRuns(yours, RUN)

function goesOn(yours: ProgramReport): Check {
  for (const run of runsOf(yours)) {
    const waits = listOf(run, 'waits')
    if (waits.length === 0) continue
    const calls = Array.from({ length: waits.length / 3 }, (_, at) => {
      const [from = 0, isSend = 0, to = 0] = waits.slice(3 * at)
      return `rank ${String(from)} waited in ${isSend === 1 ? 'send() to' : 'recv() from'} rank ${String(to)}`
    })
    return check('goes-on', 'no', `The ranks hang: ${calls.join(', and ')}.`)
  }
  return check('goes-on', 'yes', 'All ranks ended in every run.')
}

const firstWrong = (got: readonly number[], expected: readonly number[]): number =>
  expected.findIndex((value, index) => !(got[index] === value))

function output(yours: ProgramReport): Check {
  const runs = runsOf(yours)
  for (const run of runs) {
    const [got, expected] = [listOf(run, 'got'), resultsOf(Number(run.facts['seed'])).flat()]
    const wrong = firstWrong(got, expected)
    if (wrong >= 0)
      return check(
        'output',
        'no',
        `Number ${String(wrong % BLOCK)} of the block that rank ${String(Math.floor(wrong / BLOCK))} returned is ${String(got[wrong])}; the sum is ${String(expected[wrong])}.`,
      )
  }
  return check(
    'output',
    'yes',
    `Each rank returned the sums of its block, in ${String(runs.length)} runs with fresh numbers.`,
  )
}

/** The largest share of the buffer that a rank sent or received in a run. */
const busiest = (run: ProgramRun): number =>
  Math.max(0, ...listOf(run, 'sent'), ...listOf(run, 'received')) / WORDS

function bytes(yours: ProgramReport): Check {
  for (const run of runsOf(yours))
    for (const [name, did] of [
      ['sent', 'sent'],
      ['received', 'received'],
    ] as const)
      for (const [rank, count] of listOf(run, name).entries())
        if (count > MOST)
          return check(
            'bytes',
            'no',
            `Rank ${String(rank)} ${did} ${String(count)} numbers; three quarters of its ${String(WORDS)} are ${String(MOST)}.`,
          )
  return check(
    'bytes',
    'yes',
    `No rank sent or received more than ${String(MOST)} of the ${String(WORDS)} numbers of a buffer.`,
  )
}

function messages(yours: ProgramReport): Check {
  for (const run of runsOf(yours)) {
    const elsewhere = listOf(run, 'elsewhere').findIndex((count) => count > 0)
    if (elsewhere >= 0)
      return check('messages', 'no', `Rank ${String(elsewhere)} sent to another rank than the next one.`)
    const expected = sentOf(Number(run.facts['seed']))
    for (const rank of RANKS) {
      const [sent, wanted] = [listOf(run, `sent${String(rank)}`), expected[rank] ?? []]
      const wrong = firstWrong(sent, wanted)
      if (sent.length !== wanted.length)
        return check(
          'messages',
          'no',
          `Rank ${String(rank)} sent ${String(sent.length)} numbers to the next rank; ${String(SIZE - 1)} blocks are ${String(wanted.length)}.`,
        )
      if (wrong >= 0)
        return check(
          'messages',
          'no',
          `Block ${String(Math.floor(wrong / BLOCK) + 1)} that rank ${String(rank)} sent is not the sum over the ranks that it has come from.`,
        )
    }
  }
  return check(
    'messages',
    'yes',
    'Each rank sent three blocks to the next one, each the sum over the ranks that it had come from.',
  )
}

export const rules: MendRules = {
  experiment: 'collectives',
  language: 'javascript',
  figure: {
    words: 'of a buffer, sent or received by the busiest rank',
    unit: 'ratio',
    run: RUN,
    of: (report) => {
      const shares = runsOf(report).map(busiest)
      return shares.length > 0 ? Math.max(...shares) : null
    },
  },
  checks: ({ yours }) => [goesOn(yours), output(yours), bytes(yours), messages(yours)],
}
