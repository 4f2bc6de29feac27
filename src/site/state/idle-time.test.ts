import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findGaps } from '../../analysis/gaps'
import { experiments } from '../../experiments/testing/catalog'
import { decodeRun } from '../../trace/codec'
import { placeTrace } from '../../trace/place'
import { idleTotals } from '../../analysis/idle-totals'
import { changedGain, changesOf, valuesWithBoth, whyNoTotals } from './idle-time'
import { NO_RUN, type RunState } from './run-store'

async function recorded(id: string): Promise<RunState> {
  const decoded = await decodeRun(await readFile(`public/recordings/${id}.hdl.gz`))
  if (!decoded.ok) throw new Error(decoded.error.message)
  const { trace, report } = decoded.value
  const placed = placeTrace(trace)
  return { ...NO_RUN, phase: 'done', placed, gaps: findGaps(placed), report, params: trace.info.params }
}

describe('idle time of the run on the page', () => {
  it('a changed program is held against the replay of the one before', async () => {
    const run = await recorded('sync-stalls')
    const meta = experiments.find(({ id }) => id === 'sync-stalls')
    const changed = changedGain(meta, run, 'every-step', run, 'never')
    expect(changed).toMatchObject({ gain: { cause: 'host-waited' }, tested: { outcome: 'as-predicted' } })
    expect(changedGain(meta, run, 'every-step', run, 'every-step')?.tested.outcome).toBe('not-decided')
    expect(changedGain(meta, NO_RUN, 'every-step', run, 'never')).toBeNull()
  })

  it.each([
    ['sync-stalls', ['every-step'], 'host-waited', 'never'],
    ['async-submission', ['await-each'], 'host-waited', 'queued'],
    // One staging buffer is as good as none: which of the two is idle longer differs from run to
    // run.
    ['overlapped-uploads', ['serial', 'ring-1'], 'upload-not-ready', 'ring-2'],
  ] as const)('%s: predicts what %s gains, and finds it measured', async (id, variants, cause, by) => {
    const run = await recorded(id)
    const { placed, gaps, report } = run
    if (!placed || !report) throw new Error('a recording is placed, and has a report')
    const meta = experiments.find((experiment) => experiment.id === id)
    const totals = idleTotals(placed.trace, gaps)
    expect(whyNoTotals(run, totals)).toBeNull()
    const { signal } = new AbortController()
    const found = await changesOf(run, meta, totals, signal)
    expect(found?.problems).toEqual([])
    const [first] = found?.changes ?? []
    expect(variants).toContain(first?.variant)
    expect(first).toMatchObject({ cause, trial: { remedy: { by }, tested: { outcome: 'as-predicted' } } })
    const ratios = (found?.changes ?? []).map(
      ({ now, predicted }) => (now.value ?? 0) / (predicted.value ?? 1),
    )
    expect(ratios).toEqual(ratios.toSorted((a, b) => b - a))

    const invalid = { ...report, validity: { valid: false, reasons: ['The tab was hidden.'] } }
    const uncounted = await changesOf({ placed, report: invalid }, meta, totals, signal)
    expect(uncounted?.changes[0]?.trial?.tested.outcome).toBe('not-decided')
    expect((await changesOf(run, undefined, totals, signal))?.changes[0]?.trial).toBeNull()
  })

  it('works it out in turns, and stops when nobody asks any more', async () => {
    const run = await recorded('sync-stalls')
    const totals = run.placed ? idleTotals(run.placed.trace, run.gaps) : []
    const stop = new AbortController()
    let turns = 0
    const yieldIfDue = () => {
      turns += 1
      if (turns === 2) stop.abort()
      return Promise.resolve()
    }
    expect(await changesOf(run, undefined, totals, stop.signal, yieldIfDue)).toBeNull()
    expect(turns).toBe(2)
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
  })

  it('asks for both variants, and for repeats enough for a verdict', () => {
    const remedy = experiments.find(({ id }) => id === 'sync-stalls')?.remedies?.[0]
    if (!remedy) throw new Error('sync-stalls has remedies')
    expect(valuesWithBoth({ kernelMs: 2, every: ['every-step'], repeats: 2 }, remedy)).toEqual({
      kernelMs: 2,
      every: ['never', 'every-step'],
      repeats: 5,
    })
    expect(valuesWithBoth({ repeats: 9 }, remedy)).toMatchObject({ repeats: 9 })
  })
})
