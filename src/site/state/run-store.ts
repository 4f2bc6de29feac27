/**
 * The run that is on the page: idle, on its way from a recording, under way, ended, or from a file.
 * Chunks of the trace are assembled and placed as they come, published at most 20 times a second,
 * so that the picture lives while the measured thread is left alone. Invariant: what is shown
 * belongs to one run. A run that was replaced can no longer change anything.
 */
import { createStore } from 'zustand/vanilla'
import type { Gap } from '../../trace/gaps'
import { toFault, type Fault } from '../../base/fault'
import type { ParamValues } from '../../experiments/experiment'
import { Placer, placeTrace, type PlacedTrace } from '../../trace/place'
import { TraceAssembler } from '../../trace/builder'
import { findGaps } from '../../analysis/gaps'
import type { Report } from '../../trace/report'
import type { RunInfo, Trace } from '../../trace/schema'
import type { LabClient } from '../worker/client'
import type { Progress } from '../../experiments/run-types'
import type { RunOptions, RunResult } from '../worker/protocol'

export type RunPhase = 'idle' | 'loading' | 'starting' | 'running' | 'done' | 'failed' | 'cancelled'

export interface RunState {
  readonly phase: RunPhase
  /** Whose screen it belongs to: 'lessons/<id>', 'run/<id>', 'home'. A page shows only its own. */
  readonly owner: string
  readonly experiment: string | null
  readonly params: ParamValues
  readonly origin: RunInfo['origin']
  readonly progress: Progress | null
  readonly info: RunInfo | null
  readonly placed: PlacedTrace | null
  readonly gaps: readonly Gap[]
  /** Host time of the newest evidence, ns. */
  readonly nowNs: number
  readonly report: Report | null
  readonly fault: Fault | null
}

export const NO_RUN: RunState = {
  phase: 'idle',
  owner: '',
  experiment: null,
  params: {},
  origin: 'live',
  progress: null,
  info: null,
  placed: null,
  gaps: [],
  nowNs: 0,
  report: null,
  fault: null,
}

export const isUnderWay = (phase: RunPhase): boolean => phase === 'starting' || phase === 'running'

interface RunRequest {
  readonly owner: string
  readonly experiment: string
  readonly params: ParamValues
  readonly options?: Partial<RunOptions>
}

export interface LoadedRun {
  readonly trace: Trace
  readonly report: Report | null
}

/**
 * What was placed and looked through elsewhere (the import worker) is not worked out again here.
 */
export interface PlacedRun extends LoadedRun {
  readonly placed?: PlacedTrace
  readonly gaps?: readonly Gap[]
}

/** A run from a file as the page shows it. */
export function endedState(owner: string, picture: PlacedRun): RunState {
  const { trace, report, placed = placeTrace(trace), gaps = findGaps(placed) } = picture
  return {
    ...NO_RUN,
    phase: 'done',
    owner,
    experiment: trace.info.experiment,
    params: trace.info.params,
    origin: trace.info.origin,
    info: trace.info,
    placed,
    gaps,
    nowNs: placed.endOfAllNs,
    report,
  }
}

export type RunStore = ReturnType<typeof createRunStore>

/**
 * 20 Hz: faster than reading, slow enough that placing 10^4 spans costs a few percent of the page's
 * thread.
 */
const PUBLISH_EVERY_MS = 50
/**
 * The instrument's budget: at most this share of the page's thread goes into placing, naming gaps
 * and handing over what is drawn.
 */
const PUBLISH_SHARE = 0.1
/**
 * Longer runs are drawn on when they have ended, and placed elsewhere then: here that would hold
 * the page up for more than 100 ms. A lesson's run has 10^4.
 */
export const LONG_RUN_SPANS = 65_536

/** A long run placed off the page's thread, its picture adopted; null where that failed. */
export type PlaceLong = (
  trace: Trace,
) => Promise<{ readonly placed: PlacedTrace; readonly gaps: readonly Gap[] } | null>

export interface RunStoreOptions {
  /** Timer, for tests. */
  readonly after?: (run: () => void, ms: number) => unknown
  readonly placeLong?: PlaceLong
}

export function createRunStore(
  client: Pick<LabClient, 'run' | 'cancel'>,
  { after = setTimeout, placeLong = () => Promise.resolve(null) }: RunStoreOptions = {},
) {
  const store = createStore<RunState>(() => NO_RUN)
  let generation = 0
  let underWay: Promise<unknown> = Promise.resolve()

  const picture = (placed: PlacedTrace, gaps = findGaps(placed)) => ({
    placed,
    gaps,
    nowNs: placed.endOfAllNs,
  })

  /** Of an ended run; a long one is placed by another thread. */
  const pictureOfAll = async (trace: Trace, placer: Placer) => {
    const long = trace.spans.length > LONG_RUN_SPANS ? await placeLong(trace) : null
    return long ? picture(long.placed, long.gaps) : picture(placer.place(trace))
  }

  const run = async ({ owner, experiment, params, options }: RunRequest): Promise<RunResult> => {
    const mine = ++generation
    const isCurrent = () => mine === generation
    const set = (change: Partial<RunState>) => {
      if (isCurrent()) store.setState(change)
    }
    store.setState({ ...NO_RUN, phase: 'starting', owner, experiment, params })

    const placer = new Placer()
    const live: { assembler: TraceAssembler | null; publishing: boolean; lastCostMs: number } = {
      assembler: null,
      publishing: false,
      lastCostMs: 0,
    }
    const publish = () => {
      live.publishing = false
      const { phase, placed } = store.getState()
      const isLong = (placed?.trace.spans.length ?? 0) > LONG_RUN_SPANS
      if (!live.assembler || !isCurrent() || !isUnderWay(phase) || isLong) return
      const startedMs = performance.now()
      set(picture(placer.place(live.assembler.trace())))
      live.lastCostMs = performance.now() - startedMs
    }
    const publishSoon = () => {
      if (live.publishing) return
      live.publishing = true
      after(publish, Math.max(PUBLISH_EVERY_MS, live.lastCostMs / PUBLISH_SHARE))
    }

    let ending: RunResult
    try {
      ending = await client.run(
        experiment,
        params,
        { live: true, ...options },
        {
          started: (info) => {
            live.assembler = new TraceAssembler(info)
            set({ phase: 'running', info })
          },
          progress: (progress) => set({ progress }),
          chunk: (chunk) => {
            live.assembler?.append(chunk)
            publishSoon()
          },
        },
      )
    } catch (thrown) {
      ending = { status: 'failed', fault: toFault(thrown) }
    }
    // What the run derived may be known at its end only.
    if (ending.status === 'done') live.assembler?.setInfo(ending.info)
    // What was drawn stays in view, also of a run that failed: it is evidence.
    const last = live.assembler && isCurrent() ? await pictureOfAll(live.assembler.trace(), placer) : {}
    const { status: phase, ...found } = ending
    set({ ...last, ...found, phase })
    return ending
  }

  /** Another run takes the place of this one, which can change nothing from then on. */
  const replaceWith = (state: RunState): number => {
    if (isUnderWay(store.getState().phase)) client.cancel()
    store.setState(state)
    return (generation += 1)
  }

  return {
    store,
    /** Cancels what is under way, waits for its end, then runs. */
    start: async (request: RunRequest): Promise<RunResult> => {
      const turn = ++generation
      if (isUnderWay(store.getState().phase)) client.cancel()
      // Whoever asks for the progress means this run, which has none yet.
      store.setState({ progress: null })
      const before = underWay
      const mine = (async (): Promise<RunResult> => {
        await before
        // Someone asked for another run while this one waited for its turn.
        if (turn !== generation) return { status: 'cancelled' }
        return await run(request)
      })()
      underWay = mine.catch(() => undefined)
      return await mine
    },
    cancel: () => client.cancel(),
    /** Shows a run from a file or a recording. */
    load: (owner: string, loaded: PlacedRun) => {
      replaceWith(endedState(owner, loaded))
    },
    /**
     * Shows a recording that is on its way, or why it cannot be had. Resolves with the run; null
     * where another is shown by then.
     */
    play: async (owner: string, fetchRun: () => Promise<LoadedRun>): Promise<RunState | null> => {
      const mine = replaceWith({ ...NO_RUN, phase: 'loading', owner })
      try {
        const ended = endedState(owner, await fetchRun())
        if (mine !== generation) return null
        store.setState(ended)
        return ended
      } catch (thrown) {
        if (mine === generation) store.setState({ phase: 'failed', fault: toFault(thrown) })
        return null
      }
    },
    /**
     * Gaps of the loaded run that were found after it was shown; nothing where another is shown by
     * then.
     */
    nameGaps: (placed: PlacedTrace, gaps: readonly Gap[]) => {
      if (store.getState().placed?.lanes === placed.lanes) store.setState({ gaps })
    },
    trace: (): Trace | null => store.getState().placed?.trace ?? null,
  }
}
