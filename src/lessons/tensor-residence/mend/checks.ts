/** All words of all tensors right, each tensor used once, and next to nothing sent. */
import { grouped } from '../../../base/figures'
import { gatherPosition } from '../../../kernels/data/gather'
import { randomWord } from '../../../kernels/pcg'
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { hostSpansOf } from '../../../mend/trace-of-run'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { SHOWN_WORDS, TENSORS } from './tensors'

const NAME = 'tensors'
/** Seeds, sizes, parameters. */
const MOST_BYTES = 1024

const listOf = ({ found }: ProgramRun, name: string): readonly number[] => {
  const list = found[name]
  return list === undefined || typeof list === 'number' ? [] : Array.from(list)
}

/** What is wrong with the tensors of a run, in words; null where nothing is. */
function wrongIn(run: ProgramRun): string | null {
  const { facts, found } = run
  const words = Number(facts['words'])
  const seeds: readonly unknown[] = Array.isArray(facts['seeds']) ? facts['seeds'] : []
  const last = Number(found['wrong'])
  const kept = listOf(run, 'kept')
  for (let index = 0; index < TENSORS * SHOWN_WORDS; index += 1) {
    const [step, i] = [Math.floor(index / SHOWN_WORDS), index % SHOWN_WORDS]
    const at = gatherPosition(i, Number(facts['seedKept']) + step, words)
    const expected = randomWord(at, Number(seeds[step]))
    // The last tensor is looked at in full.
    if (kept[index] !== expected && !(step === TENSORS - 1 && last > 0))
      return `When tensor ${String(step)} was used, its word ${grouped(at)} was ${String(kept[index])}; it is ${String(expected)}.`
  }
  if (last === 0) return null
  const at = Number(found['firstWrong'])
  return `${grouped(last)} of the ${grouped(words)} words of the last tensor are wrong. The first is word ${grouped(at)}: the GPU has ${String(Number(found['got']))}; it is ${String(randomWord(at, Number(seeds.at(-1))))}.`
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours)
  const wrong = runs.map(wrongIn).find((each) => each !== null)
  return wrong == null
    ? check('output', 'yes', `All words are right, in ${String(runs.length)} runs with fresh seeds.`)
    : check('output', 'no', wrong)
}

function work(yours: ProgramReport): Check {
  const asked = Array.from({ length: TENSORS }, (_, step) => step).join()
  const wrong = gradedRuns(yours).find((run) => listOf(run, 'used').join() !== asked)
  if (!wrong) return check('work', 'yes', `Each of the ${String(TENSORS)} tensors was used once, in order.`)
  const used = listOf(wrong, 'used')
  return check(
    'work',
    'no',
    used.length === 0
      ? 'Your program encoded none of the passes that use the tensors.'
      : `Your program encoded the passes of the steps ${used.join(', ')}; each of the ${String(TENSORS)} is asked for once, in order.`,
  )
}

function bytes(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('bytes', 'cannot-tell', 'Nothing was recorded.')
  const sent = gradedRuns(yours).map((run) =>
    hostSpansOf(trace, run, ['fill', 'write']).reduce((sum, span) => sum + span.bytes, 0),
  )
  const most = Math.max(0, ...sent)
  const words = `Your program sent ${grouped(most)} bytes to the GPU in a run`
  return most <= MOST_BYTES
    ? check('bytes', 'yes', `${words}.`)
    : check('bytes', 'no', `${words}; at most ${grouped(MOST_BYTES)} are allowed.`)
}

export const rules: MendRules = {
  experiment: 'tensor-residence',
  language: 'javascript',
  figure: {
    words: 'for four tensors, until the host knew that all were used',
    unit: 'ms',
    run: NAME,
    of: (report) => runTimesOf(report, NAME)?.medianMs ?? null,
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), bytes(yours), timeCheck(evidence, NAME)]
  },
}
