/** All batches there when they are used, written once, through at most three staging buffers. */
import { sizeIn } from '../../../base/figures'
import { GATHER_WORDS, gatherPosition, gatherSeed } from '../../../kernels/data/gather'
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { hostSpansOf } from '../../../mend/trace-of-run'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import type { SpanRole, Trace } from '../../../trace/schema'
import { bitsAt } from './batches'

const RUN = 'uploads'
/** A tenth more than was asked for is no second time, and no larger buffer. */
const MOST_WORK = 1.1
const MOST_STAGING = 3

const factsOf = ({ facts }: ProgramRun) => ({
  seed: Number(facts['seed']),
  batchBytes: Number(facts['batchBytes']),
  steps: Number(facts['steps']),
})
const mib = (bytes: number): string => sizeIn('MiB', bytes)
const bytesOf = (trace: Trace, run: ProgramRun, roles: readonly SpanRole[]): number =>
  hostSpansOf(trace, run, roles).reduce((all, { bytes }) => all + bytes, 0)

/** The first batch of which not every word that was kept is its own, in words; null where there is none. */
function missingBatch(run: ProgramRun): string | null {
  const { kept } = run.found
  const { seed, batchBytes, steps } = factsOf(run)
  if (typeof kept === 'number' || kept?.length !== steps * GATHER_WORDS)
    return 'What arrived could not be read.'
  for (let batch = 0; batch < steps; batch += 1) {
    let wrong = 0
    for (let index = 0; index < GATHER_WORDS; index += 1) {
      const position = gatherPosition(index, gatherSeed(batch), batchBytes / 4)
      if (kept[batch * GATHER_WORDS + index] !== bitsAt(batch, position, seed)) wrong += 1
    }
    if (wrong > 0)
      return `Batch ${String(batch)} was not there when it was used: ${String(wrong)} of the ${String(GATHER_WORDS)} words that were kept are not its own.`
  }
  return null
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours, RUN)
  const wrong = runs.map(missingBatch).find((each) => each !== null)
  if (wrong != null) return check('output', 'no', wrong)
  const steps = runs[0] ? factsOf(runs[0]).steps : 0
  return check(
    'output',
    'yes',
    `All ${String(steps)} batches arrived, in ${String(runs.length)} runs with fresh numbers.`,
  )
}

function work({ trace, ...yours }: ProgramReport): Check {
  if (!trace) return check('work', 'cannot-tell', 'Nothing was recorded.')
  let written = 0
  for (const run of gradedRuns({ trace, ...yours }, RUN)) {
    const { batchBytes, steps } = factsOf(run)
    const asked = batchBytes * steps
    written = bytesOf(trace, run, ['fill', 'write'])
    if (written < asked || written > MOST_WORK * asked)
      return check(
        'work',
        'no',
        `Your program wrote ${mib(written)} for the GPU; the batches are ${mib(asked)}.`,
      )
  }
  return check('work', 'yes', `Each run wrote ${mib(written)} for the GPU, as asked.`)
}

/** Of the warm-up too: buffers that were made there for later are no fewer. */
function buffers({ trace, runs }: ProgramReport): Check {
  if (!trace) return check('buffers', 'cannot-tell', 'Nothing was recorded.')
  let most = 0
  for (const run of runs) {
    const { batchBytes } = factsOf(run)
    const [own, bytes] = [Number(run.found['stagingUsed']), Number(run.found['stagingBytes'])]
    // The browser stages each of them anew. What is far below a batch are parameters.
    const written = Math.ceil(bytesOf(trace, run, ['write']) / batchBytes - (MOST_WORK - 1))
    if (own + written > MOST_STAGING)
      return check(
        'buffers',
        'no',
        `Your program wrote into ${String(own)} staging buffers in a run${written > 0 ? `, and writeBuffer() sent ${String(written)} batches` : ''}; ${String(MOST_STAGING)} are allowed.`,
      )
    if (bytes > MOST_WORK * MOST_STAGING * batchBytes)
      return check(
        'buffers',
        'no',
        `Your staging buffers have ${mib(bytes)} together; ${String(MOST_STAGING)} of a batch each have ${mib(MOST_STAGING * batchBytes)}.`,
      )
    most = Math.max(most, own + written)
  }
  return check(
    'buffers',
    'yes',
    `Your program wrote into ${String(most)} of at most ${String(MOST_STAGING)} staging buffers.`,
  )
}

export const rules: MendRules = {
  experiment: 'staging-buffers',
  language: 'javascript',
  figure: {
    words: 'for each batch',
    unit: 'ms',
    run: RUN,
    of: (report) => {
      const [took, run] = [runTimesOf(report, RUN), gradedRuns(report, RUN)[0]]
      return took && run ? took.medianMs / factsOf(run).steps : null
    },
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), buffers(yours), timeCheck(evidence, RUN)]
  },
}
