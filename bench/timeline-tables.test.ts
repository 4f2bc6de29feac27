import { describe, expect, it } from 'vitest'
import { judge, type Visit } from './timeline-results'
import { resultsText, type Machine } from './timeline-tables'

const MACHINE: Machine = {
  processor: 'a processor',
  cores: 2,
  memoryGb: 8,
  system: 'an OS',
  browser: 'Chromium 1',
  node: 'v1',
  loadBefore: 0.5,
  lab: '1.0.0',
  speedscope: '1.25.0',
}
const NONE = { load: null, moves: null, failure: null, gaveUpAfterMs: null }
const moves = (p50Ms: number) => ({
  p50Ms,
  p95Ms: p50Ms * 2,
  maxMs: p50Ms * 3,
  events: 240,
  tasksMs: p50Ms,
  cpuMs: p50Ms,
  longestTaskMs: 0,
  lateMs: 1,
  ownMs: null,
})

describe('resultsText', () => {
  it('has machine, a line a row, what the timeline costs over the control, and every aim', () => {
    const visits: readonly Visit[] = [
      { program: 'timeline off', format: null, spans: 0, round: 0, fileBytes: 0, ...NONE, moves: moves(0.5) },
      { program: 'the lab', format: 'own', spans: 1e5, round: 0, fileBytes: 6e6, ...NONE, moves: moves(3) },
      {
        program: 'speedscope',
        format: 'Trace Event',
        spans: 1e5,
        round: 0,
        fileBytes: 3e7,
        ...NONE,
        failure: 'did not finish within 240 s',
      },
    ]
    const aims = judge(visits)
    const text = resultsText(visits, aims, MACHINE)
    expect(text).toContain('a processor, 2 cores')
    expect(text).toMatch(/^1e5 +speedscope +Trace Event .*did not finish within 240 s$/m)
    expect(text).toContain('costs a frame 2.5 ms (p50 with it less p50 without) at 1e5 spans')
    expect(text).not.toContain('busy with other things:')
    expect(resultsText(visits, aims, { ...MACHINE, loadBefore: 1.5 })).toContain('busy with other things:')
    for (const { what } of aims) expect(text).toContain(what)
  })
})
