/**
 * The run that was on the page before the one that is: so that a lesson can offer to compare the two. In memory, until the page is
 * closed; of one experiment only, since runs of different ones answer different questions.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { isUnderWay, type LoadedRun, type RunState } from './run-store'

interface RunHistoryState {
  readonly before: LoadedRun | null
}

export type RunHistory = ReturnType<typeof createRunHistory>

/** Null where there is nothing to compare: no run, one that was not recorded, or one that did not end well. */
export const endedRun = ({ phase, placed, report }: RunState): LoadedRun | null =>
  phase === 'done' && placed && placed.trace.spans.length > 0 ? { trace: placed.trace, report } : null

export function createRunHistory(runs: Pick<StoreApi<RunState>, 'subscribe' | 'getState'>) {
  const store = createStore<RunHistoryState>(() => ({ before: null }))
  /** The last that ended well: it becomes 'before' when the next one does. */
  let latest = endedRun(runs.getState())
  runs.subscribe((state) => {
    if (isUnderWay(state.phase)) return
    const ended = endedRun(state)
    if (!ended || ended.trace === latest?.trace) return
    const isSame = latest?.trace.info.experiment === ended.trace.info.experiment
    store.setState({ before: isSame ? latest : null })
    latest = ended
  })
  return { store }
}
