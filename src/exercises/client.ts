/**
 * Starts a program in a worker of its own and brings back what happened. It runs in the page, and
 * ends what does not end by itself.
 */
import { roundTripMs, type Environment } from '../trace/report'
import { TraceAssembler } from '../trace/builder'
import type { RunInfo } from '../trace/schema'
import { bareWorkerText, workerText } from './program'
import {
  stopFor,
  type Message,
  type Plan,
  type ProgramReport,
  type ProgramRun,
  type Start,
  type Stop,
} from './types'

export interface ProgramRequest {
  readonly lesson: string
  /**
   * Address of the script that serves exercises (worker/serve-exercise.ts), from the page's base.
   */
  readonly worker: string
  readonly language: 'javascript' | 'wgsl'
  readonly source: string
  readonly seed: number
  readonly plan: Plan | null
  readonly environment: Environment
}

export interface RunListener {
  /** Reports the current work, for a status line: 'preparing', or the run's name. */
  readonly progress?: (message: string) => void
  readonly signal?: AbortSignal
}

/**
 * A call of the program ends within it and what its waits take, or is ended: sizes are chosen for a
 * second or two (lessons' mend/prepare.ts).
 */
const RUN_LIMIT_MS = 5000
/**
 * No mend's own program waits more often in a call: one waits after each of its 64 steps. In
 * Firefox that is 6.4 s, in Chromium 0.2.
 */
const MOST_WAITS = 64
/** Limit of one call of a program, on this machine. */
const runLimitMs = (environment: Environment): number => RUN_LIMIT_MS + MOST_WAITS * roundTripMs(environment)
/**
 * Opening the device, sizing and compiling are the lab's, and may be slow on a software adapter.
 */
const LAB_LIMIT_MS = 60_000
/**
 * No sign of a turning event loop for so long: the program computes. It is sent four times a
 * second.
 */
const SILENCE_MS = 1500

const seconds = (ms: number): string => `${String(Math.round(ms / 1000))} s`

const STOPS = {
  lab: stopFor('lab', `The lab itself did not get ready within ${seconds(LAB_LIMIT_MS)}.`),
  hidden: stopFor('hidden', 'The tab was hidden during the run: browsers slow down hidden pages.'),
  cancelled: stopFor('cancelled', 'The run was cancelled.'),
} as const

/**
 * From a program's last message to the end of its thread. Chromium 156 loses both threads where a
 * worker is terminated within a millisecond of one that it terminated itself: 14 of 200, 1 of 500
 * after 5 ms, none of 800 after 20 and 100 ms.
 */
const NESTED_END_MS = 100

const endless = (limitMs: number): Stop =>
  stopFor(
    'endless',
    `Your program was still computing after ${seconds(limitMs)}, and never gave the browser a turn: look for a loop that does not end.`,
  )
const neverReturned = (limitMs: number): Stop =>
  stopFor(
    'never-returned',
    `Your program had not returned after ${seconds(limitMs)}: it waits for something that does not come, or for too much.`,
  )

const NOT_STARTED = {
  runs: [],
  trace: null,
  plan: {},
  isSoftware: false,
  hasTimestamps: false,
  log: [],
} as const

/** Always resolves: what goes wrong is the report's `stop`. */
export function runProgram(request: ProgramRequest, listener: RunListener = {}): Promise<ProgramReport> {
  const url = new URL(request.worker, document.baseURI).href
  const text =
    request.language === 'wgsl'
      ? ({ ok: true, value: bareWorkerText(url) } as const)
      : workerText(request.source, url)
  if (!text.ok) {
    const [first] = text.error
    const stop = stopFor('syntax', first?.message ?? 'This is no program.', first?.line)
    return Promise.resolve({ ...NOT_STARTED, stop })
  }
  return new Promise((resolve) => run(request, text.value, listener, resolve))
}

function run(
  { lesson, language, source, seed, plan, environment }: ProgramRequest,
  text: string,
  { progress, signal }: RunListener,
  resolve: (report: ProgramReport) => void,
): void {
  const info: RunInfo = {
    experiment: lesson,
    params: {},
    derived: {},
    adapter: environment.adapter,
    userAgent: environment.userAgent,
    crossOriginIsolated: environment.crossOriginIsolated,
    startedAt: new Date().toISOString(),
    origin: 'live',
  }
  const scriptUrl = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  const worker = new Worker(scriptUrl, { type: 'module', name: 'mend' })
  const runs: ProgramRun[] = []
  const log: string[] = []
  const limitMs = runLimitMs(environment)
  const assembler = new TraceAssembler(info)
  let hasTrace = false
  let prepared: Pick<ProgramReport, 'plan' | 'isSoftware' | 'hasTimestamps' | 'unknown'> = NOT_STARTED
  let aliveAtMs = performance.now()
  /** From here on what holds the worker's thread may be the program. */
  let isEvaluated = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const finish = (stop: Stop | null) => {
    clearTimeout(timer)
    worker.terminate()
    worker.removeEventListener('message', whenTold)
    URL.revokeObjectURL(scriptUrl)
    document.removeEventListener('visibilitychange', whenHidden)
    signal?.removeEventListener('abort', whenAborted)
    resolve({ ...prepared, runs, log, stop, trace: hasTrace ? assembler.trace() : null })
  }
  const expect = (limitMs: number, late: () => Stop) => {
    clearTimeout(timer)
    timer = setTimeout(() => finish(late()), limitMs)
  }
  const finishOnceEnded = (stop: Stop | null) => {
    clearTimeout(timer)
    timer = setTimeout(() => finish(stop), NESTED_END_MS)
  }
  const isSilent = () => performance.now() - aliveAtMs > SILENCE_MS
  // The lab awaits whatever it does for long, so its event loop turns.
  const awaitLab = () =>
    expect(LAB_LIMIT_MS, () => (isEvaluated && isSilent() ? endless(LAB_LIMIT_MS) : STOPS.lab))
  const awaitProgram = () => expect(limitMs, () => (isSilent() ? endless(limitMs) : neverReturned(limitMs)))
  const whenHidden = () => {
    if (document.hidden) finish(STOPS.hidden)
  }
  const whenAborted = () => finish(STOPS.cancelled)

  const whenTold = ({ data: message }: MessageEvent<Message>) => {
    aliveAtMs = performance.now()
    switch (message.type) {
      case 'alive':
        break
      case 'prepared':
        prepared = message
        break
      case 'turn':
        if (message.of === 'lab') awaitLab()
        else {
          isEvaluated = true
          if (message.run !== undefined) progress?.(message.run)
          awaitProgram()
        }
        break
      case 'ran':
        runs.push(message.run)
        break
      case 'log':
        log.push(message.line)
        break
      case 'trace':
        assembler.append(message.chunk)
        hasTrace = true
        break
      case 'stop':
        finishOnceEnded(message.stop)
        break
      case 'done':
        if (message.unknown) prepared = { ...prepared, unknown: message.unknown }
        finishOnceEnded(null)
        break
    }
  }
  worker.addEventListener('message', whenTold)
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    const isOfProgram = event.filename === scriptUrl
    // A script that does not load fires an event without a message.
    const problem = event.message || 'The program could not be loaded.'
    const line = isOfProgram && event.lineno > 0 ? event.lineno : null
    finish(stopFor(isOfProgram ? 'syntax' : 'lab', problem, line))
  })
  document.addEventListener('visibilitychange', whenHidden)
  signal?.addEventListener('abort', whenAborted)
  progress?.('preparing')
  awaitLab()
  if (document.hidden) finish(STOPS.hidden)
  else if (signal?.aborted) finish(STOPS.cancelled)
  else {
    const wgsl = language === 'wgsl' ? source : null
    worker.postMessage({ lesson, seed, plan, environment, info, wgsl } satisfies Start)
  }
}
