/**
 * The engine and the runners behind the protocol: what is done for each request of the page. One
 * run at a time; a lost device is replaced at the next request. In a file of its own, so that tests
 * can put another WebGPU below it.
 */
import { CancelledError, FaultError, toFault } from '../../base/fault'
import { askAdapter, openDevice, type LabDevice, type RunContext, type RunLimits } from '../../gpu'
import { describeDevice, measureEnvironment, runExperiment } from '../../experiments/runners'
import type { Environment } from '../../trace/report'
import { buffersOf } from '../../trace/assembler'
import type { Request, RunResult, WorkerEvent } from './protocol'

export interface RequestParts {
  readonly send: (event: WorkerEvent, transfer?: Transferable[]) => void
  /** Asked for each time: undefined where there is no WebGPU. */
  readonly gpu: () => GPU | undefined
  /** For tests: how long an adapter or a device may be waited for, ms, and when a run gives up. */
  readonly openLimitMs?: number
  readonly limits?: RunLimits
}

const HIDDEN_REASON = 'The tab was hidden while it measured: browsers slow down hidden pages.'

/** Takes requests from now on; each is answered by events. */
export function createRequestHandler(props: RequestParts): (request: Request) => void {
  const { send, gpu, openLimitMs, limits } = props
  let device: LabDevice | null = null
  let environment: Environment | null = null
  let hidden = false
  /** Since the last measurement of the device began. */
  let wasHidden = false
  let current: { readonly runId: number; context: RunContext | null } | null = null
  /** Runs to be cancelled, also those that still wait behind a measurement of the device. */
  const cancelledRuns = new Set<number>()
  /** Requests that need the device run one after another. */
  let queue: Promise<void> = Promise.resolve()

  async function ensureDevice(): Promise<LabDevice> {
    if (device && !device.lostFault()) return device
    environment = null
    const opened = await openDevice(gpu(), openLimitMs)
    device = opened
    opened.onLost((fault) => {
      // During a run the run itself reports it.
      if (device === opened && !current) send({ type: 'device-lost', fault })
    })
    return opened
  }

  /**
   * Measured once a device, before its first run or when asked for. What was measured in a hidden
   * tab is given with its reason, and not kept.
   */
  async function ensureEnvironment(opened?: (context: RunContext) => void): Promise<{
    readonly environment: Environment
    readonly invalid: string | null
  }> {
    const probed = await ensureDevice()
    if (environment) return { environment, invalid: null }
    wasHidden = hidden
    const measured = await measureEnvironment(probed, { opened, limits })
    if (wasHidden) return { environment: measured, invalid: HIDDEN_REASON }
    environment = measured
    return { environment, invalid: null }
  }

  /** Opens no device: a page that is opened from a link only says its name. */
  async function describe(): Promise<WorkerEvent> {
    const live = device && !device.lostFault() ? device : null
    return { type: 'described', device: describeDevice(live ?? (await askAdapter(gpu(), openLimitMs))) }
  }

  async function measure(): Promise<WorkerEvent> {
    // Asked to measure: what was measured before is not the answer. A run is content with it.
    environment = null
    const { environment: measured, invalid } = await ensureEnvironment()
    if (invalid === null) return { type: 'measured', environment: measured }
    const hint = 'Keep the tab in view, and measure again.'
    throw new FaultError({ code: 'hidden', message: invalid, hint })
  }

  const answer = async (question: () => Promise<WorkerEvent>): Promise<void> =>
    send(
      await question().catch((thrown: unknown) => ({ type: 'unavailable', fault: toFault(thrown) }) as const),
    )

  async function run(request: Extract<Request, { type: 'run' }>): Promise<void> {
    const { runId } = request
    const state: NonNullable<typeof current> = { runId, context: null }
    current = state
    const isCancelled = () => cancelledRuns.has(runId)
    const end = (ending: RunResult) => send({ type: 'ended', runId, ending })
    /** Of the probe of the device, and then of the run. */
    const opened = (context: RunContext) => {
      state.context = context
      if (isCancelled()) context.cancel()
    }
    try {
      send({
        type: 'progress',
        runId,
        progress: { fraction: 0, message: 'measuring this device', variant: '', repeat: -1 },
      })
      const used = await ensureDevice()
      const { environment: measured, invalid } = await ensureEnvironment(opened)
      if (isCancelled()) throw new CancelledError()
      const { report, info } = await runExperiment(used, measured, request.experiment, request.params, {
        live: request.options.live,
        limits,
        started: (startedInfo) => send({ type: 'started', runId, info: startedInfo }),
        progress: (progress) => send({ type: 'progress', runId, progress }),
        chunk: (chunk) => send({ type: 'chunk', runId, chunk }, buffersOf(chunk)),
        opened: (context) => {
          if (invalid !== null || hidden) context.invalidate(HIDDEN_REASON)
          opened(context)
        },
      })
      // Also where all had been measured by then.
      if (isCancelled()) throw new CancelledError()
      end({ status: 'done', report, info })
    } catch (thrown) {
      if (thrown instanceof CancelledError || isCancelled()) end({ status: 'cancelled' })
      else end({ status: 'failed', fault: toFault(thrown) })
    } finally {
      current = null
      cancelledRuns.delete(runId)
    }
  }

  /** Serialises what needs the device; each task reports its own failure. */
  function enqueue(task: () => Promise<void>): void {
    queue = queue.then(task).then(() => {
      // Told with the task's ending: it is not lost once more between tasks.
      if (device?.lostFault()) device = null
    })
  }

  return (request) => {
    switch (request.type) {
      case 'describe':
        enqueue(() => answer(describe))
        break
      case 'measure':
        enqueue(() => answer(measure))
        break
      case 'run':
        enqueue(() => run(request))
        break
      case 'cancel':
        cancelledRuns.add(request.runId)
        if (current?.runId === request.runId) current.context?.cancel()
        break
      case 'visibility':
        hidden = request.hidden
        wasHidden ||= hidden
        if (hidden) current?.context?.invalidate(HIDDEN_REASON)
        break
      case 'destroy-device':
        device?.destroy()
        break
    }
  }
}
