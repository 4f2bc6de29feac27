/**
 * One program from worker to report. The lab first does everything that needs the global: device,
 * recorder, buffers, clocks. Then it empties the global, and only then evaluates the learner's
 * text. What the program returns, and what the lab reads from the device after it, goes to the
 * grader in the page. Nothing is judged here.
 */
import { standIns } from '../../base/buffer-registry'
import { CancelledError, FaultError, toFault } from '../../base/fault'
import { openDevice, RunContext, USAGE, type LabDevice, type RunLimits } from '../../gpu'
import { probeClock } from '../../experiments/clock-probe'
import { createTick } from '../../gpu/kernels/calibrate/tick'
import type { Processor } from '../../gpu/kernels/cpu/processor'
import { fillKernel } from '../../gpu/kernels/data/fill'
import { kernelCall } from '../../gpu/kernels/kernel'
import { prepareLoad } from '../../gpu/kernels/calibrate/fma-work'
import { createLab } from '../../lab/lab'
import { lineInStack } from '../../recorder'
import { REPEAT_NONE, REPEAT_WARM_UP } from '../../trace/schema'
import { roundTripMs } from '../../trace/report'
import { createBudget, type Budget } from '../budget/budget'
import { limitsFor } from '../budget/limits'
import {
  LOG_LIMIT,
  stopFor,
  type Message,
  type ProgramRun,
  type Start,
  type Stop,
  type Unknown,
} from '../types'
import type { ModelledHost, PrepareExercise, Program, WorkloadRun } from '../workload'
import { consoleOf, emptyGlobal } from './global'
import { timeKernels } from './iteration-times'
import { asProgram, logLine } from './plain-data'

/** Evaluates the learner's text, and gives what it exports. */
export type Loader = () => Promise<unknown>

const ALIVE_EVERY_MS = 250
/** WebGPU's filters of errors (§22.2). */
const SCOPES = ['validation', 'out-of-memory', 'internal'] as const
/** Longest sentence of a browser, in characters. */
const MOST_WORDS = 1000
/**
 * Work before a measured window (as in measure-programs.ts): a GPU's clock falls when little is
 * asked of it.
 */
const BUSY_MS = 20

/** Thrown by the program, or because of it; everything else is the lab's. */
class StopError extends Error {
  constructor(readonly stop: Stop) {
    super(stop.text)
  }
}

interface Channel {
  readonly send: (message: Message, transfer?: Transferable[]) => void
  readonly url: string
}

/**
 * Stand-in for this realm's WebGPU: a modelled machine (src/model), which the worker's entry
 * brings.
 */
export interface Stage {
  /**
   * Gives the realm the machine's globals, and runs to the end by its clock. @throws Error, in
   * words for the learner, where that does not come
   */
  readonly run: (body: () => Promise<void>) => Promise<void>
  /** Marks the moment from which modules that are compiled are the program's own. */
  readonly begins: () => void
  readonly unknown: () => Unknown | null
  readonly processor: Processor
  readonly host: ModelledHost
}

/**
 * `limits`: for tests, where what hangs is not to be waited for as long as in a browser. `openMs`
 * of an adapter, and of a device.
 */
export async function runProgram(
  start: Start,
  post: (message: Message, transfer: Transferable[]) => void,
  prepare: PrepareExercise | undefined,
  load: Loader | null,
  limits?: RunLimits & { readonly openMs: number },
  stage?: Stage,
): Promise<void> {
  const channel: Channel = {
    send: (message, transfer = []) => {
      post(message, transfer)
    },
    url: location.href,
  }
  setInterval(() => {
    channel.send({ type: 'alive' })
  }, ALIVE_EVERY_MS)
  const isBegun = { is: false }
  const body = () => runOn(start, channel, { prepare, load, stage, isBegun }, limits)
  if (!stage) {
    await body()
    return
  }
  try {
    await stage.run(body)
  } catch (thrown) {
    const reason = isBegun.is ? 'never-returned' : 'lab'
    channel.send({ type: 'stop', stop: stopFor(reason, (thrown as Error).message) })
  }
}

interface Loaded {
  readonly prepare: PrepareExercise | undefined
  readonly load: Loader | null
  readonly stage: Stage | undefined
  readonly isBegun: { is: boolean }
}

async function runOn(
  start: Start,
  channel: Channel,
  loaded: Loaded,
  limits?: RunLimits & { readonly openMs: number },
): Promise<void> {
  try {
    const device = await openDevice(navigator.gpu, limits?.openMs)
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
      await context.use(() => measure(context, device, start, channel, loaded))
    } finally {
      context.session.flush()
      const chunk = context.session.builder.takeChunk()
      if (chunk) channel.send({ type: 'trace', chunk })
    }
    const unknown = loaded.stage?.unknown()
    channel.send({ type: 'done', ...(unknown && { unknown }) })
  } catch (thrown) {
    channel.send({ type: 'stop', stop: stopOf(thrown) })
  }
}

async function measure(
  context: RunContext,
  device: LabDevice,
  { lesson, seed, plan, environment, wgsl }: Start,
  channel: Channel,
  { prepare, load, stage, isBegun }: Loaded,
): Promise<void> {
  if (!prepare) throw new Error(`There is no mend of '${lesson}'.`)
  const { session } = context
  const tick = await createTick(context)
  await probeClock(context, tick)
  const services = {
    isSoftware: device.isSoftware,
    deviceStepNs: environment.deviceClockStepNs,
    roundTripMs: roundTripMs(environment),
    matmulGflops: environment.matmulGflops,
    say: () => undefined,
    seed,
    plan,
    wgsl,
    processor: stage?.processor,
    modelledHost: stage?.host,
  }
  const workload = await prepare(context, services)
  const keepBusy = await prepareLoad(context, services)
  await keepBusy?.(BUSY_MS)
  const given = workload.given ?? []
  const { planned, givenMs, iterationMs } = await timeKernels(context, given, plan, services)
  // Operands are made anew before each run. Compiled now: later, what is compiled is taken for the
  // learner's own.
  const target = await context.buffer('operands', 16, USAGE.storage)
  await context.dispatch(kernelCall(fillKernel, { count: 4, seed: 0 }), [target])
  channel.send({
    type: 'prepared',
    plan: { ...workload.plan, ...planned },
    isSoftware: device.isSoftware,
    hasTimestamps: device.hasTimestamps,
  })
  const limits = limitsFor(workload.runs.length, iterationMs, services.roundTripMs, device)
  const budget = createBudget(limits)
  for (const [index, { pipeline, workgroups }] of given.entries()) {
    const [x, y, z] = workgroups
    budget.given(pipeline, { workgroups: x * y * z, ms: givenMs[index] ?? Infinity })
  }
  // Outside the recorder, which does not see what the budget refuses.
  budget.install()
  const log = createLog(channel)
  catchRejections(log)
  emptyGlobal(globalThis, consoleOf(log))
  stage?.begins()
  isBegun.is = true
  const program = await evaluate(load, channel, budget)
  for (const run of workload.runs) {
    session.tag = { repeat: REPEAT_NONE, step: -1 }
    await run.before?.()
    await keepBusy?.(BUSY_MS)
    workload.shader?.clearMarks()
    const ran = await runOnce(context, run, program, channel, budget)
    await context.queue.collect()
    if (session.hasLostStamps)
      throw new FaultError({
        code: 'internal',
        message: 'The device had no memory for the timestamps that the recorder reads.',
        hint: 'Close other pages that use the GPU.',
      })
    session.tag = { repeat: REPEAT_NONE, step: -1 }
    const [found, ranOut] = [await run.find(), (await workload.shader?.ranOut()) ?? []]
    channel.send({
      type: 'ran',
      run: { ...ran, found: inMemory(found), ...(ranOut.length > 0 && { ranOut }) },
    })
    await context.breathe()
  }
  await probeClock(context, tick)
}

/** Registers data that goes to another realm as kept in memory. */
const inMemory = <T extends object>(found: T): T =>
  Object.fromEntries(
    Object.entries(found).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'object' && value !== null ? (standIns.get(value)?.real() ?? value) : value,
    ]),
  ) as T // the same names

type Log = (...values: unknown[]) => void

function createLog({ send }: Channel): Log {
  let lines = 0
  return (...values) => {
    lines += 1
    if (lines <= LOG_LIMIT) send({ type: 'log', line: logLine(values) })
  }
}

/** A promise of the program's that was rejected while nothing awaited it is named in its log. */
function catchRejections(log: Log): void {
  globalThis.addEventListener('unhandledrejection', (event: PromiseRejectionEvent) => {
    event.preventDefault()
    log('A promise was rejected, and nothing awaited it:', event.reason)
  })
}

/** Null: the exercise is in another language, and has no program. */
async function evaluate(load: Loader | null, channel: Channel, budget: Budget): Promise<Program | null> {
  if (!load) return null
  channel.send({ type: 'turn', of: 'program' })
  const program = await byLearner(channel, budget, async () => asProgram(await load()))
  channel.send({ type: 'turn', of: 'lab' })
  return program
}

/** Also where the program caught the error. */
function checkBudget({ violation }: Budget): void {
  if (violation !== null) throw new StopError(stopFor('budget', violation))
}

/** Errors thrown inside are the learner's. */
async function byLearner<T>({ url }: Channel, budget: Budget, body: () => Promise<T>): Promise<T> {
  try {
    const value = await body()
    checkBudget(budget)
    return value
  } catch (thrown) {
    if (thrown instanceof StopError) throw thrown
    checkBudget(budget)
    if (thrown instanceof FaultError || thrown instanceof CancelledError) throw thrown
    throw new StopError(thrownBy(thrown, url))
  }
}

function thrownBy(thrown: unknown, url: string): Stop {
  const words = logLine([thrown])
  const line = thrown instanceof Error ? lineInStack(thrown.stack, url) : -1
  const what = thrown instanceof Error ? words : `it threw ${words}`
  return stopFor('threw', `Your program ended with an error. ${what}`, line > 0 ? line : null)
}

async function runOnce(
  context: RunContext,
  { name, repeat, input, execute }: WorkloadRun,
  program: Program | null,
  channel: Channel,
  budget: Budget,
): Promise<Omit<ProgramRun, 'found' | 'ranOut'>> {
  const { session, device } = context
  const { steps } = createLab(session)
  const scope = { device: device.gpu, lab: { steps }, input }
  session.lines.url = channel.url
  // Lines are looked up in the warm-up, whose times do not count.
  session.lines.fromStacks = repeat === REPEAT_WARM_UP
  session.tag = { variant: name, repeat, step: -1 }
  channel.send({ type: 'turn', of: 'program', run: name })
  const { natives } = session
  for (const filter of SCOPES) natives.pushErrorScope(device.gpu, filter)
  if (program) {
    session.program = 'runs'
    budget.open()
  }
  const startNs = session.now()
  let endNs = Number.NaN
  const end = () => {
    if (Number.isNaN(endNs)) endNs = session.now()
    budget.close()
    if (program) session.program = 'ended'
  }
  const call = async () => {
    try {
      return await (execute ? execute(program) : program?.(scope))
    } finally {
      end()
    }
  }
  const whole = async () => {
    try {
      return await byLearner(channel, budget, () => context.race(call()))
    } finally {
      end()
      // Promises that the program did not await get their last turn here.
      await context.breathe().catch(() => undefined) // the run was aborted: nothing of it goes on
      session.program = 'none'
      await expectNoErrors(context)
    }
  }
  const output = await whole()
  const unfinished = session.wasDone(device.gpu, endNs) ? 0 : 1
  session.lines.fromStacks = false
  session.tag = { variant: name, repeat, step: -1 }
  session.hostSpan('window', 'none', name, startNs, endNs)
  channel.send({ type: 'turn', of: 'lab' })
  return { name, repeat, startNs, endNs, output, unfinished }
}

/**
 * Errors of WebGPU while the program ran are the program's, and the cause of what it threw. @throws
 * StopError
 */
async function expectNoErrors({ session: { natives }, device: { gpu }, race }: RunContext): Promise<void> {
  const pops = SCOPES.map(() => natives.popErrorScope(gpu))
  const errors = await race(Promise.all(pops)).catch(() => []) // a lost device answers none
  const error = errors.find((each) => each !== null)
  if (error)
    throw new StopError(
      stopFor(
        'gpu-error',
        `WebGPU refused what your program asked for: ${error.message.slice(0, MOST_WORDS)}`,
      ),
    )
}

function stopOf(thrown: unknown): Stop {
  if (thrown instanceof StopError) return thrown.stop
  const { code, message, hint, data } = toFault(thrown)
  // Errors of WebGPU are the program's; the hint speaks of the lab.
  const text = hint === undefined || code === 'validation' ? message : `${message} ${hint}`
  if (code === 'device-lost') return stopFor('device-lost', text)
  // A learner's shader names its line (shader.ts); one of the lab's own has none here.
  const line = typeof data?.['line'] === 'number' ? data['line'] : null
  if (code === 'validation' || code === 'out-of-memory' || code === 'shader')
    return stopFor('gpu-error', text, line)
  return stopFor('lab', text)
}
