import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { placeTrace } from '../../trace/place'
import { newBuilder, testInfo } from '../../trace/testing/arbitrary-trace'
import { createRunHistory } from './run-history'
import { NO_RUN, type RunState } from './run-store'

function ended(startedAt: string, experiment = 'sync-stalls'): Partial<RunState> {
  const builder = newBuilder({ ...testInfo, startedAt, experiment })
  builder.addSpan({ lane: 0, kind: 'submit', start: 0, end: 1, name: 'submit' })
  return { phase: 'done', placed: placeTrace(builder.freeze()) }
}

describe('the run before', () => {
  const setup = () => {
    const runs = createStore<RunState>(() => NO_RUN)
    const history = createRunHistory(runs)
    return { runs, before: () => history.store.getState().before?.trace.info.startedAt ?? null }
  }

  it('is the one that ended well before this one did', () => {
    const { runs, before } = setup()
    runs.setState(ended('1'))
    expect(before()).toBeNull()
    runs.setState({ ...NO_RUN, phase: 'starting' })
    runs.setState({ phase: 'cancelled' })
    runs.setState({ ...NO_RUN, phase: 'running' })
    expect(before()).toBeNull()
    runs.setState(ended('2'))
    expect(before()).toBe('1')
    runs.setState({ nowNs: 1 })
    expect(before()).toBe('1')
  })

  it('is not of another experiment', () => {
    const { runs, before } = setup()
    runs.setState(ended('1'))
    runs.setState(ended('2', 'worth-it'))
    expect(before()).toBeNull()
  })
})
