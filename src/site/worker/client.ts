/**
 * The main thread's side of the door: typed promises over the protocol. A worker that dies fails
 * what was under way and is replaced at the next request, so that no page needs a reload.
 */
import { FaultError, type Fault } from '../../base/fault'
import { webLocks, measuringLock, type RunAlone } from '../../lab/measuring-lock'
import { startWatchdog, type Watchdog } from '../../base/workers'
import type { DeviceFacts, Environment } from '../../trace/report'
import type { ParamValues } from '../../experiments/experiment'
import type { Request, RunListener, RunOptions, RunResult, WorkerEvent } from './protocol'

interface PendingRun {
  readonly runId: number
  readonly listener: RunListener
  /** Ends its wait for other tabs. */
  readonly abort: AbortController
  /** Null while it waits. */
  resolve: ((ending: RunResult) => void) | null
}
/** Answers come in the order of the questions. */
interface PendingQuestion {
  readonly resolve: (answer: never) => void
  readonly reject: (error: FaultError) => void
}

const startWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'lab engine' })

/**
 * A run reports at every repeat, and a device is measured in some seconds, on a processor in half a
 * minute: an engine that is silent for so long waits for something that will not come, and did not
 * notice it itself (gpu/run-context.ts: after 60 s).
 */
const SILENCE_LIMIT_MS = 90_000
/**
 * A cancelled run ends at its program's next call; one that has none by then is ended with its
 * worker.
 */
const CANCEL_LIMIT_MS = 2000

export type LabClient = ReturnType<typeof createLabClient>

/** Parameters for tests. */
export function createLabClient(
  start: () => Worker = startWorker,
  alone: RunAlone = measuringLock(webLocks()),
) {
  let worker: Worker | null = null
  let nextRunId = 1
  let run: PendingRun | null = null
  let questions: PendingQuestion[] = []
  let hidden = false
  const lostListeners: ((fault: Fault) => void)[] = []

  let watch: Watchdog | null = null
  let cancelling: ReturnType<typeof setTimeout> | undefined

  const endRun = (ending: RunResult) => {
    const ended = run
    if (!ended?.resolve) return
    run = null
    clearTimeout(cancelling)
    ended.resolve(ending)
  }
  const failAll = (fault: Fault) => {
    endRun({ status: 'failed', fault })
    for (const question of questions.splice(0)) question.reject(new FaultError(fault))
  }
  /** While an answer is owed. */
  const keepWatch = () => {
    if (run?.resolve || questions.length > 0)
      watch ??= startWatchdog(SILENCE_LIMIT_MS, () =>
        dropWorker({
          code: 'timeout',
          message: `The device did not answer for ${String(SILENCE_LIMIT_MS / 1000)} s.`,
          hint: 'Run again; if it happens again, restart the browser.',
        }),
      )
    else {
      watch?.stop()
      watch = null
    }
  }
  const dropWorker = (fault: Fault) => {
    worker?.terminate()
    worker = null
    failAll(fault)
    keepWatch()
  }

  const onRunEvent = (event: Extract<WorkerEvent, { runId: number }>) => {
    if (event.runId !== run?.runId) return // an ending that crossed with ours
    switch (event.type) {
      case 'started':
        run.listener.started(event.info)
        break
      case 'progress':
        run.listener.progress(event.progress)
        break
      case 'chunk':
        run.listener.chunk(event.chunk)
        break
      case 'ended':
        endRun(event.ending)
        break
    }
  }
  const onEvent = (event: WorkerEvent) => {
    watch?.reset()
    take(event)
    keepWatch()
  }
  const take = (event: WorkerEvent) => {
    switch (event.type) {
      case 'described':
        questions.shift()?.resolve(event.device as never) // to this question
        break
      case 'measured':
        questions.shift()?.resolve(event.environment as never) // likewise
        break
      case 'unavailable':
        questions.shift()?.reject(new FaultError(event.fault))
        break
      case 'device-lost':
        for (const listener of lostListeners) listener(event.fault)
        break
      default:
        onRunEvent(event)
    }
  }

  const startNow = (): Worker => {
    try {
      return start()
    } catch (thrown) {
      throw new FaultError({
        code: 'worker',
        message: `The engine could not be started: ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
        hint: 'Try again; if it happens again, reload the page.',
      })
    }
  }
  const ensureWorker = (): Worker => {
    if (worker) return worker
    const started = startNow()
    started.addEventListener('message', ({ data }: MessageEvent<WorkerEvent>) => {
      if (worker === started) onEvent(data)
    })
    started.addEventListener('error', (event) => {
      if (worker !== started) return
      dropWorker({
        code: 'worker',
        message: `The engine stopped: ${event.message || 'its script did not load'}.`,
        hint: 'Run again; if it happens again, reload the page.',
      })
    })
    worker = started
    post({ type: 'visibility', hidden })
    return started
  }
  const post = (request: Request) => ensureWorker().postMessage(request)
  const ask = <Answer>(type: 'describe' | 'measure') =>
    new Promise<Answer>((resolve, reject) => {
      post({ type })
      questions = [...questions, { resolve, reject }]
      keepWatch()
    })
  const noWait = { waiting: () => undefined, signal: new AbortController().signal }

  return {
    /** What the device says of itself. Rejects with FaultError, as the others. */
    describe: () => ask<DeviceFacts>('describe'),
    measure: () => alone(() => ask<Environment>('measure'), noWait),
    /** One at a time: a second call while one goes on rejects. */
    run: async (
      experiment: string,
      params: ParamValues,
      options: RunOptions,
      listener: RunListener,
    ): Promise<RunResult> => {
      if (run)
        throw new FaultError({
          code: 'worker',
          message: 'Another run is still under way.',
          hint: 'Cancel it, or wait for its end.',
        })
      const runId = nextRunId
      nextRunId += 1
      const pending: PendingRun = { runId, listener, abort: new AbortController(), resolve: null }
      run = pending
      const started = () =>
        new Promise<RunResult>((resolve) => {
          post({ type: 'run', runId, experiment, params, options })
          pending.resolve = resolve
          keepWatch()
        })
      const { signal } = pending.abort
      const waiting = () => {
        const message = 'waiting until another measurement of this site has ended'
        listener.progress({ fraction: 0, message, variant: '', repeat: -1 })
      }
      try {
        return await alone(started, { signal, waiting })
      } catch (thrown) {
        if (run === pending) run = null
        if (signal.aborted) return { status: 'cancelled' }
        throw thrown
      }
    },
    cancel: () => {
      if (!run) return
      if (!run.resolve) {
        run.abort.abort()
        return
      }
      const { runId } = run
      post({ type: 'cancel', runId })
      clearTimeout(cancelling)
      cancelling = setTimeout(() => {
        if (run?.runId !== runId) return
        endRun({ status: 'cancelled' })
        dropWorker({ code: 'worker', message: 'The engine was replaced: it did not answer a cancel.' })
      }, CANCEL_LIMIT_MS)
    },
    setHidden: (value: boolean) => {
      hidden = value
      if (worker) post({ type: 'visibility', hidden })
    },
    destroyDevice: () => {
      if (worker) post({ type: 'destroy-device' })
    },
    onDeviceLost: (listener: (fault: Fault) => void) => {
      lostListeners.push(listener)
    },
  }
}
