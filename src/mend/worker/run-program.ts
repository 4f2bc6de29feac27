/**
 * One program from worker to report. Everything of the lab's that needs the global is done first: device, recorder, buffers, clocks. Then
 * the global is emptied and everything reachable frozen, and only then is the learner's text evaluated. What it returns, and what the lab
 * reads from the device after it, goes to the grader in another realm; nothing is judged here.
 */
import { CancelledError, FaultError, toFault } from '../../base/fault'
import { openDevice, RunContext, USAGE, type LabDevice, type RunLimits } from '../../engine'
import { probeClock } from '../../experiments/clock-probe'
import { tickKernel } from '../../kernels/calibrate/tick'
import { fillKernel } from '../../kernels/data/fill'
import { kernelCall } from '../../kernels/kernel'
import { prepareLoad } from '../../kernels/calibrate/load'
import { createLab, type Program } from '../../lab/lab'
import { lineInStack } from '../../recorder'
import { REPEAT_NONE, REPEAT_WARM_UP } from '../../trace/schema'
import { roundTripMs, type Environment } from '../../trace/report'
import { createBudget, type Budget } from '../budget/budget'
import { limitsFor } from '../budget/limits-for'
import { LOG_LIMIT, type Message, type Start, type Stop } from '../types'
import type { PrepareMend, Workload, WorkloadRun } from '../workload'
import { freezeBuiltIns, freezeDeeply } from './freeze'
import { emptyGlobal, refuseText } from './global'
import { logLine, plainData } from './plain-data'

/** Evaluates the learner's text, and gives what it exports. */
export type Loader = () => Promise<unknown>

const ALIVE_EVERY_MS = 250
/** As before any measured window (measure-programs.ts): a GPU's clock falls when little is asked of it. */
const BUSY_MS = 20

/** Thrown by the program, or because of it; everything else is the lab's. */
class StopError extends Error {
  readonly #stop: Stop
  constructor(stop: Stop) {
    super(stop.text)
    this.#stop = stop
  }
  /** Of a value that may be the program's, which no proxy can answer; null: it is none. */
  static of(thrown: unknown): Stop | null {
    return typeof thrown === 'object' && thrown !== null && #stop in thrown ? thrown.#stop : null
  }
}

interface Channel {
  readonly send: (message: Message, transfer?: Transferable[]) => void
  readonly url: string
}

/** `limits`: for tests, where what hangs is not to be waited for as long as in a browser. `openMs` of an adapter, and of a device. */
export async function runProgram(
  start: Start,
  port: MessagePort,
  prepare: PrepareMend | undefined,
  load: Loader | null,
  limits?: RunLimits & { readonly openMs: number },
): Promise<void> {
  const post = port.postMessage.bind(port)
  const channel: Channel = {
    send: (message, transfer = []) => {
      post(message, transfer)
    },
    url: location.href,
  }
  setInterval(() => {
    channel.send({ type: 'alive' })
  }, ALIVE_EVERY_MS)
  try {
    const device = await openDevice(navigator.gpu, { limitMs: limits?.openMs })
    const { environment, info } = start
    const context = RunContext.open(device, {
      record: true,
      hostStepUs: environment.hostClockStepUs,
      deviceStepNs: environment.deviceClockStepNs,
      info,
      copyTimingWorks: environment.copyTimingWorks ?? false,
      limits,
    })
    try {
      await context.use(() => measure(context, device, start, channel, { prepare, load }))
    } finally {
      context.session.flush()
      const chunk = context.session.builder.takeChunk()
      if (chunk) channel.send({ type: 'trace', chunk })
    }
    channel.send({ type: 'done' })
  } catch (thrown) {
    channel.send({ type: 'stop', stop: guarded(() => stopOf(thrown), STRANGE) })
  }
}

async function measure(
  context: RunContext,
  device: LabDevice,
  { lesson, rung, seed, plan, environment, wgsl }: Start,
  channel: Channel,
  { prepare, load }: { readonly prepare: PrepareMend | undefined; readonly load: Loader | null },
): Promise<void> {
  if (!prepare) throw new Error(`There is no mend of '${lesson}'.`)
  const { session } = context
  const target = await context.buffer('tick', 16, USAGE.storage)
  const tick = await context.dispatch(kernelCall(tickKernel, {}), [target])
  await probeClock(context, tick)
  const services = {
    isSoftware: device.isSoftware,
    deviceStepNs: environment.deviceClockStepNs,
    roundTripMs: roundTripMs(environment),
    matmulGflops: environment.matmulGflops,
    progress: () => undefined,
    rung,
    seed,
    plan,
    wgsl,
  }
  const workload = await prepare(context, services)
  const keepBusy = await prepareLoad(context, services)
  // Operands are made anew before each run. Compiled now: later, what is compiled is taken for the learner's own.
  await context.dispatch(kernelCall(fillKernel, { count: 4, seed: 0 }), [target])
  channel.send({
    type: 'prepared',
    plan: workload.plan,
    isSoftware: device.isSoftware,
    hasTimestamps: device.hasTimestamps,
  })
  const budget = budgetFor(context, workload, environment)
  const log = createLog(channel)
  const rejections = catchRejections(log)
  contain(context, workload, log)
  try {
    const program = await evaluate(load, channel, budget)
    for (const run of ordered(workload.runs)) {
      session.tag = { repeat: REPEAT_NONE, step: -1 }
      await run.before?.()
      await keepBusy?.(BUSY_MS)
      await runOnce(context, run, program, channel, budget)
      await context.queue.collect()
      session.tag = { repeat: REPEAT_NONE, step: -1 }
      channel.send({ type: 'found', facts: run.facts, found: await run.find() })
      await context.breathe()
    }
  } finally {
    rejections.end()
  }
  await probeClock(context, tick)
}

/** The warm-up first, whatever the order in which they are listed. */
const ordered = (runs: readonly WorkloadRun[]): readonly WorkloadRun[] =>
  runs.toSorted((a, b) => Number(b.repeat === REPEAT_WARM_UP) - Number(a.repeat === REPEAT_WARM_UP))

/** Stands outside the recorder, which does not see what it refuses; before the freeze, which fixes it. */
function budgetFor(
  { device }: RunContext,
  { runs, given = [] }: Workload,
  { matmulGflops }: Pick<Environment, 'matmulGflops'>,
): Budget {
  const budget = createBudget({ limits: limitsFor(runs.length, matmulGflops, device.limits) })
  for (const { dispatch, ms } of given) {
    const [x, y, z] = dispatch.workgroups
    budget.given(dispatch.pipeline, { msPerWorkgroup: ms / (x * y * z) })
  }
  budget.install()
  return budget
}

type Log = (...values: unknown[]) => void

function createLog({ send }: Channel): Log {
  let lines = 0
  return (...values) => {
    lines += 1
    if (lines <= LOG_LIMIT) send({ type: 'log', line: logLine(values) })
  }
}

/**
 * A promise of the program's that was rejected while nothing awaited it is named in its log. What is rejected after the end is rejected by the lab, which destroys the buffers that the program was still mapping.
 */
function catchRejections(log: Log): { readonly end: () => void } {
  let isRunning = true
  globalThis.addEventListener('unhandledrejection', (event: PromiseRejectionEvent) => {
    event.preventDefault()
    if (isRunning) log('A promise was rejected, and nothing awaited it:', event.reason)
  })
  return {
    end: () => {
      isRunning = false
    },
  }
}

function contain(context: RunContext, { runs }: Workload, log: Log): void {
  refuseText()
  const left = emptyGlobal(globalThis, { log })
  if (left.length > 0) throw new Error(`The worker's global could not be emptied: ${left.join(', ')}.`)
  freezeBuiltIns(globalThis)
  // Own properties would stand before the recorder's methods, for the lab's own calls too.
  freezeDeeply([context.device.gpu, context.device.gpu.queue, ...runs.map(({ input }) => input)])
}

async function evaluate(load: Loader | null, channel: Channel, budget: Budget): Promise<unknown> {
  if (!load) return null
  channel.send({ type: 'evaluate' })
  const program = await byLearner(channel, budget, load)
  channel.send({ type: 'evaluated' })
  return program
}

/** Also where the program caught the error. */
function checkBudget({ violation }: Budget): void {
  if (violation !== null) throw new StopError({ reason: 'budget', text: violation, line: null })
}

/** What is thrown inside is the learner's. */
async function byLearner<T>({ url }: Channel, budget: Budget, body: () => Promise<T>): Promise<T> {
  try {
    const value = await body()
    checkBudget(budget)
    return value
  } catch (thrown) {
    if (StopError.of(thrown)) throw thrown
    checkBudget(budget)
    if (guarded(() => thrown instanceof FaultError || thrown instanceof CancelledError, false)) throw thrown
    throw new StopError(thrownBy(thrown, url))
  }
}

/** What reads a value of the program's: its getters, proxies and prototypes may throw. */
function guarded<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** What a program threw, each part of it read once. */
function thrownBy(thrown: unknown, url: string): Stop {
  const words = guarded(() => logLine([thrown]), '(not shown)')
  const isError = guarded(() => thrown instanceof Error, false)
  const line = guarded(() => (isError ? lineInStack((thrown as Error).stack, url) : -1), -1) // as was just asked
  return {
    reason: 'threw',
    text: `Your program ended with an error. ${isError ? words : `it threw ${words}`}`,
    line: line > 0 ? line : null,
  }
}

async function runOnce(
  context: RunContext,
  run: WorkloadRun,
  program: unknown,
  channel: Channel,
  budget: Budget,
): Promise<void> {
  const { session, device } = context
  const { name, repeat, input, execute } = run
  const { steps } = createLab(session)
  const lab = Object.freeze({ steps })
  const call = (): Promise<unknown> => {
    if (execute) return execute(program)
    if (typeof program !== 'function') throw new TypeError('`export default` must be a function.')
    return (program as Program)({ device: device.gpu, lab: lab as Parameters<Program>[0]['lab'], input })
  }
  session.programUrl = channel.url
  // Lines are looked up in the warm-up, whose times do not count.
  session.linesFromStacks = repeat === REPEAT_WARM_UP
  session.tag = { variant: name, repeat, step: -1 }
  channel.send({ type: 'begin', name, repeat })
  const startNs = session.now()
  const returned = await byLearner(channel, budget, () => context.race(Promise.resolve(call())))
  const endNs = session.now()
  const last = session.lastSubmission(device.gpu)
  const unfinished = last && last.completedNs === null ? 1 : 0
  session.linesFromStacks = false
  session.tag = { variant: name, repeat, step: -1 }
  session.hostSpan('window', 'none', name, startNs, endNs)
  const output = await byLearner(channel, budget, () => Promise.resolve(plainData(returned)))
  channel.send({ type: 'end', startNs, endNs, output, unfinished })
}

/** Only a program throws what cannot be read. */
const STRANGE: Stop = {
  reason: 'threw',
  text: 'Your program ended with an error that cannot be read.',
  line: null,
}

function stopOf(thrown: unknown): Stop {
  const stop = StopError.of(thrown)
  if (stop) return stop
  const { code, message, hint, data } = toFault(thrown)
  const text = hint === undefined ? message : `${message} ${hint}`
  if (code === 'device-lost') return { reason: 'device-lost', text, line: null }
  // A learner's shader names its line (shader.ts); one of the lab's own has none here.
  const line = typeof data?.['line'] === 'number' ? data['line'] : null
  if (code === 'validation' || code === 'out-of-memory' || code === 'shader')
    return { reason: 'gpu-error', text, line }
  return { reason: 'lab', text, line: null }
}
