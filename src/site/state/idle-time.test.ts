import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findGaps } from '../../analysis/gaps'
import { experiments } from '../../experiments/catalog'
import { decodeRun } from '../../trace/codec'
import { placeTrace } from '../../trace/place'
import {
  answerTo,
  firstQuestion,
  gapsOf,
  remediesOf,
  idleTotals,
  trialOf,
  valuesWithBoth,
  whyNoTotals,
} from './idle-time'
import { NO_RUN, type RunState } from './run-store'
import { whatIf } from '../../analysis/testing/what-if'

async function recorded(id: string): Promise<RunState> {
  const decoded = await decodeRun(await readFile(`public/recordings/${id}.hdl.gz`))
  if (!decoded.ok) throw new Error(decoded.error.message)
  const { trace, report } = decoded.value
  const placed = placeTrace(trace)
  return { ...NO_RUN, phase: 'done', placed, gaps: findGaps(placed), report, params: trace.info.params }
}

describe('idle time of the run on the page', () => {
  it.each([
    ['sync-stalls', ['every-step'], 'host-waited', 'never'],
    ['async-submission', ['await-each'], 'host-waited', 'queued'],
    // One staging buffer is as good as none: which of the two is idle longer differs from run to run.
    ['overlapped-uploads', ['serial', 'ring-1'], 'upload-not-ready', 'ring-2'],
  ] as const)('%s: asks first about %s, and finds the answer measured', async (id, variants, cause, by) => {
    const run = await recorded(id)
    const { placed, gaps, report } = run
    if (!placed) throw new Error('a recording is placed')
    const meta = experiments.find((experiment) => experiment.id === id)
    const totals = idleTotals(placed.trace, gaps)
    expect(whyNoTotals(run, totals)).toBeNull()
    const question = firstQuestion(meta, totals)
    const variant = question?.variant ?? ''
    expect(variants).toContain(variant)
    expect(question).toEqual({ variant, cause })
    const answer = whatIf(placed, gaps, variant, cause)
    if (answer.state !== 'predicted') throw new Error(answer.why)
    const remedies = remediesOf(meta, { variant, cause })
    const trial = trialOf(placed, report, remedies, answer.prediction)
    expect(trial).toMatchObject({ remedy: { by }, tested: { outcome: 'as-predicted' } })
    if (!report) throw new Error('recordings have reports')
    const invalid = { ...report, validity: { valid: false, reasons: ['The tab was hidden.'] } }
    expect(trialOf(placed, invalid, remedies, answer.prediction)?.tested.outcome).toBe('not-decided')
    expect(trialOf(placed, report, [], answer.prediction)).toBeNull()
    const own = gapsOf(placed, gaps, { variant, cause })
    const total = totals.find((each) => each.variant === variant)?.causes.find((each) => each.cause === cause)
    expect(own).toHaveLength(total?.count ?? -1)
    expect(own.map((gap) => gaps[gap]?.startNs ?? Number.NaN)).toEqual(
      own.map((gap) => gaps[gap]?.startNs ?? Number.NaN).sort((a, b) => a - b),
    )
  })

  it('works an answer out in turns, the same as at once, and stops when nobody asks any more', async () => {
    const { placed, gaps } = await recorded('sync-stalls')
    if (!placed) throw new Error('a recording is placed')
    const question = { variant: 'every-step', cause: 'host-waited' } as const
    let turns = 0
    const next = () => {
      turns += 1
      return Promise.resolve()
    }
    const open = new AbortController()
    const answer = await answerTo(question, placed, gaps, open.signal, { yieldIfDue: next })
    expect(answer).toEqual(whatIf(placed, gaps, question.variant, question.cause))
    // A turn at least for each repeat, before which it can stop.
    const repeats = idleTotals(placed.trace, gaps).find(({ variant }) => variant === 'every-step')?.repeats
    expect(turns).toBeGreaterThanOrEqual(repeats ?? Infinity)

    const stop = new AbortController()
    turns = 0
    const stopped = answerTo(question, placed, gaps, stop.signal, {
      yieldIfDue: () => {
        if (turns === 2) stop.abort()
        return next()
      },
    })
    expect(await stopped).toBeNull()
    expect(turns).toBe(3)
  })

  it('says why there is nothing to explain', async () => {
    expect(whyNoTotals({ ...NO_RUN, phase: 'running' }, [])).toContain('yet')
    expect(whyNoTotals({ ...NO_RUN, phase: 'done' }, [])).toContain('Nothing was recorded')
    const run = await recorded('sync-stalls')
    const trace = run.placed?.trace
    if (!trace) throw new Error('a recording is placed')
    const blind = { ...trace, lanes: trace.lanes.filter(({ kind }) => kind !== 'device') }
    expect(whyNoTotals({ ...run, placed: { ...placeTrace(trace), trace: blind } }, [])).toContain(
      'timestamp-query',
    )
    expect(whyNoTotals(run, [])).toContain('repeat')
    expect(firstQuestion(undefined, [])).toBeNull()
  })

  it('asks for both variants, and for repeats enough for a verdict', () => {
    const [remedy] = remediesOf(
      experiments.find(({ id }) => id === 'sync-stalls'),
      {
        variant: 'every-step',
        cause: 'host-waited',
      },
    )
    if (!remedy) throw new Error('sync-stalls has remedies')
    expect(valuesWithBoth({ kernelMs: 2, every: ['every-step'], repeats: 2 }, remedy)).toEqual({
      kernelMs: 2,
      every: ['never', 'every-step'],
      repeats: 5,
    })
    expect(valuesWithBoth({ repeats: 9 }, remedy)).toMatchObject({ repeats: 9 })
  })
})
