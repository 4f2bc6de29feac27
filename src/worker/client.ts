/**
 * The main thread's side of the door: typed promises over the protocol. A worker that dies fails what was under way and is
 * replaced at the next request, so that no page needs a reload.
 */
import { FaultError, type Fault } from '../base/fault'
import type { Environment } from '../trace/report'
import type { LabClient, RunEnding, RunListener } from './client-types'
import { PROTOCOL_VERSION, type Request, type WorkerEvent } from './protocol'

interface PendingRun {
  readonly runId: number
  readonly listener: RunListener
  readonly resolve: (ending: RunEnding) => void
}
interface PendingProbe {
  readonly resolve: (environment: Environment) => void
  readonly reject: (error: FaultError) => void
}

const startWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'lab engine' })

/** `start` is a parameter for tests. */
export function createLabClient(start: () => Worker = startWorker): LabClient {
  let worker: Worker | null = null
  let nextRunId = 1
  let run: PendingRun | null = null
  let probes: PendingProbe[] = []
  let hidden = false
  const lostListeners = new Set<(fault: Fault) => void>()

  const endRun = (ending: RunEnding) => {
    const ended = run
    run = null
    ended?.resolve(ending)
  }
  const failAll = (fault: Fault) => {
    endRun({ status: 'failed', fault })
    for (const probe of probes.splice(0)) probe.reject(new FaultError(fault))
  }
  const dropWorker = (fault: Fault) => {
    worker?.terminate()
    worker = null
    failAll(fault)
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
      case 'done':
        endRun({ status: 'done', report: event.report, info: event.info })
        break
      case 'failed':
        endRun({ status: 'failed', fault: event.fault })
        break
      case 'skipped':
        endRun({ status: 'skipped', reason: event.reason })
        break
      case 'cancelled':
        endRun({ status: 'cancelled' })
        break
    }
  }
  const onEvent = (event: WorkerEvent) => {
    switch (event.type) {
      case 'ready':
        if (event.version !== PROTOCOL_VERSION)
          dropWorker({
            code: 'worker',
            message: 'The page and its engine are of different versions.',
            hint: 'Reload the page.',
          })
        break
      case 'environment':
        probes.shift()?.resolve(event.environment)
        break
      case 'unavailable':
        probes.shift()?.reject(new FaultError(event.fault))
        break
      case 'device-lost':
        for (const listener of lostListeners) listener(event.fault)
        break
      default:
        onRunEvent(event)
    }
  }

  const ensureWorker = (): Worker => {
    if (worker) return worker
    const started = start()
    started.addEventListener('message', ({ data }: MessageEvent<WorkerEvent>) => {
      if (worker === started) onEvent(data)
    })
    started.addEventListener('error', (event) => {
      if (worker !== started) return
      dropWorker({
        code: 'worker',
        message: `The engine stopped: ${event.message || 'its script did not load'}.`,
        hint: 'Run again; if it comes back, reload the page.',
      })
    })
    worker = started
    post({ type: 'hello', version: PROTOCOL_VERSION })
    post({ type: 'visibility', hidden })
    return started
  }
  const post = (request: Request) => {
    ensureWorker().postMessage(request)
  }

  return {
    probe: (full) =>
      new Promise((resolve, reject) => {
        post({ type: 'probe', full })
        probes = [...probes, { resolve, reject }]
      }),
    run: (experiment, params, options, listener) =>
      new Promise((resolve, reject) => {
        if (run) {
          reject(
            new FaultError({
              code: 'worker',
              message: 'Another run is still under way.',
              hint: 'Cancel it, or wait for its end.',
            }),
          )
          return
        }
        const runId = nextRunId
        nextRunId += 1
        run = { runId, listener, resolve }
        post({ type: 'run', runId, experiment, params, options })
      }),
    cancel: () => {
      if (run) post({ type: 'cancel', runId: run.runId })
    },
    setHidden: (value) => {
      hidden = value
      if (worker) post({ type: 'visibility', hidden })
    },
    destroyDevice: () => {
      if (worker) post({ type: 'destroy-device' })
    },
    onDeviceLost: (listener) => {
      lostListeners.add(listener)
      return () => void lostListeners.delete(listener)
    },
    dispose: () => {
      dropWorker({ code: 'worker', message: 'The engine was shut down.' })
    },
  }
}
